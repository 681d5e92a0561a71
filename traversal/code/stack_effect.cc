// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/stack_effect.h"

#include "classfile/reader/descriptor.h"
#include "traversal/code/slot_relation.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::Opcode;
using classfile::Tag;

namespace {

using Effect = std::optional<StackEffect>;

StackEffect takes_gives(int takes, int gives) { return {takes, gives - takes}; }

int slots_of(std::string_view descriptor) {
  return static_cast<int>(classfile::type_of_descriptor(descriptor).slots());
}

StackEffect of_call(std::string_view descriptor, bool receiver) {
  const int takes = static_cast<int>(classfile::argument_slots(descriptor)) +
                    (receiver ? 1 : 0);
  const classfile::MethodDescriptor parts(descriptor);
  return takes_gives(takes, static_cast<int>(parts.result().slots()));
}

StackEffect of_field(Opcode op, std::string_view descriptor) {
  const int value = slots_of(descriptor);
  switch (op) {
    case Opcode::k_getstatic:
      return takes_gives(0, value);
    case Opcode::k_putstatic:
      return takes_gives(value, 0);
    case Opcode::k_getfield:
      return takes_gives(1, value);
    default:
      return takes_gives(value + 1, 0);
  }
}

bool is_wide_load(Opcode op) {
  return op == Opcode::k_lload || op == Opcode::k_dload;
}

Effect of_local(Opcode op) {
  if (is_store(op)) return takes_gives(is_wide_local(op) ? 2 : 1, 0);
  if (op == Opcode::k_ret) return std::nullopt;
  return takes_gives(0, is_wide_load(op) ? 2 : 1);
}

// From iadd on the types come as int, long, float, double.
bool is_wide_column(Opcode op, Opcode first) {
  return (static_cast<unsigned>(op) - static_cast<unsigned>(first)) % 2 != 0;
}

Effect of_plain(Opcode op) {
  auto in = [&](Opcode first, Opcode last) {
    return op >= first && op <= last;
  };
  if (in(Opcode::k_iadd, Opcode::k_drem)) {
    const int width = is_wide_column(op, Opcode::k_iadd) ? 2 : 1;
    return takes_gives(2 * width, width);
  }
  if (in(Opcode::k_ineg, Opcode::k_dneg)) {
    const int width = is_wide_column(op, Opcode::k_ineg) ? 2 : 1;
    return takes_gives(width, width);
  }
  if (in(Opcode::k_ishl, Opcode::k_lushr)) {
    const int width = is_wide_column(op, Opcode::k_ishl) ? 2 : 1;
    return takes_gives(width + 1, width);
  }
  if (in(Opcode::k_iand, Opcode::k_lxor)) {
    const int width = is_wide_column(op, Opcode::k_iand) ? 2 : 1;
    return takes_gives(2 * width, width);
  }
  switch (op) {
    case Opcode::k_aconst_null:
      return takes_gives(0, 1);
    case Opcode::k_iaload:
    case Opcode::k_faload:
    case Opcode::k_aaload:
    case Opcode::k_baload:
    case Opcode::k_caload:
    case Opcode::k_saload:
      return takes_gives(2, 1);
    case Opcode::k_laload:
    case Opcode::k_daload:
      return takes_gives(2, 2);
    case Opcode::k_iastore:
    case Opcode::k_fastore:
    case Opcode::k_aastore:
    case Opcode::k_bastore:
    case Opcode::k_castore:
    case Opcode::k_sastore:
      return takes_gives(3, 0);
    case Opcode::k_lastore:
    case Opcode::k_dastore:
      return takes_gives(4, 0);
    case Opcode::k_pop:
      return takes_gives(1, 0);
    case Opcode::k_pop2:
      return takes_gives(2, 0);
    case Opcode::k_dup:
      return takes_gives(1, 2);
    case Opcode::k_dup_x1:
      return takes_gives(2, 3);
    case Opcode::k_dup_x2:
      return takes_gives(3, 4);
    case Opcode::k_dup2:
      return takes_gives(2, 4);
    case Opcode::k_dup2_x1:
      return takes_gives(3, 5);
    case Opcode::k_dup2_x2:
      return takes_gives(4, 6);
    case Opcode::k_swap:
      return takes_gives(2, 2);
    case Opcode::k_i2f:
    case Opcode::k_f2i:
    case Opcode::k_i2b:
    case Opcode::k_i2c:
    case Opcode::k_i2s:
    case Opcode::k_arraylength:
      return takes_gives(1, 1);
    case Opcode::k_i2l:
    case Opcode::k_i2d:
    case Opcode::k_f2l:
    case Opcode::k_f2d:
      return takes_gives(1, 2);
    case Opcode::k_l2i:
    case Opcode::k_l2f:
    case Opcode::k_d2i:
    case Opcode::k_d2f:
      return takes_gives(2, 1);
    case Opcode::k_l2d:
    case Opcode::k_d2l:
      return takes_gives(2, 2);
    case Opcode::k_fcmpl:
    case Opcode::k_fcmpg:
      return takes_gives(2, 1);
    case Opcode::k_lcmp:
    case Opcode::k_dcmpl:
    case Opcode::k_dcmpg:
      return takes_gives(4, 1);
    default:
      return std::nullopt;
  }
}

}  // namespace

Effect plain_effect(Opcode op) { return of_plain(op); }

Effect stack_effect(const ClassView& cls, const BodyNode& node) {
  const auto& pool = cls.pool();
  switch (node.kind) {
    case NodeKind::kIntConst:
    case NodeKind::kFloatConst:
      return takes_gives(0, 1);
    case NodeKind::kLongConst:
    case NodeKind::kDoubleConst:
      return takes_gives(0, 2);
    case NodeKind::kPoolConst:
      return takes_gives(0, node.op == Opcode::k_ldc2_w ? 2 : 1);
    case NodeKind::kLocal:
      return of_local(node.op);
    case NodeKind::kIncrement:
    case NodeKind::kNop:
      return takes_gives(0, 0);
    case NodeKind::kField:
      return of_field(node.op, pool.member(node.index).descriptor);
    case NodeKind::kCall:
      return of_call(pool.member(node.index).descriptor,
                     node.op != Opcode::k_invokestatic);
    case NodeKind::kDynamic:
      return of_call(pool.dynamic(node.index).descriptor, false);
    case NodeKind::kType:
      if (node.op == Opcode::k_new) return takes_gives(0, 1);
      return takes_gives(node.op == Opcode::k_multianewarray ? node.value : 1,
                         1);
    case NodeKind::kPush:
      return takes_gives(1, 1);
    case NodeKind::kPlain:
      return of_plain(node.op);
    default:
      return std::nullopt;
  }
}

}  // namespace rejig::traversal
