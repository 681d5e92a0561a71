// SPDX-License-Identifier: Apache-2.0
// Rapid type analysis over the graph: nodes are visited once a question; an
// edge that needs an instance waits in a list of its class until one may exist.
// Cost: the nodes and edges reached.
#include "apps/session/reach.h"

#include <algorithm>
#include <array>

#include "classfile/reader/annotations.h"
#include "classfile/words/entity.h"
#include "coverage/select/adaptor.h"
#include "coverage/select/answer.h"
#include "jig/graph/graph_builder.h"

namespace rejig::app {

using jig::EdgeId;
using jig::EdgeKind;
using jig::NodeId;
using jig::NodeKind;

namespace {

// Through these, bytecode names classes and members at run time.
constexpr std::array<std::string_view, 30> kReflective = {
    "java.lang.Class.forName",
    "java.lang.Class.newInstance",
    "java.lang.Class.get",
    "java.lang.ClassLoader.",
    "java.lang.reflect.",
    "java.lang.invoke.MethodHandles",
    "java.util.ServiceLoader.",
    "java.util.ResourceBundle.",
    "java.util.concurrent.atomic.AtomicIntegerFieldUpdater.",
    "java.util.concurrent.atomic.AtomicLongFieldUpdater.",
    "java.util.concurrent.atomic.AtomicReferenceFieldUpdater.",
    "java.beans.",
    "java.io.ObjectInputStream.",
    "java.io.ObjectOutputStream.",
    "java.net.URLClassLoader.",
    "java.lang.ProcessBuilder.",
    "java.lang.Runtime.exec",
    "javax.script.",
    "sun.misc.Unsafe.",
    "java.lang.Module",
    "java.lang.invoke.ConstantBootstraps.",
    "java.lang.runtime.SwitchBootstraps.",
    "java.rmi.",
    "java.sql.DriverManager.",
    "java.util.logging.LogManager.",
    "javax.management.",
    "javax.naming.",
    "org.junit.platform.",
    "org.junit.runner.",
    "kotlin.reflect."};

// Libraries that look at no class of which nobody told them by a literal. Any
// other library may do what reflection can.
constexpr std::array<std::string_view, 7> kCallbacksOnly = {
    "org.junit.", "junit.",     "org.hamcrest.", "org.opentest4j.",
    "kotlin.",    "org.slf4j.", "org.testng."};

// Of these, the ones that only tell names, or look at files.
constexpr std::array<std::string_view, 11> kNames = {
    "java.lang.Class.getName",          "java.lang.Class.getSimpleName",
    "java.lang.Class.getTypeName",      "java.lang.Class.getCanonicalName",
    "java.lang.Class.getPackage",       "java.lang.Class.getModifiers",
    "java.lang.Class.getSuperclass",    "java.lang.Class.getInterfaces",
    "java.lang.Class.getComponentType", "java.lang.Class.getResource",
    "java.lang.Class.getClassLoader"};

// External code that looks at no class, file or stack trace; exceptions to it.
constexpr std::array<std::string_view, 40> kQuiet = {
    "java.lang.Object.",
    "java.lang.String.",
    "java.lang.StringBuilder.",
    "java.lang.StringBuffer.",
    "java.lang.CharSequence.",
    "java.lang.Integer.",
    "java.lang.Long.",
    "java.lang.Short.",
    "java.lang.Byte.",
    "java.lang.Character.",
    "java.lang.Boolean.",
    "java.lang.Float.",
    "java.lang.Double.",
    "java.lang.Number.",
    "java.lang.Math.",
    "java.lang.StrictMath.",
    "java.lang.Iterable.",
    "java.lang.Comparable.",
    "java.lang.Runnable.",
    "java.lang.AutoCloseable.",
    "java.lang.Enum.",
    "java.lang.Record.",
    "java.lang.Class.desiredAssertionStatus",
    "java.lang.System.arraycopy",
    "java.lang.System.identityHashCode",
    "java.lang.System.nanoTime",
    "java.lang.System.currentTimeMillis",
    "java.lang.Thread.<init>",
    "java.lang.Thread.start",
    "java.lang.Thread.run",
    "java.lang.Thread.join",
    "java.lang.Thread.sleep",
    "java.lang.invoke.LambdaMetafactory.",
    "java.lang.invoke.StringConcatFactory.",
    "java.lang.runtime.ObjectMethods.",
    "java.util.",
    "java.math.",
    "java.io.PrintStream.print",
    "org.junit.Assert.",
    "org.junit.jupiter.api.Assertions."};
constexpr std::array<std::string_view, 14> kNotQuiet = {
    "org.junit.Assert.assertThrows",
    "org.junit.jupiter.api.Assertions.assertThrows",
    "java.util.ServiceLoader.",
    "java.util.ResourceBundle",
    "java.util.PropertyResourceBundle",
    "java.util.ListResourceBundle",
    "java.util.Formatter.",
    "java.util.Scanner.",
    "java.util.logging.",
    "java.util.prefs.",
    "java.util.jar.",
    "java.util.zip.",
    "java.util.spi.",
    "java.util.concurrent.ForkJoin"};

template <std::size_t N>
bool begins_with_one(std::string_view label,
                     const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view prefix) {
    return label.starts_with(prefix);
  });
}

