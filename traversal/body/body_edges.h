// SPDX-License-Identifier: Apache-2.0
// Which control-flow edges of a method must a run have taken to come by this
// way? Names of edges as rows have them behind the '#' of an e: atom
// (coverage/FORMAT.md): they say what the class file says, by pcs, so they are
// good for exactly these bytes. Only edges that something decides have names;
// any other way is named by the decisions that lead to it last.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jig/graph/method_graph.h"

namespace rejig::traversal {

// "12T", "12F", "12=5", "12=*", "h40", "x".
struct EdgeName {
  enum class Kind : std::uint8_t {
    kTrue,
    kFalse,
    kCase,
    kDefault,
    kHandler,
    kUncaught,
  };
  Kind kind = Kind::kUncaught;
  std::uint32_t pc = 0;
  std::int32_t key = 0;

  std::string text() const;
};

// What the walk calls the way from one pair to the next.
struct WayLabel {
  enum class Kind : std::uint8_t {
    kNone,
    kEntry,
    kTrue,
    kFalse,
    kCase,       // key
    kNamedCase,  // text: of an enum's constant
    kDefault,
    kException,  // text: the type; empty: any
    kJsr,
    kRet,
  };
  Kind kind = Kind::kNone;
  std::int32_t key = 0;
  std::string_view name;

  // "T", "case 3", "exception java/io/X", ""
  std::string text() const;
};

class BodyEdges {
 public:
  // Borrows the part.
  explicit BodyEdges(const jig::MethodGraph& part);

  // Adds the ways out of the instruction at `pc` with that label; of one that
  // nothing decides: that it was executed. False: nothing less than the method's
  // entry says it.
  bool leaving(std::uint32_t pc, const WayLabel& label,
               std::vector<EdgeName>& out) const;
  bool executed(std::uint32_t pc, std::vector<EdgeName>& out) const;

 private:
  // Into an instruction.
  struct Way {
    std::uint32_t to = 0;
    std::uint32_t from = 0;  // step; of a decision: unused
    bool decided = false;
    EdgeName decision;  // not decided: flows on from there
  };
  // Where a jump to `step` goes on, through goto and nop.
  std::uint32_t settle(std::uint32_t step) const;

  const jig::MethodGraph& part_;
  std::vector<Way> ways_;             // sorted by `to`
  std::vector<std::uint32_t> first_;  // in ways_, by instruction
  bool subroutines_ = false;
};

}  // namespace rejig::traversal
