// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/accessor.h"

#include <string>

#include "classfile/reader/descriptor.h"
#include "traversal/code/slot_relation.h"
#include "traversal/code/synthetic.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;

namespace {

Opcode load_of(const classfile::TypeView& type) {
  if (type.dimensions != 0) return Opcode::k_aload;
  switch (type.element) {
    case 'J':
      return Opcode::k_lload;
    case 'F':
      return Opcode::k_fload;
    case 'D':
      return Opcode::k_dload;
    case 'L':
      return Opcode::k_aload;
    default:
      return Opcode::k_iload;
  }
}

// Loads of all parameters, in order, `left_out` at the end not; the number of
// nodes, or 0.
std::size_t loads(const BodyGraph& body, bool receiver,
                  std::string_view parameters, std::size_t left_out) {
  std::size_t at = 0;
  unsigned slot = 0;
  auto load = [&](Opcode op, unsigned slots) {
    const auto nodes = body.nodes();
    const bool same = at < nodes.size() && nodes[at].kind == NodeKind::kLocal &&
                      nodes[at].op == op && nodes[at].index == slot;
    ++at;
    slot += slots;
    return same;
  };
  if (receiver && !load(Opcode::k_aload, 1)) return 0;
  std::vector<classfile::TypeView> types;
  for (std::size_t pos = 0; pos < parameters.size();) {
    types.push_back(classfile::next_type(parameters, pos));
    if (types.back().text.empty()) return 0;
  }
  if (types.size() < left_out) return 0;
  types.resize(types.size() - left_out);
  for (const auto& type : types) {
    if (!load(load_of(type), type.slots())) return 0;
  }
  return at;
}

std::string inside(std::string_view descriptor) {
  return std::string(classfile::MethodDescriptor(descriptor).parameters_text());
}

std::string result(std::string_view descriptor) {
  return std::string(classfile::MethodDescriptor(descriptor).result_text());
}

// The descriptor of an accessor for exactly this instruction.
std::string descriptor_for(Opcode op, const MemberRef& ref) {
  const std::string owner = "L" + std::string(ref.owner) + ";";
  const std::string type(ref.descriptor);
  switch (op) {
    case Opcode::k_getstatic:
      return "()" + type;
    case Opcode::k_getfield:
      return "(" + owner + ")" + type;
    case Opcode::k_putstatic:
      return "(" + type + ")" + type;
    case Opcode::k_putfield:
      return "(" + owner + type + ")" + type;
    case Opcode::k_invokestatic:
      return type;
    default:
      return "(" + owner + inside(type) + ")" + result(type);
  }
}

bool is_return(Opcode op) {
  return op >= Opcode::k_ireturn && op <= Opcode::k_return;
}

// The body, if nothing catches in it.
bool plain_body(const ClassView& cls, const MemberView& method,
                BodyGraph& body) {
  const auto code = CodeView::of(cls, method);
  return code && code->handler_count == 0 && body.build(cls, *code);
}

}  // namespace

std::optional<AccessorBody> accessor_body(const ClassView& cls,
                                          const MemberView& method) {
  BodyGraph body;
  // A private one no other class can call.
  if (!is_accessor(method) || method.is(classfile::kAccSynchronized) ||
      method.is(classfile::kAccPrivate) ||
      !plain_body(cls, method, body)) {
    return std::nullopt;
  }
  const auto nodes = body.nodes();
  const std::string parameters = inside(method.descriptor);
  std::size_t at = loads(body, false, parameters, 0);
  if (at == 0 && !parameters.empty()) return std::nullopt;
  AccessorBody out;
  if (at < nodes.size() && nodes[at].kind == NodeKind::kPlain) {
    const Opcode op = nodes[at].op;
    out.returns_what_it_stores =
        op == Opcode::k_dup || op == Opcode::k_dup_x1 || op == Opcode::k_dup2 ||
        op == Opcode::k_dup2_x1;
    if (!out.returns_what_it_stores) return std::nullopt;
    ++at;
  }
  if (at + 2 != nodes.size() || !is_return(nodes[at + 1].op)) {
    return std::nullopt;
  }
  const BodyNode& does = nodes[at];
  if (does.kind != NodeKind::kField && does.kind != NodeKind::kCall) {
    return std::nullopt;
  }
  out.op = does.op;
  out.ref = cls.pool().member(does.index);
  const bool stores =
      out.op == Opcode::k_putfield || out.op == Opcode::k_putstatic;
  if (stores != out.returns_what_it_stores || out.ref.owner != cls.name() ||
      descriptor_for(out.op, out.ref) != method.descriptor) {
    return std::nullopt;
  }
  if (stores) {
    const bool wide =
        classfile::type_of_descriptor(out.ref.descriptor).slots() == 2;
    const bool below = out.op == Opcode::k_putfield;
    const Opcode dup = wide ? (below ? Opcode::k_dup2_x1 : Opcode::k_dup2)
                            : (below ? Opcode::k_dup_x1 : Opcode::k_dup);
    if (nodes[at - 1].op != dup) return std::nullopt;
  }
  return out;
}

std::optional<AccessorBody> constructor_body(const ClassView& cls,
                                             const MemberView& method) {
  BodyGraph body;
  if (method.name != "<init>" || !method.is(classfile::kAccSynthetic) ||
      method.is(classfile::kAccPrivate) ||
      !plain_body(cls, method, body)) {
    return std::nullopt;
  }
  const auto nodes = body.nodes();
  const std::size_t at = loads(body, true, inside(method.descriptor), 1);
  if (at == 0 || at + 2 != nodes.size() ||
      nodes[at].op != Opcode::k_invokespecial ||
      nodes[at + 1].op != Opcode::k_return) {
    return std::nullopt;
  }
  AccessorBody out;
  out.op = nodes[at].op;
  out.ref = cls.pool().member(nodes[at].index);
  const std::string all = inside(method.descriptor);
  const std::string passed = inside(out.ref.descriptor);
  if (out.ref.owner != cls.name() || out.ref.name != "<init>" ||
      !all.starts_with(passed)) {
    return std::nullopt;
  }
  std::size_t pos = passed.size();
  const auto dummy = classfile::next_type(all, pos);
  if (dummy.element != 'L' || dummy.dimensions != 0 || pos != all.size()) {
    return std::nullopt;
  }
  return out;
}

}  // namespace rejig::traversal
