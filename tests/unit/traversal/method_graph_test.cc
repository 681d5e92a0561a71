// SPDX-License-Identifier: Apache-2.0
// Parts of the graph against the class file: what is worked out by a sweep or in
// one pass here is asked row by row and instruction by instruction there, over
// every method of a real program and over a table that no compiler writes.
#include "jig/graph/method_graph.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "classfile/program/program.h"
#include "tests/support/class_builder.h"
#include "tests/unit/traversal/worlds.h"

namespace rejig::test {
namespace {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using jig::MethodGraph;

// The rows that cover a pc, in order, up to the first that catches anything.
std::vector<std::uint16_t> rows_of(const CodeView& code, std::uint32_t pc) {
  std::vector<std::uint16_t> out;
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    const auto row = code.handler(i);
    if (pc < row.start || pc >= row.end) continue;
    out.push_back(i);
    if (row.type == 0) break;
  }
  return out;
}

// Pcs that something else than the instruction before them leads to, or where
// the table has a border.
std::set<std::uint32_t> borders_of(const CodeView& code) {
  std::set<std::uint32_t> out = {0};
  InstructionReader reader(code.code);
  Instruction ins;
  while (reader.next(ins)) {
    const auto kind = classfile::operand_kind(ins.op);
    if (kind == classfile::OperandKind::k_branch ||
        kind == classfile::OperandKind::k_branch_w || ins.is_switch()) {
      out.insert(ins.target);
    }
    for (std::uint32_t i = 0; ins.is_switch() && i < ins.cases; ++i) {
      out.insert(ins.switch_target(i));
    }
  }
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    const auto row = code.handler(i);
    for (const std::uint32_t pc : {row.start, row.end, row.at}) out.insert(pc);
  }
  return out;
}

// The number of steps.
std::size_t check(MethodGraph& part, const ClassView& cls,
                  const CodeView& code) {
  EXPECT_TRUE(part.read(cls, code));
  EXPECT_TRUE(part.read_covers());
  part.find_runs();
  const auto steps = part.steps();
  InstructionReader reader(code.code);
  Instruction ins;
  std::size_t n = 0;
  while (reader.next(ins)) {
    EXPECT_LT(n, steps.size());
    if (n >= steps.size()) return n;
    const auto& step = steps[n];
    EXPECT_EQ(step.pc, ins.pc);
    EXPECT_EQ(step.op, ins.op);
    EXPECT_EQ(step.index, ins.index);
    EXPECT_EQ(step.value, ins.value);
    EXPECT_EQ(part.step_at(ins.pc), n);
    const auto kind = classfile::operand_kind(ins.op);
    if (kind == classfile::OperandKind::k_branch ||
        kind == classfile::OperandKind::k_branch_w || ins.is_switch()) {
      EXPECT_EQ(steps[step.target].pc, ins.target);
    }
    EXPECT_EQ(part.cases(step).size(), ins.cases);
    for (std::uint32_t i = 0; i < ins.cases; ++i) {
      EXPECT_EQ(part.cases(step)[i].key, ins.switch_key(i));
      EXPECT_EQ(steps[part.cases(step)[i].target].pc, ins.switch_target(i));
    }
    const auto rows = part.rows_at(ins.pc);
    EXPECT_EQ(std::vector<std::uint16_t>(rows.begin(), rows.end()),
              rows_of(code, ins.pc));
    ++n;
  }
  EXPECT_EQ(n, steps.size());
  // Runs: every step in one, no border inside, nothing behind a question.
  const auto borders = borders_of(code);
  std::uint32_t next = 0;
  for (const auto& run : part.runs()) {
    EXPECT_EQ(run.begin, next);
    EXPECT_EQ(&part.runs()[part.run_at(run.begin)], &run);
    bool throws = false;
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      throws = throws || part.can_throw(steps[i]);
      if (i != run.begin) {
        EXPECT_FALSE(borders.contains(steps[i].pc));
      }
      if (i + 1 < run.end) {
        EXPECT_FALSE(part.asks(steps[i]));
        EXPECT_TRUE(jig::flows_on(steps[i].op));
      }
    }
    EXPECT_EQ(run.throws, throws);
    next = run.end;
  }
  EXPECT_EQ(next, steps.size());
  return n;
}

TEST(MethodGraph, OfARealProgramIsWhatItsClassFilesSay) {
  base::Diagnostics diagnostics;
  const auto program = classfile::Program::load(
      {artifact("agent", "junit-platform-console-standalone-1.10.5.jar")},
      {}, diagnostics);
  ASSERT_TRUE(program.ok());
  MethodGraph part;
  std::size_t steps = 0;
  std::size_t covered = 0;
  for (const auto& file : program->classes()) {
    base::Buffer buffer;
    const auto bytes = program->read(file, buffer);
    ASSERT_TRUE(bytes.ok());
    const auto cls = ClassView::parse(*bytes, std::string(file.name));
    ASSERT_TRUE(cls.ok());
    for (const auto& method : cls->methods()) {
      const auto code = CodeView::of(*cls, method);
      if (!code) continue;
      steps += check(part, *cls, *code);
      covered += part.covers().size();
    }
    if (::testing::Test::HasFailure()) FAIL() << file.name;
  }
  EXPECT_GT(steps, 100'000u);
  EXPECT_GT(covered, 1'000u);
}

// Rows that overlap, hide each other, are repeated, and catch anything early.
TEST(MethodGraph, RowsThatNoCompilerWrites) {
  ClassBuilder b("t/T");
  Out code;
  for (int i = 0; i < 12; ++i) code.u1(0x00);  // nop
  code.u1(0x6c).u1(0xb1);                      // idiv, return
  const std::vector<BuiltHandler> table = {
      {4, 12, 13, b.cls("java/lang/Error")}, {0, 8, 13, 0},
      {4, 12, 12, b.cls("java/lang/Error")}, {2, 10, 13, 0},
      {0, 14, 0, b.cls("java/lang/Exception")},
  };
  b.add_code(code, 4, 4, table, {}, "m", "()V");
  const std::string text = b.build();
  const auto cls = ClassView::parse(std::as_bytes(std::span(text)), "T.class");
  ASSERT_TRUE(cls.ok()) << cls.error().what;
  const auto view = CodeView::of(*cls, cls->methods().front());
  ASSERT_TRUE(view);
  MethodGraph part;
  EXPECT_EQ(check(part, *cls, *view), 14u);
}

}  // namespace
}  // namespace rejig::test
