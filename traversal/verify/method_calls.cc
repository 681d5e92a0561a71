// SPDX-License-Identifier: Apache-2.0
// Fields, calls and constructors: what is used must be what the reference names,
// and a protected member of a superclass elsewhere is used on its own kind only.
#include <algorithm>

#include "classfile/reader/descriptor.h"
#include "traversal/verify/method_check.h"

namespace rejig::traversal::verify {

using classfile::MemberRef;

bool MethodCheck::may_use(const MemberRef& member, const Slot& on) {
  if (on.kind != Kind::kObject || on.type == cls_.name() ||
      !relations_.above(cls_.name(), member.owner) ||
      !relations_.is_protected_elsewhere(cls_.name(), member)) {
    return true;
  }
  if (on.array() && member.name == "clone") return true;
  return relations_.fits_class(on.type, cls_.name()) ||
         refuse("a protected member of another object");
}

bool MethodCheck::field(const Instruction& ins) {
  const auto member = cls_.pool().member(ins.index);
  const bool get =
      ins.op == Opcode::k_getfield || ins.op == Opcode::k_getstatic;
  const bool on_object =
      ins.op == Opcode::k_getfield || ins.op == Opcode::k_putfield;
  if (!get && !pop_descriptor(member.descriptor)) return false;
  if (on_object) {
    const bool unmade = !state_.stack.empty() &&
                        state_.stack.back().kind == Kind::kUnmadeThis;
    if (unmade && !get) {
      // Its own fields a constructor may write before it calls another one.
      const auto fields = cls_.fields();
      const bool own =
          member.owner == cls_.name() &&
          std::ranges::any_of(fields, [&](const auto& one) {
            return one.name == member.name &&
                   one.descriptor == member.descriptor;
          });
      if (!own) return refuse("a field of what is not made yet");
      state_.stack.pop_back();
    } else {
      Slot on;
      if (!pop_as(member.owner, &on) || !may_use(member, on)) return false;
    }
  }
  return !get || push_descriptor(member.descriptor);
}

bool MethodCheck::call(const Instruction& ins) {
  const auto member = cls_.pool().member(ins.index);
  if (!pop_arguments(member.descriptor)) return false;
  if (member.name == "<init>") {
    if (ins.op != Opcode::k_invokespecial) return refuse("calls <init>");
    return construct(member);
  }
  if (member.name.starts_with('<')) return refuse("calls <clinit>");
  if (ins.op == Opcode::k_invokespecial) {
    if (!special(member)) return false;
  } else if (ins.op != Opcode::k_invokestatic) {
    Slot on;
    if (!pop_as(member.owner, &on)) return false;
    if (ins.op == Opcode::k_invokevirtual && !may_use(member, on)) return false;
  }
  return push_descriptor(
      classfile::MethodDescriptor(member.descriptor).result_text());
}

// Of the class itself, a superclass, or an interface that it names.
bool MethodCheck::special(const MemberRef& member) {
  if (!relations_.fits_class(cls_.name(), member.owner)) {
    return refuse(std::string(member.owner) + " is no superclass");
  }
  if (member.interface && member.owner != cls_.name()) {
    const auto interfaces = cls_.interfaces();
    if (std::ranges::find(interfaces, member.owner) == interfaces.end()) {
      return refuse(std::string(member.owner) + " is no interface of its own");
    }
  }
  return pop_as(cls_.name());
}

bool MethodCheck::construct(const MemberRef& member) {
  Slot on;
  if (!pop_any(on)) return false;
  Slot now = object_slot(member.owner);
  if (on.kind == Kind::kUnmadeThis) {
    if (member.owner != cls_.name() && member.owner != cls_.super_name()) {
      return refuse("a constructor of neither this class nor the one above");
    }
    now = object_slot(cls_.name());
    unmade_this_ = false;
  } else if (on.kind == Kind::kUnmade) {
    classfile::InstructionReader reader(code_.code);
    reader.seek(on.pc);
    Instruction made_by;
    if (on.pc >= code_.code.size() || !reader.next(made_by) ||
        made_by.op != Opcode::k_new ||
        cls_.pool().text(made_by.index) != member.owner) {
      return refuse("a constructor of another class");
    }
    if (relations_.above(cls_.name(), member.owner) &&
        relations_.is_protected_elsewhere(cls_.name(), member)) {
      return refuse("a protected constructor");
    }
  } else {
    return refuse("a constructor of what is made");
  }
  for (auto* slots : {&state_.locals, &state_.stack}) {
    for (auto& slot : *slots) {
      if (slot == on) slot = now;
    }
  }
  locals_changed_ = true;
  return true;
}

}  // namespace rejig::traversal::verify
