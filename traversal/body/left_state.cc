// SPDX-License-Identifier: Apache-2.0
// What may changed code leave in static fields that it did not leave before?
// Rows say who met what an old test left; what a changed or new method puts
// there for the first time no row can show. Asked are the static fields that a
// changed body names, and all that can be reached by the calls that are new in
// it, and by every method of an added class: overriding methods, lambdas and
// initializers included. Calls that a body made before are in the rows of who
// made them. Whoever met the state of such a class may meet another one (D24).
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "classfile/reader/code.h"
#include "classfile/words/kept_state.h"
#include "jig/lookup/cha.h"
#include "traversal/body/library_state.h"
#include "traversal/body/outside_state.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

struct Reference {
  std::string owner;
  std::string name;
  std::string descriptor;
  bool is_static_field = false;
  bool is_virtual = false;
  bool leaves = false;  // something in that field, or below what it holds
  bool is_static = false;

  friend auto operator<=>(const Reference&, const Reference&) = default;
};

void add_handle(const ClassView& cls, std::uint16_t index,
                std::set<Reference>& out) {
  const auto handle = cls.pool().handle(index);
  const auto& ref = handle.ref;
  constexpr unsigned kGetStatic = 2, kPutStatic = 4, kInvokeVirtual = 5,
                     kInvokeStatic = 6,
                     kInvokeInterface = 9;
  const unsigned kind = handle.kind;
  if (ref.field && kind != kGetStatic && kind != kPutStatic) return;
  out.insert({std::string(ref.owner), std::string(ref.name),
              std::string(ref.descriptor), ref.field,
              kind == kInvokeVirtual || kind == kInvokeInterface,
              kind == kPutStatic ||
                  !classfile::holds_for_ever(ref.descriptor),
              kind == kPutStatic || kind == kInvokeStatic});
}

void add_site(const ClassView& cls, std::uint16_t index,
              std::set<Reference>& out) {
  const auto row = cls.pool().dynamic(index).bootstrap;
  if (row >= cls.bootstrap_methods().size()) return;
  const auto& method = cls.bootstrap_methods()[row];
  add_handle(cls, method.handle, out);
  for (const auto argument : method.arguments) {
    if (cls.pool().tag(argument) == Tag::kMethodHandle) {
      add_handle(cls, argument, out);
    }
  }
}

std::set<Reference> references_of(const ClassView& cls,
                                  const MemberView& method) {
  std::set<Reference> out;
  const auto code = CodeView::of(cls, method);
  if (!code) return out;
  classfile::InstructionReader in(code->code);
  classfile::Instruction at;
  while (in.next(at)) {
    switch (at.op) {
      case Opcode::k_getstatic:
      case Opcode::k_putstatic:
      case Opcode::k_invokestatic:
      case Opcode::k_invokespecial:
      case Opcode::k_invokevirtual:
      case Opcode::k_invokeinterface: {
        const auto ref = cls.pool().member(at.index);
        out.insert({std::string(ref.owner), std::string(ref.name),
                    std::string(ref.descriptor), ref.field,
                    at.op == Opcode::k_invokevirtual ||
                        at.op == Opcode::k_invokeinterface,
                    at.op == Opcode::k_putstatic ||
                        !classfile::holds_for_ever(ref.descriptor),
                    at.op == Opcode::k_invokestatic ||
                        at.op == Opcode::k_putstatic});
        break;
      }
      case Opcode::k_new:
        out.insert({std::string(cls.pool().text(at.index)), "<clinit>", "()V",
                    false, false, false, false});
        break;
      case Opcode::k_invokedynamic:
        add_site(cls, at.index, out);
        break;
      default:
        break;
    }
  }
  return out;
}

class LeftState {
 public:
  explicit LeftState(const Matching& matching) : matching_(matching) {}

  void changed(const ClassPair& pair, const Bodies::OfPair& bodies) {
    const ClassView& was = *pair.old_class.view;
    const ClassView& is = *pair.new_class.view;
    std::set<std::pair<std::string, std::string>> equal;
    for (const auto m : bodies.equal_methods) {
      const MemberView& method = was.methods()[m];
      equal.emplace(method.name, method.descriptor);
    }
    for (const auto& method : is.methods()) {
      if (equal.contains({std::string(method.name),
                          std::string(method.descriptor)})) {
        continue;
      }
      cause_ = classfile::method_entity(is.name(), method.name,
                                        method.descriptor);
      const auto now = references_of(is, method);
      std::set<Reference> before;
      for (const auto& old : was.methods()) {
        if (old.name == method.name && old.descriptor == method.descriptor) {
          before = references_of(was, old);
        }
      }
      for (const auto& ref : now) {
        if (ref.is_static_field) {
          field(is.name(), method.name, ref);
          if (!before.contains(ref)) {
            read(ref);
            if (ref.is_static) call(ref);
          }
        } else if (!before.contains(ref)) {
          call(ref);
        }
      }
      drain();
    }
  }