// Making one. What it says may tell of lines and of names of locals.
bool quiet_throwable(std::string_view label) {
  const auto open = label.find('(');
  const auto dot = label.rfind('.', open);
  if (dot == std::string_view::npos || !label.starts_with("java.lang.")) {
    return false;
  }
  const auto type = label.substr(0, dot);
  const auto name = label.substr(dot + 1, open - dot - 1);
  const bool throwable = type.ends_with("Exception") ||
                         type.ends_with("Error") || type.ends_with("Throwable");
  return throwable && (name == "<init>" || name == "addSuppressed");
}

// May an exception that the JVM or the platform made be caught by it?
bool catches_any(std::string_view type) { return type.starts_with("java."); }

// The compiler's number is in what Object.toString() says.
bool is_numbered(std::string_view cls) {
  for (std::size_t at = cls.find('$'); at != std::string_view::npos;
       at = cls.find('$', at + 1)) {
    if (at + 1 < cls.size() && cls[at + 1] >= '0' && cls[at + 1] <= '9') {
      return true;
    }
  }
  return false;
}

}  // namespace

Reach::Reach(const OldWorld& old, base::ThreadPool& pool)
    : world_(names_, *old.internal, old.external) {
  base::Diagnostics diagnostics;
  graph_ = jig::build_graph(world_, pool, diagnostics);
  index(old);
}

Reach::ClassIndex Reach::class_index(std::string_view dotted) {
  const auto next = static_cast<ClassIndex>(class_ids_.size());
  return class_ids_.try_emplace(std::string(dotted), next).first->second;
}

void Reach::index(const OldWorld& old) {
  seen_.assign(graph_.nodes(), 0);
  method_of_.assign(graph_.nodes(), kNone);
  makes_.assign(graph_.nodes(), kNone);
  outside_.assign(graph_.nodes(), Outside::kNo);
  catches_.assign(graph_.nodes(), false);
  receiver_of_edge_.assign(graph_.edges(), kNone);
  std::vector<std::pair<ClassIndex, NodeId>> entered;
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    index_node(n);
    if (graph_.kind(n) == NodeKind::kClassEntry) {
      entered.emplace_back(class_index(graph_.label(n)), n);
    }
  }
  class_entries_.assign(class_ids_.size(), kNone);
  for (const auto& [cls, node] : entered) class_entries_[cls] = node;
  instance_epoch_.assign(class_ids_.size(), 0);
  waiting_.resize(class_ids_.size());
  for (const auto& test : *old.tests) {
    const auto id = std::string_view(test.id);
    std::string name(id.substr(id.find('#') + 1));
    name.resize(std::min(name.find('('), name.size()));
    tests_of_[test.declared_in].insert(name);
  }
}

void Reach::index_node(NodeId n) {
  switch (graph_.kind(n)) {
    case NodeKind::kEntry: {
      const std::string entity = graph_.label(n);
      method_of_[n] = static_cast<std::uint32_t>(entities_.size());
      entities_.push_back(entity);
      owners_.emplace_back(coverage::class_of_method(entity));
      members_[owners_.back()].push_back(n);
      if (entity.find(".<init>(") != std::string::npos) {
        makes_[n] = class_index(owners_.back());
      }
      break;
    }
    case NodeKind::kInit:
      inits_.emplace(graph_.label(n), n);
      break;
    case NodeKind::kLambda:
      makes_[n] = class_index(graph_.label(n));
      break;
    case NodeKind::kExternalEntry: {
      const std::string label = graph_.label(n);
      if (begins_with_one(label, kReflective) &&
          !begins_with_one(label, kNames)) {
        outside_[n] = Outside::kReflective;
      } else if ((begins_with_one(label, kQuiet) &&
                  !begins_with_one(label, kNotQuiet)) ||
                 quiet_throwable(label)) {
        outside_[n] = Outside::kQuiet;
      } else {
        const auto owner = label.substr(0, label.rfind('.', label.find('(')));
        outside_[n] =
            may_reflect(owner) ? Outside::kReflective : Outside::kUnknown;
      }
      break;
    }
    case NodeKind::kUnknown:
      outside_[n] = Outside::kReflective;
      break;
    case NodeKind::kError:
      outside_[n] = Outside::kUnknown;
      break;
    case NodeKind::kClassEntry:
      if (!is_numbered(graph_.label(n))) break;
      for (EdgeId e = graph_.out_begin(n); e < graph_.out_end(n); ++e) {
        if (graph_.edge_label(e) == "*:toString()Ljava/lang/String;") {
          outside_[n] = Outside::kUnknown;
        }
      }
      break;
    case NodeKind::kCatch: {
      const std::string label = graph_.label(n);
      catches_[n] = catches_any(label.substr(label.rfind(' ') + 1));
      break;
    }
    case NodeKind::kDispatch:
      for (EdgeId e = graph_.out_begin(n); e < graph_.out_end(n); ++e) {
        const std::string label = graph_.edge_label(e);
        if (label != "*") receiver_of_edge_[e] = class_index(label);
      }
      break;
    default:
      break;
  }
}

