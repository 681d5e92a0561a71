// SPDX-License-Identifier: Apache-2.0
// Which tests does a program have? Static discovery as the frameworks do it:
// JUnit 3 by superclass and name, JUnit 4 and 5 and TestNG by annotation
// (meta-annotations of internal annotation types included), on every class that
// can run, with the tests it inherits. A class that a runner of its own runs
// (suites, Cucumber, …) has the one test "Class#*".
#include <algorithm>
#include <optional>
#include <set>

#include "classfile/base/append_table.h"
#include "classfile/words/frameworks.h"
#include "jig/lookup/subtypes.h"
#include "jig/world/annotation_meaning.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::FrameworkRole;
using classfile::MemberView;

namespace {

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

bool is_testng_test(std::string_view type) {
  const auto* known = classfile::framework_annotation(type);
  return known != nullptr && known->role == FrameworkRole::kTest &&
         known->framework == "testng";
}

bool is_own_runner(std::string_view type) {
  const auto* known = classfile::framework_annotation(type);
  return known != nullptr && known->role == FrameworkRole::kRunner &&
         known->framework == "junit4";
}

bool is_junit3_test(std::string_view name) {
  return std::ranges::any_of(
      classfile::kFrameworkMembers, [&](const auto& member) {
        return member.role == FrameworkRole::kTest &&
               classfile::is_meant(member, name, "()V");
      });
}

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

TestClassFacts facts_of(const ClassView& cls) {
  TestClassFacts out;
  out.annotations = jig::visible_annotations(cls, cls.attributes());
  out.interesting = !out.annotations.empty();
  for (const MemberView& method : cls.methods()) {
    Declared d;
    d.annotations = jig::visible_annotations(cls, method.attributes);
    const bool junit3 =
        method.descriptor == "()V" && is_junit3_test(method.name);
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

// The tests of classes that are as they were, and so is all above them.
class KnownTests {
 public:
  // `others`: a mark for each class of the new program that may be otherwise.
  KnownTests(const Matching& matching, std::vector<std::uint8_t> others,
             const std::vector<TestMethod>& old_tests)
      : matching_(matching), others_(std::move(others)) {
    for (const TestMethod& test : old_tests) {
      of_class_[classfile::slashed(test.class_name)].push_back(&test);
    }
  }

  // False: the class has to be looked at.
  bool take(std::size_t place, Name name, std::vector<TestMethod>& out) const {
    if (others_[place] != 0 || !matching_.untouched(name)) return false;
    const auto* tests = of_class_.find(name);
    if (tests != nullptr) {
      for (const TestMethod* test : *tests) out.push_back(*test);
    }
    return true;
  }

 private:
  const Matching& matching_;
  std::vector<std::uint8_t> others_;
  base::HashMap<std::string, std::vector<const TestMethod*>> of_class_;
};

class Discovery {
 public:
  Discovery(const jig::World& world, base::ThreadPool& pool)
      : world_(world),
        pool_(pool),
        classes_(world.internal().classes()),
        known_(kKnownBits) {}

  // The classes are read only where they or something above them may have a
  // test; `known` has the tests of those that need not be looked at.
  std::vector<TestMethod> run(const KnownTests* known) {
    const std::vector<std::uint8_t> suspected = suspects();
    std::vector<std::vector<TestMethod>> found(pool_.workers());
    pool_.for_ranges(
        classes_.size(), 16,
        [&](unsigned worker, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            if (suspected[i] == 0 ||
                (known != nullptr && known->take(i, classes_[i].name,
                                                 found[worker]))) {
              continue;
            }
            const auto* node = world_.find(classes_[i].name);
            if (node == nullptr || !node->readable() ||
                node->shell->is(classfile::kAccAbstract) ||
                node->shell->is_interface() ||
                node->shell->is(classfile::kAccSynthetic)) {
              continue;
            }
            one_class(*node, found[worker]);
          }
        });
    std::vector<TestMethod> out;
    for (auto& part : found) {
      std::move(part.begin(), part.end(), std::back_inserter(out));
    }
    std::sort(out.begin(), out.end(),
              [](const TestMethod& a, const TestMethod& b) {
                return std::tie(a.id, a.framework) <
                       std::tie(b.id, b.framework);
              });
    return out;
  }

 private:
  static constexpr std::uint8_t kAnnotated = 1;  // by a test annotation
  static constexpr std::uint8_t kTestCase = 2;   // may be a TestCase of JUnit 3
  static constexpr std::uint8_t kSaysTest = 4;

  // Annotations that make a test, and those of the program that are annotated
  // with one of these.
  jig::MentionSet test_annotations() const {
    jig::MentionSet out;
    for (const auto& known : classfile::kFrameworkAnnotations) {
      if (known.role == FrameworkRole::kTest || is_own_runner(known.type)) {
        out.insert(jig::mention_of(known.type));
      }
    }
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t i = 0; i < classes_.size(); ++i) {
        const jig::Glance* glance = world_.glance_of_place(i);
        const auto own = jig::mention_of(classes_[i].name);
        if (glance == nullptr || !glance->is_annotation || out.contains(own) ||
            !out.any_in(*glance)) {
          continue;
        }
        out.insert(own);
        more = true;
      }
    }
    return out;
  }