  void added(Name name) {
    const ClassView* cls = matching_.new_view(name);
    if (cls == nullptr) return;
    for (const auto& method : cls->methods()) {
      cause_ = classfile::method_entity(cls->name(), method.name,
                                        method.descriptor);
      visit(std::string(name), method.name, method.descriptor);
      drain();
    }
  }

  // A class of a library, as a whole: what it asks the JDK for that it did not.
  void library(Name name) {
    const ClassView* now = matching_.new_view(name);
    if (now == nullptr) return;
    std::set<Reference> before;
    if (const ClassView* was = matching_.old_view(name)) {
      for (const auto& method : was->methods()) {
        before.merge(references_of(*was, method));
      }
    }
    cause_ = classfile::dotted(name);
    for (const auto& method : now->methods()) {
      for (const auto& ref : references_of(*now, method)) {
        if (!ref.is_static_field && !before.contains(ref)) outside(ref);
      }
    }
  }

  std::map<std::string, std::string> take() { return std::move(classes_); }
  std::map<std::string, std::string> take_read() { return std::move(read_); }

 private:
  struct Method {
    std::string cls;
    std::string name;
    std::string descriptor;
    bool initializes = false;  // below an initializer, which ran before as well
    friend auto operator<=>(const Method&, const Method&) = default;
  };

  static bool keeps(const ClassNode& node) {
    if (!node.internal || !node.readable()) return node.internal;
    classfile::KeptState kept;
    for (const auto& f : node.shell->fields) kept.field(f.access, f.descriptor);
    return static_cast<bool>(kept);
  }

  // Of a field that can only be set: who changes what such a one holds, or below
  // it, selects by `classes_` already.
  void read(const Reference& ref) {
    const ClassNode* node = matching_.worlds.new_world.find(Name(ref.owner));
    if (node == nullptr || ref.leaves) return;
    const auto state_of = [&](const ClassNode* one) {
      if (one == nullptr || !one->internal || !keeps(*one)) return;
      read_.emplace(
          classfile::dotted(matching_.renaming.old_class_name(one->name)),
          cause_);
    };
    state_of(node);
    for (const ClassNode* above : matching_.worlds.new_world.supers(*node).nodes) {
      state_of(above);
    }
  }

  // Its own initializer is where what a class holds begins.
  void field(std::string_view cls, std::string_view method,
             const Reference& ref) {
    initializer(ref.owner);
    const ClassNode* node = matching_.worlds.new_world.find(Name(ref.owner));
    if (node == nullptr || !ref.leaves) return;
    const auto state_of = [&](const ClassNode* one) {
      if (one == nullptr || !keeps(*one) ||
          (method == "<clinit>" && one->name == cls)) {
        return;
      }
      classes_.emplace(
          classfile::dotted(matching_.renaming.old_class_name(one->name)),
          cause_);
    };
    std::vector<const ClassNode*> all = {node};
    for (const ClassNode* above :
         matching_.worlds.new_world.supers(*node).nodes) {
      all.push_back(above);
    }
    // Of the class that has it; of all, when nobody can tell which one does.
    const auto has_it = [&](const ClassNode* one) {
      return one != nullptr && one->readable() &&
             std::ranges::any_of(one->shell->fields, [&](const auto& field) {
               return field.name == ref.name &&
                      field.descriptor == ref.descriptor;
             });
    };
    const bool known = std::ranges::any_of(all, has_it);
    for (const ClassNode* one : all) {
      if (!known || has_it(one)) state_of(one);
    }
  }

  void initializer(const std::string& cls) { visit(cls, "<clinit>", "()V"); }

  void visit(std::string cls, std::string_view name,
             std::string_view descriptor) {
    Method m{std::move(cls), std::string(name), std::string(descriptor),
             initializes_ || name == "<clinit>"};
    if (seen_.insert(m).second) todo_.push_back(std::move(m));
  }

  // Does it set something that the JDK keeps?
  bool outside(const Reference& ref) {
    each_read_outside(ref.owner, ref.name, [this](std::string_view state) {
      read_.emplace(state, cause_);
    });
    const auto what = left_outside(ref.owner, ref.name);
    if (!what.empty()) classes_.emplace(what, cause_);
    return !what.empty();
  }

