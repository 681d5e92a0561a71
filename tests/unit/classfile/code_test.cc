// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "classfile/reader/code.h"
#include "tests/support/class_builder.h"

namespace rejig::classfile {
namespace {

using test::ExactBytes;
using test::Out;

// The instructions of these bytes, which live as long: switches point into them.
struct Walk {
  explicit Walk(const Out& code) : bytes(code.str()) {
    InstructionReader reader(bytes.get());
    Instruction in;
    while (reader.next(in)) all.push_back(in);
    failed = reader.failed();
  }

  ExactBytes bytes;
  std::vector<Instruction> all;
  bool failed = false;
};

TEST(Opcodes, TableIsThatOfTheSpecification) {
  EXPECT_EQ(mnemonic(Opcode::k_nop), "nop");
  EXPECT_EQ(mnemonic(Opcode::k_new), "new");
  EXPECT_EQ(static_cast<int>(Opcode::k_new), 187);
  EXPECT_EQ(static_cast<int>(Opcode::k_iinc), 132);
  EXPECT_EQ(static_cast<int>(Opcode::k_invokedynamic), 186);
  EXPECT_EQ(static_cast<int>(Opcode::k_jsr_w), 201);
  EXPECT_EQ(mnemonic(static_cast<Opcode>(202)), "");
}

TEST(Opcodes, ShortLocals) {
  const auto check = [](Opcode op, Opcode base, unsigned slot) {
    const auto s = short_local(op);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->op, base);
    EXPECT_EQ(s->slot, slot);
  };
  check(Opcode::k_iload_0, Opcode::k_iload, 0);
  check(Opcode::k_dload_3, Opcode::k_dload, 3);
  check(Opcode::k_aload_1, Opcode::k_aload, 1);
  check(Opcode::k_lstore_2, Opcode::k_lstore, 2);
  check(Opcode::k_astore_3, Opcode::k_astore, 3);
  EXPECT_FALSE(short_local(Opcode::k_iload));
  EXPECT_FALSE(short_local(Opcode::k_iaload));
  EXPECT_FALSE(short_local(Opcode::k_iastore));
}

// Each opcode alone: how long is it, and does a cut one stay inside?
TEST(InstructionReader, LengthsOfAllOpcodes) {
  for (unsigned op = 0; op < 256; ++op) {
    std::size_t shortest = 0;
    for (std::size_t n = 1; n <= 16 && shortest == 0; ++n) {
      Out bytes;
      bytes.u1(op);
      // The operands of a switch at pc 0 begin at 4.
      while (bytes.size() < n) bytes.u1(0);
      if (op == 0xC4 && n > 1) {
        bytes = Out{0xC4, 0x15};
        while (bytes.size() < n) bytes.u1(0);
      }
      const Walk w(bytes);
      if (!w.failed && w.all.size() == 1) shortest = n;
    }
    if (op >= kOpcodes) {
      EXPECT_EQ(shortest, 0u) << op;
      continue;
    }
    std::size_t expected = 1;
    switch (operand_kind(static_cast<Opcode>(op))) {
      case OperandKind::k_none:
        break;
      case OperandKind::k_byte:
      case OperandKind::k_ldc:
      case OperandKind::k_slot:
      case OperandKind::k_primitive:
        expected = 2;
        break;
      case OperandKind::k_dims:
      case OperandKind::k_wide:
        expected = 4;
        break;
      case OperandKind::k_interface_call:
      case OperandKind::k_dynamic_call:
      case OperandKind::k_branch_w:
        expected = 5;
        break;
      case OperandKind::k_tableswitch:
        expected = 0;  // low 0 to high 0 has one row: 4 bytes more than 16
        break;
      case OperandKind::k_lookupswitch:
        expected = 12;
        break;
      default:
        expected = 3;
        break;
    }
    EXPECT_EQ(shortest, expected) << mnemonic(static_cast<Opcode>(op));
  }
}

TEST(InstructionReader, Operands) {
  const Walk w(
      Out{0x10, 0xFF, 0x11, 0x80, 0x00, 0x15, 200, 0x84, 1, 0xFE,
          0xC4, 0x15, 1, 0, 0xC4, 0x84, 1, 0, 0x80, 0, 0xA7, 0xFF, 0xFB,
          0xC8, 0, 0, 0, 5, 0xBC, 10, 0xC5, 0, 9, 2});
  EXPECT_FALSE(w.failed);
  ASSERT_EQ(w.all.size(), 10u);
  EXPECT_EQ(w.all[0].value, -1);
  EXPECT_EQ(w.all[1].value, -32768);
  EXPECT_EQ(w.all[2].index, 200);
  EXPECT_EQ(w.all[3].index, 1);
  EXPECT_EQ(w.all[3].value, -2);
  EXPECT_EQ(w.all[4].op, Opcode::k_iload);
  EXPECT_EQ(w.all[4].index, 256);
  EXPECT_EQ(w.all[4].length, 4u);
  EXPECT_EQ(w.all[5].op, Opcode::k_iinc);
  EXPECT_EQ(w.all[5].value, -32768);
  EXPECT_EQ(w.all[6].target, 15u);
  EXPECT_EQ(w.all[7].op, Opcode::k_goto_w);
  EXPECT_EQ(w.all[7].target, 28u);
  EXPECT_EQ(w.all[8].value, 10);
  EXPECT_EQ(w.all[9].index, 9);
  EXPECT_EQ(w.all[9].value, 2);
}

TEST(InstructionReader, Switches) {
  Out code{0x00, 0xAA, 0, 0};
  code.u4(31).u4(0x7FFFFFFE).u4(0x7FFFFFFF).u4(1).u4(2);
  code.u1(0xAB).raw(Out{0, 0, 0}).u4(7).u4(1).u4(0x80000000).u4(3);
  const Walk w(code);
  EXPECT_FALSE(w.failed);
  ASSERT_EQ(w.all.size(), 3u);
  const Instruction& table = w.all[1];
  EXPECT_EQ(table.cases, 2u);
  EXPECT_EQ(table.target, 32u);
  EXPECT_EQ(table.switch_key(0), 0x7FFFFFFE);
  EXPECT_EQ(table.switch_key(1), 0x7FFFFFFF);
  EXPECT_EQ(table.switch_target(1), 3u);
  const Instruction& lookup = w.all[2];
  EXPECT_EQ(lookup.pc, 24u);
  EXPECT_EQ(lookup.switch_key(0), INT32_MIN);
  EXPECT_EQ(lookup.switch_target(0), 27u);
}

TEST(InstructionReader, HostileSwitchesFail) {
  const auto table = [](std::uint32_t low, std::uint32_t high) {
    return Walk(Out{0xAA, 0, 0, 0}.u4(0).u4(low).u4(high).u4(0)).failed;
  };
  EXPECT_TRUE(table(1, 0));
  EXPECT_TRUE(table(0x80000000, 0x7FFFFFFF));
  EXPECT_TRUE(table(0, 0x7FFFFFFF));
  EXPECT_FALSE(table(5, 5));
  EXPECT_TRUE(Walk(Out{0xAB, 0, 0, 0}.u4(0).u4(0x7FFFFFFF)).failed);
  EXPECT_TRUE(Walk(Out{0xAB, 0, 0, 0}.u4(0).u4(0xFFFFFFFF)).failed);
}

}  // namespace
}  // namespace rejig::classfile