  // Tests are inherited: whatever stands below a class that may declare one.
  std::vector<std::uint8_t> suspects() const {
    const jig::MentionSet annotations = test_annotations();
    const std::uint32_t test_case = jig::mention_of("junit/framework/TestCase");
    std::vector<std::uint8_t> marks(classes_.size(), kAnnotated);
    pool_.for_ranges(
        classes_.size(), 256,
        [&](unsigned, std::size_t begin, std::size_t end) {
          for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
            const jig::Glance* glance = world_.glance_of_place(i);
            if (glance == nullptr) continue;
            marks[i] = 0;
            if (glance->has_visible_annotations && annotations.any_in(*glance)) {
              marks[i] |= kAnnotated;
            }
            if (glance->says_test) marks[i] |= kSaysTest;
            // A superclass outside of the program may be one, too.
            if (!glance->super.starts_with("java/") &&
                (world_.internal().class_place(glance->super) ==
                     classfile::Program::kNoClass ||
                 std::ranges::find(glance->mentions, test_case) !=
                     glance->mentions.end())) {
              marks[i] |= kTestCase;
            }
          }
        });
    jig::spread_to_subtypes(world_, pool_, marks);
    for (std::uint8_t& mark : marks) {
      constexpr std::uint8_t kOfJUnit3 = kTestCase | kSaysTest;
      mark = (mark & kAnnotated) != 0 || (mark & kOfJUnit3) == kOfJUnit3 ? 1 : 0;
    }
    return marks;
  }

  // nullptr: not internal, or unreadable. From any thread.
  const TestClassFacts* facts(Name name) {
    if (const auto at = known_.find(name); at.value != nullptr) {
      return at.value->get();
    }
    std::unique_ptr<TestClassFacts> made;
    const auto loaded = world_.load_internal(name);
    if (loaded.ok()) {
      made = std::make_unique<TestClassFacts>(facts_of(*loaded.value().view));
    }
    return known_.insert(name, std::move(made)).value->get();
  }

  // Whose test an annotation type makes, by itself or by its own annotations;
  // empty: nobody's. Only annotation types of the program are followed: they are
  // known on both sides.
  std::string_view tests_of_type(const std::string& type, unsigned depth = 0) {
    constexpr unsigned kDeepest = 8;
    if (const auto* known = classfile::framework_annotation(type)) {
      return known->role == FrameworkRole::kTest &&
                     (depth == 0 || known->composed)
                 ? known->framework
                 : std::string_view();
    }
    const auto* of_type = facts(type);
    if (of_type == nullptr || depth == kDeepest) return {};
    for (const auto& meta : of_type->annotations) {
      const auto framework = tests_of_type(meta, depth + 1);
      if (!framework.empty()) return framework;
    }
    return {};
  }

  std::string framework_of(const Declared& method, bool junit3,
                           bool testng_class) {
    for (const auto& type : method.annotations) {
      const auto framework = tests_of_type(type);
      if (!framework.empty()) return std::string(framework);
    }
    if (junit3 && method.parameters.empty() && is_junit3_test(method.name) &&
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

  void one_class(const ClassNode& node, std::vector<TestMethod>& out) {
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
      testng_class =
          testng_class || std::ranges::any_of(f->annotations, is_testng_test);
      own_runner =
          own_runner || std::ranges::any_of(f->annotations, is_own_runner);
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
        out.push_back({id, class_name, classfile::dotted(name), framework});
      }
    }
    if (own_runner && !any) {
      out.push_back({class_name + "#*", class_name, class_name, "junit4"});
    }
  }

  static constexpr unsigned kKnownBits = 12;
  const jig::World& world_;
  base::ThreadPool& pool_;
  std::span<const classfile::ProgramFile> classes_;
  base::AppendTable<std::unique_ptr<TestClassFacts>> known_;
};