  void call(const Reference& ref) {
    const ClassNode* node = matching_.worlds.new_world.find(Name(ref.owner));
    if (node == nullptr || !node->internal) {
      if (!outside(ref) && ref.is_static &&
          classfile::keeps_for_programs(ref.owner)) {
        for (const auto& kept : behind(ref.owner)) {
          classes_.emplace(kept, cause_);
        }
      }
    } else if (ref.name == "<clinit>" && !initializes_) {
      made(ref.owner);
    }
    if (node != nullptr) {
      if (node->internal) {
        initializer(ref.owner);
        visit(ref.owner, ref.name, ref.descriptor);
      }
      for (const ClassNode* above :
           matching_.worlds.new_world.supers(*node).nodes) {
        if (above != nullptr && above->internal) {
          visit(std::string(above->name), ref.name, ref.descriptor);
        }
      }
    }
    // Also by way of an interface of a library, in the world or not.
    if (ref.is_virtual) overriding(ref);
  }

  // Whoever has an object of another class by now calls its methods, where no
  // changed code shows.
  void made(const std::string& name) {
    const ClassView* cls =
        matching_.new_view(matching_.worlds.names.intern(name));
    if (cls == nullptr ||
        (cls->super_name() == "java/lang/Object" && cls->interfaces().empty())) {
      return;
    }
    constexpr unsigned kStatic = 0x0008, kPrivate = 0x0002;
    for (const auto& method : cls->methods()) {
      if ((method.access & (kStatic | kPrivate)) == 0 &&
          method.name != "<init>") {
        visit(name, method.name, method.descriptor);
      }
    }
  }

  void overriding(const Reference& ref) {
    const auto& cha = hierarchy();
    const auto owner = cha.find(matching_.worlds.names.intern(ref.owner));
    if (!owner) return;
    for (const auto& declared :
         cha.declarations(matching_.worlds.names.intern(ref.name),
                          matching_.worlds.names.intern(ref.descriptor))) {
      const ClassNode* below = cha.node(declared.type);
      if (below != nullptr && below->internal &&
          cha.is_subtype(declared.type, owner)) {
        visit(std::string(below->name), ref.name, ref.descriptor);
      }
    }
  }

  const std::set<std::string>& behind(const std::string& library) {
    const auto [at, fresh] = behind_.try_emplace(library);
    if (fresh) at->second = kept_behind(matching_, library);
    return at->second;
  }

  const jig::ClassHierarchy& hierarchy() {
    if (!hierarchy_) {
      std::vector<Name> internal;
      for (const auto& file : matching_.worlds.inputs.new_internal->classes()) {
        internal.push_back(matching_.worlds.names.intern(file.name));
      }
      std::sort(internal.begin(), internal.end());
      hierarchy_.emplace(matching_.worlds.new_world, internal,
                         matching_.worlds.pool);
    }
    return *hierarchy_;
  }

  void drain() {
    while (!todo_.empty()) {
      const Method m = std::move(todo_.front());
      todo_.pop_front();
      const ClassView* cls =
          matching_.new_view(matching_.worlds.names.intern(m.cls));
      if (cls == nullptr) continue;
      initializes_ = m.initializes;
      for (const auto& method : cls->methods()) {
        if (method.name != m.name || method.descriptor != m.descriptor) continue;
        for (const auto& ref : references_of(*cls, method)) {
          if (ref.is_static_field) {
            field(cls->name(), method.name, ref);
            read(ref);
          } else {
            call(ref);
          }
        }
      }
    }
    initializes_ = false;
  }

  const Matching& matching_;
  std::string cause_;
  bool initializes_ = false;
  std::set<Method> seen_;
  std::deque<Method> todo_;
  std::map<std::string, std::string> classes_;  // and why
  std::map<std::string, std::string> read_;
  std::map<std::string, std::set<std::string>> behind_;  // of a library's class
  std::optional<jig::ClassHierarchy> hierarchy_;
};

}  // namespace

void find_left_state(const Matching& matching, const Bodies& bodies,
                     Findings& findings) {
  if (!matching.worlds.inputs.facets_for_rows) return;
  LeftState state(matching);
  for (std::size_t i = 0; i < matching.changed.size(); ++i) {
    const ClassPair& pair = matching.changed[i];
    if (pair.forced || !pair.old_class.view || !pair.new_class.view) continue;
    state.changed(pair, bodies.of_changed[i]);
  }
  for (const Name name : matching.added) state.added(name);
  for (const auto* list : {&matching.external_changed, &matching.external_added}) {
    for (const Name name : *list) state.library(name);
  }
  for (const auto& [what, cause] : state.take_read()) {
    findings.newly_read.push_back({what, cause});
  }
  for (const auto& [subject, cause] : state.take()) {
    Delta d;
    d.rule = classfile::Rule::kD24;
    d.channel = classfile::Channel::kBody;
    d.entity = d.subject = subject;
    d.label = "static fields";
    d.old_fact = "what was left in them";
    d.new_fact = "what may be left in them now";
    d.why = "`" + cause + "` is new or changed and may leave something else "
            "in the static fields of `" + subject + "`";
    findings.facets.push_back(std::move(d));
  }
}

}  // namespace rejig::traversal
