// SPDX-License-Identifier: Apache-2.0
// Which tests does a program have? Static discovery as the frameworks do it:
// JUnit 3 by superclass and name, JUnit 4 and 5 and TestNG by annotation
// (meta-annotations of internal annotation types included), on every class that
// can run, with the tests it inherits. A class that a runner of its own runs
// (suites, Cucumber, …) has the one test "Class#*".
#include <algorithm>

#include "classfile/annotations.h"
#include "traversal/session.h"

namespace rejig::traversal {

using classfile::AnnotationReader;
using classfile::AnnotationView;
using classfile::AttributeView;
using classfile::ClassView;
using classfile::MemberView;

namespace {

constexpr std::string_view kJUnit4Test = "org/junit/Test";
constexpr std::string_view kRunWith = "org/junit/runner/RunWith";
constexpr std::string_view kTestNg = "org/testng/annotations/Test";
constexpr std::string_view kJupiterTests[] = {
    "org/junit/jupiter/api/Test", "org/junit/jupiter/api/RepeatedTest",
    "org/junit/jupiter/api/TestFactory", "org/junit/jupiter/api/TestTemplate",
    "org/junit/jupiter/params/ParameterizedTest"};
constexpr std::string_view kTestable = "org/junit/platform/commons/annotation/"
                                       "Testable";

struct Declared {
  std::string name;
  std::string parameters;  // "int,java.lang.String[]"
  std::vector<std::string> annotations;  // types, internal names
  std::uint16_t access = 0;

  friend bool operator==(const Declared&, const Declared&) = default;
};

struct TestClassFacts {
  std::vector<std::string> annotations;
  std::vector<Declared> methods;
  bool interesting = false;

  friend bool operator==(const TestClassFacts&,
                         const TestClassFacts&) = default;
};

std::string erased_parameters(std::string_view descriptor) {
  std::string out;
  std::size_t i = 1;
  while (i < descriptor.size() && descriptor[i] != ')') {
    std::size_t dims = 0;
    while (i < descriptor.size() && descriptor[i] == '[') {
      ++dims;
      ++i;
    }
    if (!out.empty()) out += ',';
    switch (descriptor[i]) {
      case 'L': {
        const auto end = descriptor.find(';', i);
        if (end == std::string_view::npos) return out;
        out += classfile::dotted(descriptor.substr(i + 1, end - i - 1));
        i = end;
        break;
      }
      case 'B': out += "byte"; break;
      case 'C': out += "char"; break;
      case 'D': out += "double"; break;
      case 'F': out += "float"; break;
      case 'I': out += "int"; break;
      case 'J': out += "long"; break;
      case 'S': out += "short"; break;
      default: out += "boolean"; break;
    }
    for (; dims > 0; --dims) out += "[]";
    ++i;
  }
  return out;
}

std::vector<std::string> annotation_types(
    const ClassView& cls, std::span<const AttributeView> attributes) {
  std::vector<std::string> out;
  for (const AttributeView& attribute : attributes) {
    if (attribute.name != "RuntimeVisibleAnnotations" || !attribute.readable) {
      continue;
    }
    AnnotationReader reader(cls.pool(), attribute);
    AnnotationView annotation;
    while (reader.next(annotation)) {
      const auto type = annotation.type();
      if (type.size() > 2) out.emplace_back(type.substr(1, type.size() - 2));
    }
  }
  return out;
}

TestClassFacts facts_of(const ClassView& cls) {
  TestClassFacts out;
  out.annotations = annotation_types(cls, cls.attributes());
  out.interesting = !out.annotations.empty();
  for (const MemberView& method : cls.methods()) {
    Declared d;
    d.annotations = annotation_types(cls, method.attributes);
    const bool junit3 =
        method.name.starts_with("test") && method.descriptor == "()V";
    if (d.annotations.empty() && !junit3 &&
        !method.is(classfile::kAccPublic)) {
      continue;
    }
    d.name = std::string(method.name);
    d.parameters = erased_parameters(method.descriptor);
    d.access = method.access;
    out.interesting = out.interesting || !d.annotations.empty() || junit3;
    out.methods.push_back(std::move(d));
  }
  return out;
}

class Discovery {
 public:
  Discovery(const jig::World& world, base::ThreadPool& pool) : world_(world) {
    const auto classes = world.internal().classes();
    facts_.resize(classes.size());
    pool.for_ranges(
        classes.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const auto* node = world.find(classes[i].name);
            const auto loaded = world.load(*node);
            if (loaded.ok()) facts_[i] = facts_of(*loaded.value().view);
          }
        });
    for (std::size_t i = 0; i < classes.size(); ++i) {
      index_.try_emplace(classes[i].name, i);
    }
  }