bool has_same_facts(const ClassPair& pair) {
  const auto& a = pair.old_class.view;
  const auto& b = pair.new_class.view;
  return a && b && pair.old_name == pair.new_name &&
         a->access() == b->access() && a->super_name() == b->super_name() &&
         std::ranges::equal(a->interfaces(), b->interfaces()) &&
         facts_of(*a) == facts_of(*b);
}

bool is_annotation(const jig::World& world, Name name) {
  const ClassNode* node = world.find(name);
  return node == nullptr || !node->readable() ||
         node->shell->is(classfile::kAccAnnotation);
}

// Classes of the new program whose tests are those that they had: neither they
// nor anything above them has other facts. What is the same now as before, all
// the way up, was the same there.
std::optional<KnownTests> tests_that_stay(const Matching& matching,
                                          const std::vector<TestMethod>& old) {
  if (!matching.same_external()) return std::nullopt;
  const jig::World& world = matching.worlds.new_world;
  const auto& program = world.internal();
  std::vector<std::uint8_t> others(program.classes().size(), 0);
  for (std::uint32_t i = 0; i < others.size(); ++i) {
    if (world.glance_of_place(i) == nullptr) others[i] = 1;
  }
  // False: it is an annotation, which means something wherever it stands.
  const auto mark = [&](const jig::World& of, Name name) {
    const std::uint32_t place = program.class_place(name);
    if (place < others.size()) others[place] = 1;
    return !is_annotation(of, name);
  };
  for (const ClassPair& pair : matching.changed) {
    if (pair.forced || has_same_facts(pair)) continue;
    if (!mark(matching.worlds.old_world, pair.old_name) ||
        !mark(world, pair.new_name)) {
      return std::nullopt;
    }
  }
  for (const Name name : matching.added) {
    if (!mark(world, name)) return std::nullopt;
  }
  for (const Name name : matching.removed) {
    if (!mark(matching.worlds.old_world, name)) return std::nullopt;
  }
  jig::spread_to_subtypes(world, matching.worlds.pool, others);
  return KnownTests(matching, std::move(others), old);
}

void look_at_all(jig::World& world, base::ThreadPool& pool) {
  if (world.has_glanced()) return;
  world.glance_at_all(pool, {});
}

}  // namespace

std::vector<TestMethod> discover_tests(jig::World& world,
                                       base::ThreadPool& pool) {
  look_at_all(world, pool);
  return Discovery(world, pool).run(nullptr);
}

std::vector<TestMethod> new_tests_of(Worlds& worlds, const Matching& matching,
                                     const std::vector<TestMethod>& old_tests) {
  const bool same = matching.added.empty() && matching.removed.empty() &&
                    matching.same_external() &&
                    std::ranges::all_of(matching.changed,
                                        [](const ClassPair& pair) {
                                          return pair.forced ||
                                                 has_same_facts(pair);
                                        });
  if (same) return old_tests;
  look_at_all(worlds.new_world, worlds.pool);
  const auto known = tests_that_stay(matching, old_tests);
  return Discovery(worlds.new_world, worlds.pool)
      .run(known ? &*known : nullptr);
}

std::vector<TestMethod> tests_of(
    const classfile::Program& internal,
    const std::vector<const classfile::Program*>& external, unsigned jobs) {
  jig::Names names;
  jig::World world(names, internal, external);
  base::ThreadPool pool(jobs);
  return discover_tests(world, pool);
}

}  // namespace rejig::traversal
