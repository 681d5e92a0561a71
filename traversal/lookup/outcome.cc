// SPDX-License-Identifier: Apache-2.0
#include "traversal/lookup/outcome.h"

namespace rejig::traversal {

using classfile::MemberRef;
using classfile::Opcode;
using jig::ClassNode;
using jig::LinkError;
using jig::Name;
using jig::World;

namespace {

Outcome failed(LinkError error, std::string_view about) {
  Outcome out;
  out.error = true;
  out.text = "!" + std::string(jig::name_of(error));
  (void)about;
  return out;
}

Outcome unknown(Name name) {
  Outcome out;
  out.unknown = true;
  out.text = "?" + std::string(name);
  return out;
}

// What is not in the world may have the member; if not, this is it.
template <class Answer>
Outcome unknown(const World& world, Name owner, const Answer& found) {
  Outcome out = unknown(found.unknown);
  out.text += jig::rest_of(found) + '\t';
  for (const Name name : world.supers(owner).unknown) {
    out.text += std::string(name) + ' ';
  }
  return out;
}

// Empty when the class can be used from there.
Outcome check_class(const World& world, Name caller, Name owner,
                    const ClassNode** node) {
  *node = world.find(owner);
  if (*node == nullptr) return unknown(owner);
  if (!(*node)->readable()) return failed(LinkError::kClassFormat, owner);
  if (!jig::class_accessible(world, caller, **node)) {
    return failed(LinkError::kIllegalAccess, owner);
  }
  return {};
}

std::string side(const ClassNode& node) {
  return node.internal ? "" : "external ";
}

}  // namespace

Outcome field_outcome(const World& world, Name caller, bool caller_initializes,
                      Opcode op, const MemberRef& ref) {
  const ClassNode* node = nullptr;
  if (Outcome bad = check_class(world, caller, ref.owner, &node);
      !bad.text.empty()) {
    return bad;
  }
  const auto found =
      jig::resolve_field(world, ref.owner, ref.name, ref.descriptor);
  if (!found.unknown.empty()) return unknown(world, ref.owner, found);
  if (!found.found()) return failed(found.error, ref.name);
  const auto& field = *found.field;
  if (!jig::member_accessible(world, caller, ref.owner, *found.holder,
                              field.access)) {
    return failed(LinkError::kIllegalAccess, ref.name);
  }
  const bool static_op =
      op == Opcode::k_getstatic || op == Opcode::k_putstatic;
  if (static_op != field.is(classfile::kAccStatic)) {
    return failed(LinkError::kIncompatibleClassChange, ref.name);
  }
  const bool writes = op == Opcode::k_putfield || op == Opcode::k_putstatic;
  if (writes && field.is(classfile::kAccFinal)) {
    const ClassNode* from = world.find(caller);
    const bool strict = from != nullptr && from->readable() &&
                        from->shell->major >= 53;
    if (found.holder->name != caller || (strict && !caller_initializes)) {
      return failed(LinkError::kIllegalAccess, ref.name);
    }
  }
  Outcome out;
  out.holder = found.holder;
  out.field = found.field;
  out.text = side(*found.holder) + std::string(found.holder->name) + "." +
             std::string(field.name) + ":" + std::string(field.descriptor);
  return out;
}

Outcome call_outcome(const World& world, Name caller, Opcode op,
                     const MemberRef& ref) {
  const bool array = !ref.owner.empty() && ref.owner[0] == '[';
  const ClassNode* node = nullptr;
  if (!array) {
    if (Outcome bad = check_class(world, caller, ref.owner, &node);
        !bad.text.empty()) {
      return bad;
    }
  }
  const jig::MethodReference reference{ref.owner, ref.name, ref.descriptor,
                                       ref.interface};
  auto found = jig::resolve_method(world, reference);
  if (!found.unknown.empty()) {
    if (op == Opcode::k_invokespecial) {
      found = jig::resolve_special(world, caller, reference);
    }
    return unknown(world, array ? Name() : ref.owner, found);
  }
  if (!found.found()) return failed(found.error, ref.name);
  const bool of_array = array && ref.name == "clone";
  if (!jig::member_accessible(world, caller, ref.owner, *found.holder,
                              found.method->access, of_array)) {
    return failed(LinkError::kIllegalAccess, ref.name);
  }
  const bool is_static = found.method->is(classfile::kAccStatic);
  if (is_static != (op == Opcode::k_invokestatic)) {
    return failed(LinkError::kIncompatibleClassChange, ref.name);
  }
  if (ref.name == "<init>" && found.holder->name != ref.owner) {
    return failed(LinkError::kNoSuchMethod, ref.name);
  }
  Outcome out;
  if (op == Opcode::k_invokespecial && ref.name != "<init>") {
    found = jig::resolve_special(world, caller, reference);
    if (!found.unknown.empty()) return unknown(world, ref.owner, found);
    if (!found.found()) return failed(found.error, ref.name);
  }
  out.holder = found.holder;
  out.method = found.method;
  const bool by_receiver =
      op == Opcode::k_invokevirtual || op == Opcode::k_invokeinterface;
  if (by_receiver) {
    out.text = "by receiver";
    if (op == Opcode::k_invokeinterface &&
        found.holder->name == "java/lang/Object") {
      out.text = "by receiver of Object";
    }
    return out;
  }
  out.text = side(*found.holder) + std::string(found.holder->name) + "." +
             std::string(found.method->name) +
             std::string(found.method->descriptor);
  return out;
}

Outcome class_outcome(const World& world, Name caller, Name class_or_array,
                      bool instantiates) {
  const Name element = jig::element_class(class_or_array);
  Outcome out;
  if (element.empty()) {
    out.text = "primitive array";
    return out;
  }
  const ClassNode* node = nullptr;
  if (Outcome bad = check_class(world, caller, element, &node);
      !bad.text.empty()) {
    return bad;
  }
  const auto& shell = *node->shell;
  if (instantiates &&
      (shell.is(classfile::kAccAbstract) || shell.is_interface())) {
    return failed(LinkError::kInstantiation, element);
  }
  out.holder = node;
  out.text = side(*node) + std::string(element);
  return out;
}

}  // namespace rejig::traversal