  std::vector<TestMethod> run() {
    for (const auto& file : world_.internal().classes()) {
      const auto* node = world_.find(file.name);
      if (node == nullptr || !node->readable()) continue;
      if (node->shell->is(classfile::kAccAbstract) ||
          node->shell->is_interface() ||
          node->shell->is(classfile::kAccSynthetic)) {
        continue;
      }
      one_class(*node);
    }
    std::sort(out_.begin(), out_.end(),
              [](const TestMethod& a, const TestMethod& b) {
                return std::tie(a.id, a.framework) <
                       std::tie(b.id, b.framework);
              });
    return std::move(out_);
  }

 private:
  const TestClassFacts* facts(Name name) const {
    const auto* at = index_.find(name);
    return at == nullptr ? nullptr : &facts_[*at];
  }

  // An annotation type that is, or is annotated with, a test annotation.
  bool is_jupiter(const std::string& type, unsigned depth = 0) const {
    if (std::ranges::find(kJupiterTests, type) != std::end(kJupiterTests) ||
        type == kTestable) {
      return true;
    }
    const auto* of_type = facts(type);
    return of_type != nullptr && depth < 8 &&
           std::ranges::any_of(of_type->annotations, [&](const auto& meta) {
             return is_jupiter(meta, depth + 1);
           });
  }

  std::string framework_of(const Declared& method, bool junit3,
                           bool testng_class) const {
    for (const auto& type : method.annotations) {
      if (type == kJUnit4Test) return "junit4";
      if (type == kTestNg) return "testng";
      if (is_jupiter(type)) return "junit5";
    }
    if (junit3 && method.name.starts_with("test") &&
        method.parameters.empty() &&
        (method.access & classfile::kAccPublic) != 0) {
      return "junit3";
    }
    if (testng_class && (method.access & classfile::kAccPublic) != 0 &&
        (method.access & classfile::kAccStatic) == 0 &&
        !method.name.starts_with("<") && method.annotations.empty()) {
      return "testng";
    }
    return {};
  }

  void one_class(const ClassNode& node) {
    std::vector<Name> chain = {node.name};
    for (const Name super : world_.supers(node.name).names) {
      chain.push_back(super);
    }
    const bool junit3 =
        std::ranges::find(chain, Name("junit/framework/TestCase")) !=
        chain.end();
    bool testng_class = false;
    bool own_runner = false;
    for (const Name name : chain) {
      const auto* f = facts(name);
      if (f == nullptr) continue;
      testng_class = testng_class || std::ranges::find(f->annotations,
                                                       kTestNg) !=
                                         f->annotations.end();
      own_runner = own_runner || std::ranges::find(f->annotations, kRunWith) !=
                                     f->annotations.end();
    }
    const std::string class_name = classfile::dotted(node.name);
    std::set<std::string> seen;
    bool any = false;
    for (const Name name : chain) {
      const auto* f = facts(name);
      if (f == nullptr || !f->interesting) continue;
      for (const Declared& method : f->methods) {
        const auto framework = framework_of(method, junit3, testng_class);
        if (framework.empty()) continue;
        any = true;
        const std::string id =
            class_name + "#" + method.name + "(" + method.parameters + ")";
        if (!seen.insert(id).second) continue;
        out_.push_back({id, class_name, classfile::dotted(name), framework});
      }
    }
    if (own_runner && !any) {
      out_.push_back({class_name + "#*", class_name, class_name, "junit4"});
    }
  }

  const jig::World& world_;
  std::vector<TestClassFacts> facts_;
  base::HashMap<Name, std::size_t> index_;
  std::vector<TestMethod> out_;
};

}  // namespace

std::vector<TestMethod> discover_tests(const jig::World& world,
                                       base::ThreadPool& pool) {
  return Discovery(world, pool).run();
}

bool has_same_tests(const Session& session) {
  if (!session.added.empty() || !session.removed.empty() ||
      !session.external_changed.empty() || !session.external_added.empty() ||
      !session.external_removed.empty() || session.platform_changed) {
    return false;
  }
  return std::ranges::all_of(session.changed, [](const ClassPair& pair) {
    if (pair.forced) return true;
    const auto& a = pair.old_class.view;
    const auto& b = pair.new_class.view;
    return a && b && pair.old_name == pair.new_name &&
           a->access() == b->access() && a->super_name() == b->super_name() &&
           std::ranges::equal(a->interfaces(), b->interfaces()) &&
           facts_of(*a) == facts_of(*b);
  });
}

std::vector<TestMethod> tests_of(
    const classfile::Program& internal,
    const std::vector<const classfile::Program*>& external, unsigned jobs) {
  jig::Names names;
  const jig::World world(names, internal, external);
  base::ThreadPool pool(jobs);
  return discover_tests(world, pool);
}

}  // namespace rejig::traversal