bool Reach::may_reflect(std::string_view cls) const {
  if (begins_with_one(cls, kCallbacksOnly)) return false;
  const auto* found = world_.find(names_.intern(classfile::slashed(cls)));
  if (found == nullptr) return true;
  return !found->internal &&
         found->program->find_class("java/lang/Object") == nullptr;
}

void Reach::visit(NodeId node) {
  if (seen_[node] == epoch_) return;
  seen_[node] = epoch_;
  todo_.push_back(node);
}

void Reach::instantiate(ClassIndex cls) {
  if (instance_epoch_[cls] == epoch_) return;
  instance_epoch_[cls] = epoch_;
  if (class_entries_[cls] != kNone) visit(class_entries_[cls]);
  for (const NodeId node : waiting_[cls]) visit(node);
  waiting_[cls].clear();
}

void Reach::follow(NodeId node, Answer& answer) {
  if (makes_[node] != kNone) instantiate(makes_[node]);
  if (outside_[node] == Outside::kReflective) answer.reflects = true;
  if (outside_[node] == Outside::kUnknown) answer.quiet = false;
  if (catches_[node]) answer.sees_exceptions = true;
  for (EdgeId e = graph_.out_begin(node); e < graph_.out_end(node); ++e) {
    const EdgeKind kind = graph_.edge_kind(e);
    const NodeId target = graph_.target(e);
    switch (kind) {
      case EdgeKind::kTest:     // what a runner starts is a root of that test
      case EdgeKind::kSubtype:  // says something about types, runs nothing
      case EdgeKind::kLink:
      case EdgeKind::kShell:
        continue;
      case EdgeKind::kClass:
        if (graph_.edge_label(e) == "ldc" && !in_own_clinit(node, target)) {
          reach_members(graph_.label(target));
        }
        break;
      case EdgeKind::kPath:
        // What native code of the program calls, nobody knows.
        if (graph_.kind(node) == NodeKind::kEntry) answer.reflects = true;
        break;
      default:
        break;
    }
    const ClassIndex receiver = receiver_of_edge_[e];
    if (receiver == kNone || instance_epoch_[receiver] == epoch_) {
      visit(target);
      continue;
    }
    if (waiting_[receiver].empty()) waited_.push_back(receiver);
    waiting_[receiver].push_back(target);
  }
}

Reach::Answer Reach::from(const std::string& test, const Inside& inside,
                          const std::set<std::string, std::less<>>& instances) {
  ++epoch_;
  todo_.clear();
  for (const ClassIndex cls : waited_) waiting_[cls].clear();
  waited_.clear();
  Answer out;
  roots_of(test, out);
  for (const auto& name : instances) {
    const auto known = class_ids_.find(name);
    if (known != class_ids_.end()) instantiate(known->second);
  }
  // Services and what is found without a name are external code's.
  for (EdgeId e = graph_.out_begin(0); e < graph_.out_end(0); ++e) {
    if (graph_.edge_kind(e) == EdgeKind::kArtefact) visit(graph_.target(e));
  }
  while (!todo_.empty()) {
    const NodeId node = todo_.back();
    todo_.pop_back();
    if (const auto method = method_of_[node]; method != kNone) {
      if (inside && !inside(owners_[method])) continue;
      out.methods.push_back(method);
    }
    follow(node, out);
  }
  out.quiet = out.quiet && !out.reflects;
  std::sort(out.methods.begin(), out.methods.end());
  return out;
}

// The literal of the assertion prelude.
bool Reach::in_own_clinit(NodeId node, NodeId literal) const {
  const auto* row = graph_.method(node);
  if (row == nullptr) return false;
  const auto& symbols = graph_.symbols();
  return symbols.text(row->name) == "<clinit>" &&
         classfile::dotted(symbols.text(row->owner)) == graph_.label(literal);
}

void Reach::reach_members(std::string_view cls) {
  const auto at = members_.find(cls);
  if (at == members_.end()) return;
  for (const NodeId node : at->second) visit(node);
  if (const auto init = inits_.find(cls); init != inits_.end()) {
    visit(init->second);
  }
}

