// SPDX-License-Identifier: Apache-2.0
// Which control-flow edges of a method must a run have taken to come by this
// way? Names of edges as rows have them behind the '#' of an e: atom
// (coverage/FORMAT.md): they say what the class file says, by pcs, so they are
// good for exactly these bytes. Only edges that something decides have names;
// any other way is named by the decisions that lead to it last.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/class_view.h"
#include "classfile/code.h"

namespace rejig::traversal {

class BodyEdges {
 public:
  explicit BodyEdges(const classfile::CodeView& code);

  // The ways out of the instruction at `pc` with that label: "T", "F",
  // "case 5", "default"; anything else: it was executed. False: nothing less
  // than the method's entry says it.
  bool leaving(std::uint32_t pc, std::string_view label,
               std::set<std::string>& out) const;
  bool executed(std::uint32_t pc, std::set<std::string>& out) const;
  static std::string handler(std::uint32_t pc);
  static std::string uncaught();

 private:
  struct Way {
    std::uint32_t from = 0;  // instruction; of a decision: unused
    std::string decision;    // empty: flows on from there
  };
  std::uint32_t index_of(std::uint32_t pc) const;
  // Where a jump to `pc` goes on, through goto and nop.
  std::uint32_t settle(std::uint32_t pc) const;

  std::vector<std::uint32_t> pcs_;
  std::vector<std::vector<Way>> into_;  // by instruction
  std::vector<classfile::Instruction> instructions_;
  bool subroutines_ = false;
};

}  // namespace rejig::traversal
