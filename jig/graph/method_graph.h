// SPDX-License-Identifier: Apache-2.0
// Which ways can one method go, and what does it ask the JVM on them? The part of
// the Java Interclass Graph that lies inside a method, read from the bytecode
// once: steps (instructions with the steps they jump to), the rows of the
// exception table that cover each of them, and straight runs with one handler
// list, one successor a label and at most one question. graph_code.cc makes
// nodes and edges of all parts of a program; a comparison makes those in doubt
// and looks at them through a view of its own (traversal/code/body_graph.h).
// Steps are read by read(); covers and runs are worked out when asked for. An
// object may read one method after the other and keeps its memory. It borrows
// the class's bytes. What is malformed or beyond the bounds is a no, never a
// part with less in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"

namespace rejig::jig {

constexpr bool is_between(classfile::Opcode op, classfile::Opcode first,
                          classfile::Opcode last) {
  return op >= first && op <= last;
}
constexpr bool is_return(classfile::Opcode op) {
  using enum classfile::Opcode;
  return is_between(op, k_ireturn, k_return);
}
constexpr bool is_goto(classfile::Opcode op) {
  using enum classfile::Opcode;
  return op == k_goto || op == k_goto_w;
}
constexpr bool is_jsr(classfile::Opcode op) {
  using enum classfile::Opcode;
  return op == k_jsr || op == k_jsr_w;
}
constexpr bool is_condition(classfile::Opcode op) {
  using enum classfile::Opcode;
  return is_between(op, k_ifeq, k_if_acmpne) || op == k_ifnull ||
         op == k_ifnonnull;
}
constexpr bool is_switch(classfile::Opcode op) {
  using enum classfile::Opcode;
  return op == k_tableswitch || op == k_lookupswitch;
}
constexpr bool is_call(classfile::Opcode op) {
  using enum classfile::Opcode;
  return is_between(op, k_invokevirtual, k_invokedynamic);
}
constexpr bool is_field_access(classfile::Opcode op) {
  using enum classfile::Opcode;
  return is_between(op, k_getstatic, k_putfield);
}
constexpr bool is_ldc(classfile::Opcode op) {
  using enum classfile::Opcode;
  return is_between(op, k_ldc, k_ldc2_w);
}
constexpr bool names_a_type(classfile::Opcode op) {
  using enum classfile::Opcode;
  return op == k_new || op == k_anewarray || op == k_checkcast ||
         op == k_instanceof || op == k_multianewarray;
}
// Of itself, whatever it asks. A return may, too, where monitors are held
// (JVMS §2.11.10); the graph leaves that out, a comparison of bodies does not.
constexpr bool computes_and_throws(classfile::Opcode op) {
  using enum classfile::Opcode;
  switch (op) {
    case k_idiv:
    case k_ldiv:
    case k_irem:
    case k_lrem:
    case k_newarray:
    case k_arraylength:
    case k_athrow:
    case k_monitorenter:
    case k_monitorexit:
      return true;
    default:
      return is_between(op, k_iaload, k_saload) ||
             is_between(op, k_iastore, k_sastore);
  }
}
constexpr bool flows_on(classfile::Opcode op) {
  using enum classfile::Opcode;
  return !is_goto(op) && !is_switch(op) && !is_return(op) && op != k_athrow &&
         op != k_ret;
}

class MethodGraph {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  struct Step {
    std::uint32_t pc = 0;
    classfile::Opcode op = classfile::Opcode{};
    std::uint16_t index = 0;  // as in classfile::Instruction
    std::int32_t value = 0;
    std::uint32_t target = 0;  // the step jumped to; of a switch, the default
    std::uint32_t cases_begin = 0;  // of a switch: among cases()
    std::uint32_t cases_end = 0;
  };
  struct Case {
    std::int32_t key = 0;
    std::uint32_t target = 0;  // step
  };
  struct Run {
    std::uint32_t begin = 0;  // steps; the last one may ask or jump
    std::uint32_t end = 0;
    bool throws = false;
  };

  // False: malformed. The rows of a switch are as the class file has them.
  bool read(const classfile::ClassView& cls, const classfile::CodeView& code);
  // Both after read(). False: more rows than anybody should look at.
  bool read_covers();
  void find_runs();

  const classfile::ClassView& cls() const { return *cls_; }
  const classfile::CodeView& code() const { return code_; }
  std::span<const Step> steps() const { return steps_; }
  std::span<const Case> cases(const Step& step) const {
    return std::span(cases_).subspan(step.cases_begin,
                                     step.cases_end - step.cases_begin);
  }
  // kNowhere: no instruction begins there.
  std::uint32_t step_at(std::uint32_t pc) const {
    return pc < step_of_.size() ? step_of_[pc] : kNowhere;
  }
  const classfile::Handler& handler(std::uint16_t row) const {
    return table_[row];
  }
  std::span<const classfile::Handler> handlers() const { return table_; }

  // Where other rows cover the code from `pc` on, up to the next cover: the
  // first row that catches anything is the last one.
  struct Cover {
    std::uint32_t pc = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::span<const Cover> covers() const { return covers_; }
  std::span<const std::uint16_t> rows(const Cover& cover) const {
    return std::span(rows_).subspan(cover.begin, cover.end - cover.begin);
  }
  std::span<const std::uint16_t> rows_at(std::uint32_t pc) const;

  std::span<const Run> runs() const { return runs_; }
  std::uint32_t run_at(std::uint32_t step) const { return run_of_[step]; }

  // Does it ask the JVM for a member, a type, or a call site?
  bool asks(const Step& step) const;
  bool can_throw(const Step& step) const {
    return computes_and_throws(step.op) || asks(step);
  }

 private:
  bool ends_run(const Step& step) const {
    return asks(step) || is_condition(step.op) || is_jsr(step.op) ||
           !flows_on(step.op);
  }

  const classfile::ClassView* cls_ = nullptr;
  classfile::CodeView code_;
  std::vector<Step> steps_;
  std::vector<Case> cases_;
  std::vector<std::uint32_t> step_of_;  // by pc
  std::vector<classfile::Handler> table_;
  std::vector<Cover> covers_;
  std::vector<std::uint16_t> rows_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_of_;  // by step: where a run begins
};

}  // namespace rejig::jig