void Reach::roots_of(const std::string& test, Answer& answer) {
  const std::string cls(coverage::class_of_test(test));
  const std::string method(coverage::method_of_test(test));
  const std::string name = method.substr(0, method.find('('));
  const bool whole = coverage::is_whole_class(test);
  std::vector<std::string> chain = {cls};
  for (const auto super : world_.supers(classfile::slashed(cls)).names) {
    chain.push_back(classfile::dotted(super));
  }
  for (const auto& one : chain) {
    // Frameworks find what they want by themselves.
    if (may_reflect(one)) answer.reflects = true;
    add_members(one, name, whole);
    // Nested classes: data of the tests, extensions, rules.
    const std::string inner = one + "$";
    for (auto at = members_.lower_bound(inner);
         at != members_.end() && at->first.starts_with(inner); ++at) {
      add_members(at->first, name, whole);
    }
    // Runners, extensions, suites.
    for (const auto& named : classes_in_annotations(one)) {
      if (may_reflect(named)) answer.reflects = true;
      reach_members(named);
    }
  }
}

void Reach::add_members(const std::string& cls, const std::string& name,
                        bool whole) {
  if (const auto init = inits_.find(cls); init != inits_.end()) {
    visit(init->second);
  }
  const auto at = members_.find(cls);
  if (at == members_.end()) return;
  const auto tests = tests_of_.find(cls);
  for (const NodeId node : at->second) {
    std::string_view member = entities_[method_of_[node]];
    member.remove_prefix(cls.size() + 1);
    member = member.substr(0, member.find('('));
    const bool other_test = !whole && tests != tests_of_.end() &&
                            tests->second.contains(std::string(member)) &&
                            member != name;
    if (!other_test) visit(node);
  }
}

namespace {

void add_classes(classfile::ElementReader elements,
                 std::vector<std::string>& out) {
  std::string_view name;
  classfile::ElementValue value;
  while (elements.next(name, value)) {
    switch (value.tag()) {
      case 'c': {
        auto type = value.text();
        if (type.size() > 2 && type.starts_with('L')) {
          out.push_back(classfile::dotted(type.substr(1, type.size() - 2)));
        }
        break;
      }
      case '[':
        add_classes(value.elements(), out);
        break;
      case '@':
        add_classes(value.annotation().elements(), out);
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::vector<std::string> Reach::classes_in_annotations(
    const std::string& cls) const {
  std::vector<std::string> out;
  const auto loaded = world_.load_internal(classfile::slashed(cls));
  if (!loaded.ok()) return out;
  const auto& view = *loaded->view;
  const auto look = [&](std::span<const classfile::AttributeView> attributes) {
    for (const auto& attribute : attributes) {
      const bool wanted =
          attribute.name == "RuntimeVisibleAnnotations" ||
          attribute.name == "RuntimeVisibleParameterAnnotations";
      if (!wanted || !attribute.readable) continue;
      classfile::AnnotationReader reader(view.pool(), attribute);
      classfile::AnnotationView annotation;
      while (reader.next(annotation)) {
        // The annotation itself may name an extension (meta-annotations).
        const auto type = annotation.type();
        if (type.size() > 2) {
          out.push_back(classfile::dotted(type.substr(1, type.size() - 2)));
        }
        add_classes(annotation.elements(), out);
      }
    }
  };
  look(view.attributes());
  for (const auto& field : view.fields()) look(field.attributes);
  for (const auto& method : view.methods()) look(method.attributes);
  // What an annotation of the program names in turn.
  for (std::size_t i = 0; i < out.size() && out.size() < 1000; ++i) {
    if (out[i] == cls ||
        world_.internal().find_class(classfile::slashed(out[i])) == nullptr) {
      continue;
    }
    const auto again = world_.load_internal(classfile::slashed(out[i]));
    if (!again.ok() || !again->view->is(classfile::kAccAnnotation)) continue;
    for (const auto& attribute : again->view->attributes()) {
      if (attribute.name != "RuntimeVisibleAnnotations" ||
          !attribute.readable) {
        continue;
      }
      classfile::AnnotationReader reader(again->view->pool(), attribute);
      classfile::AnnotationView annotation;
      while (reader.next(annotation)) {
        const auto type = annotation.type();
        std::string meta(type.substr(1, type.size() - 2));
        meta = classfile::dotted(meta);
        if (std::find(out.begin(), out.end(), meta) == out.end()) {
          out.push_back(std::move(meta));
        }
        std::vector<std::string> named;
        add_classes(annotation.elements(), named);
        for (auto& each : named) {
          if (std::find(out.begin(), out.end(), each) == out.end()) {
            out.push_back(std::move(each));
          }
        }
      }
    }
  }
  return out;
}

}  // namespace rejig::app
