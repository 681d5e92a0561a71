// SPDX-License-Identifier: Apache-2.0
#include "traversal/body/body_bytes.h"

#include <algorithm>

#include "traversal/code/enum_values.h"

namespace rejig::traversal {

using classfile::CodeView;
using classfile::MemberRef;
using classfile::Opcode;

bool SameBytes::bodies(const CodeView& a, const CodeView& b,
                       std::uint32_t start) {
  if (a.code.size() != b.code.size() || a.handler_count != b.handler_count) {
    return false;
  }
  const auto& old_pool = old_class.pool();
  const auto& new_pool = new_class.pool();
  for (std::uint16_t i = 0; i < a.handler_count; ++i) {
    const auto x = a.handler(i);
    const auto y = b.handler(i);
    if (x.start != y.start || x.end != y.end || x.at != y.at ||
        (x.type == 0) != (y.type == 0) ||
        (x.type != 0 &&
         !renaming.same_class(old_pool.text(x.type), new_pool.text(y.type)))) {
      return false;
    }
  }
  classfile::InstructionReader old_reader(a.code);
  classfile::InstructionReader new_reader(b.code);
  classfile::Instruction x;
  classfile::Instruction y;
  while (old_reader.next(x)) {
    if (!new_reader.next(y) || x.op != y.op || x.length != y.length) {
      return false;
    }
    if (x.pc < start) continue;
    if (!operands(a, b, x, y)) return false;
  }
  return !old_reader.failed() && !new_reader.next(y);
}

bool SameBytes::operands_at(const CodeView& a, const CodeView& b,
                            std::uint32_t pc) {
  classfile::InstructionReader old_reader(a.code);
  classfile::InstructionReader new_reader(b.code);
  old_reader.seek(pc);
  new_reader.seek(pc);
  classfile::Instruction x;
  classfile::Instruction y;
  return old_reader.next(x) && new_reader.next(y) && x.op == y.op &&
         pool_operands(a, b, x, y);
}

bool SameBytes::operands(const CodeView& a, const CodeView& b,
                         const classfile::Instruction& x,
                         const classfile::Instruction& y) {
  const bool by_index =
      (x.op >= Opcode::k_getstatic && x.op <= Opcode::k_invokeinterface) ||
      x.op == Opcode::k_new || x.op == Opcode::k_anewarray ||
      x.op == Opcode::k_checkcast || x.op == Opcode::k_instanceof;
  if (pairs == nullptr || !by_index) return pool_operands(a, b, x, y);
  if (pairs->known(x.index, y.index)) return true;
  if (!pool_operands(a, b, x, y)) return false;
  pairs->note(x.index, y.index);
  return true;
}

// Of one opcode, as those below.
bool SameBytes::same_call(const MemberRef& a, const MemberRef& b) {
  if (a.name == kValuesHelper) return false;
  if (a.name.starts_with("access$") || b.name.starts_with("access$")) {
    return a.name.starts_with("access$") && b.name.starts_with("access$") &&
           renaming.same_class(a.owner, b.owner) &&
           renaming.same_descriptor(a.descriptor, b.descriptor) &&
           context.same_accessor(a, b);
  }
  return constants.same_member(a, b);
}

bool SameBytes::same_field(Opcode op, const MemberRef& a, const MemberRef& b) {
  if (!a.name.starts_with("$SwitchMap$")) return constants.same_member(a, b);
  const auto maps = context.switch_maps(a, b);
  // Tables that nobody knows (R8 makes others) are fields as any other: what
  // fills them is compared where it stands.
  if (maps.of_old == nullptr && maps.of_new == nullptr) {
    return constants.same_member(a, b);
  }
  return op == Opcode::k_getstatic && maps.of_old != nullptr &&
         maps.of_new != nullptr && *maps.of_old == *maps.of_new;
}

bool SameBytes::pool_operands(const CodeView& a, const CodeView& b,
                              const classfile::Instruction& x,
                              const classfile::Instruction& y) {
  const auto& old_pool = old_class.pool();
  const auto& new_pool = new_class.pool();
  switch (x.op) {
    case Opcode::k_ldc:
    case Opcode::k_ldc_w:
    case Opcode::k_ldc2_w:
      return constants.same_constant(x.index, y.index);
    case Opcode::k_getstatic:
    case Opcode::k_putstatic:
    case Opcode::k_getfield:
    case Opcode::k_putfield:
      return same_field(x.op, old_pool.member(x.index),
                        new_pool.member(y.index));
    case Opcode::k_invokevirtual:
    case Opcode::k_invokespecial:
    case Opcode::k_invokestatic:
    case Opcode::k_invokeinterface:
      return same_call(old_pool.member(x.index), new_pool.member(y.index));
    case Opcode::k_invokedynamic:
      return constants.same_call_site(x.index, y.index, lambdas);
    case Opcode::k_new:
    case Opcode::k_anewarray:
    case Opcode::k_checkcast:
    case Opcode::k_instanceof:
    case Opcode::k_multianewarray:
      return x.value == y.value && renaming.same_class(old_pool.text(x.index),
                                                       new_pool.text(y.index));
    default: {
      const auto of_old = a.code.subspan(x.pc, x.length);
      const auto of_new = b.code.subspan(y.pc, y.length);
      return std::equal(of_old.begin(), of_old.end(), of_new.begin());
    }
  }
}

}  // namespace rejig::traversal
