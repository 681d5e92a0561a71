// SPDX-License-Identifier: Apache-2.0
#include "jig/world/assert_prelude.h"

#include <array>

namespace rejig::jig {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::Opcode;

std::uint32_t assert_prelude_end(const ClassView& cls, const CodeView& code) {
  InstructionReader reader(code.code);
  std::array<Instruction, 7> ins;
  for (auto& one : ins) {
    if (!reader.next(one)) return 0;
  }
  const bool shape =
      (ins[0].op == Opcode::k_ldc || ins[0].op == Opcode::k_ldc_w) &&
      ins[1].op == Opcode::k_invokevirtual && ins[2].op == Opcode::k_ifne &&
      ins[3].op == Opcode::k_iconst_1 && ins[4].op == Opcode::k_goto &&
      ins[5].op == Opcode::k_iconst_0 && ins[6].op == Opcode::k_putstatic &&
      ins[2].target == ins[5].pc && ins[4].target == ins[6].pc;
  if (!shape) return 0;
  const auto& pool = cls.pool();
  if (pool.tag(ins[0].index) != classfile::Tag::kClass) return 0;
  const auto call = pool.member(ins[1].index);
  const auto field = pool.member(ins[6].index);
  if (call.owner != "java/lang/Class" ||
      call.name != "desiredAssertionStatus" ||
      field.name != "$assertionsDisabled" || field.owner != cls.name()) {
    return 0;
  }
  return ins[6].pc + ins[6].length;
}

bool is_only_assert_prelude(const ClassView& cls,
                            const classfile::MemberView& clinit) {
  const auto code = CodeView::of(cls, clinit);
  if (!code) return false;
  const std::uint32_t end = assert_prelude_end(cls, *code);
  return end != 0 && end + 1 == code->code.size() &&
         std::to_integer<unsigned>(code->code[end]) ==
             static_cast<unsigned>(Opcode::k_return);
}

}  // namespace rejig::jig
