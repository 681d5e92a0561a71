// SPDX-License-Identifier: Apache-2.0
// A run that executes an instruction has taken one of the named edges into its
// straight line last: those are found backwards, through instructions that only
// flow on, up to the next decision. Safe because every way into the line is
// either such a decision or the method's entry.
#include "traversal/body/body_edges.h"

#include <algorithm>

namespace rejig::traversal {

using classfile::CodeView;
using classfile::Instruction;
using classfile::Opcode;

namespace {

bool is_condition(Opcode op) {
  return (op >= Opcode::k_ifeq && op <= Opcode::k_if_acmpne) ||
         op == Opcode::k_ifnull || op == Opcode::k_ifnonnull;
}

bool flows_on(Opcode op) {
  return op != Opcode::k_goto && op != Opcode::k_goto_w &&
         op != Opcode::k_athrow && op != Opcode::k_ret &&
         (op < Opcode::k_ireturn || op > Opcode::k_return);
}

constexpr std::uint32_t kNowhere = 0xffffffff;

}  // namespace

std::string EdgeName::text() const {
  const std::string at = std::to_string(pc);
  switch (kind) {
    case Kind::kTrue:
      return at + 'T';
    case Kind::kFalse:
      return at + 'F';
    case Kind::kCase:
      return at + '=' + std::to_string(key);
    case Kind::kDefault:
      return at + "=*";
    case Kind::kHandler:
      return 'h' + at;
    case Kind::kUncaught:
      break;
  }
  return "x";
}

std::string WayLabel::text() const {
  switch (kind) {
    case Kind::kTrue:
      return "T";
    case Kind::kFalse:
      return "F";
    case Kind::kCase:
      return "case " + std::to_string(key);
    case Kind::kNamedCase:
      return "case " + std::string(name);
    case Kind::kDefault:
      return "default";
    case Kind::kException:
      return "exception " + (name.empty() ? "any" : std::string(name));
    case Kind::kJsr:
      return "jsr";
    case Kind::kRet:
      return "ret";
    case Kind::kNone:
    case Kind::kEntry:
      break;
  }
  return {};
}

BodyEdges::BodyEdges(const CodeView& code) {
  classfile::InstructionReader reader(code.code);
  Instruction ins;
  while (reader.next(ins)) instructions_.push_back(ins);
  ways_.reserve(instructions_.size() + code.handler_count);
  using Kind = EdgeName::Kind;
  const auto lead = [&](std::uint32_t pc, const Way& way) {
    const auto index = index_of(pc);
    if (index == kNowhere) return;
    ways_.push_back(way);
    ways_.back().to = index;
  };
  const auto decide = [&](std::uint32_t pc, Kind kind, std::uint32_t at,
                          std::int32_t key = 0) {
    lead(pc, {0, 0, true, {kind, at, key}});
  };
  const auto flow = [&](std::uint32_t pc, std::uint32_t from) {
    lead(pc, {0, from, false, {}});
  };
  for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& x = instructions_[i];
    const std::uint32_t behind = x.pc + x.length;
    if (x.op == Opcode::k_jsr || x.op == Opcode::k_jsr_w ||
        x.op == Opcode::k_ret) {
      subroutines_ = true;
    } else if (is_condition(x.op)) {
      decide(x.target, Kind::kTrue, x.pc);
      decide(behind, Kind::kFalse, x.pc);
    } else if (x.is_switch()) {
      for (std::uint32_t k = 0; k < x.cases; ++k) {
        decide(x.switch_target(k), Kind::kCase, x.pc, x.switch_key(k));
      }
      decide(x.target, Kind::kDefault, x.pc);
    } else if (x.op == Opcode::k_goto || x.op == Opcode::k_goto_w) {
      flow(x.target, i);
    } else if (flows_on(x.op)) {
      flow(behind, i);
    }
  }
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    const auto pc = code.handler(i).at;
    decide(pc, Kind::kHandler, pc);
  }
  std::stable_sort(ways_.begin(), ways_.end(),
                   [](const Way& a, const Way& b) { return a.to < b.to; });
  first_.assign(instructions_.size() + 1, 0);
  for (const Way& way : ways_) ++first_[way.to + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

std::uint32_t BodyEdges::index_of(std::uint32_t pc) const {
  const auto found =
      std::ranges::lower_bound(instructions_, pc, {}, &Instruction::pc);
  return found == instructions_.end() || found->pc != pc
             ? kNowhere
             : static_cast<std::uint32_t>(found - instructions_.begin());
}

std::uint32_t BodyEdges::settle(std::uint32_t pc) const {
  for (std::size_t steps = 0; steps <= instructions_.size(); ++steps) {
    const auto i = index_of(pc);
    if (i == kNowhere) return pc;
    const Instruction& x = instructions_[i];
    if (x.op == Opcode::k_goto || x.op == Opcode::k_goto_w) {
      pc = x.target;
    } else if (x.op == Opcode::k_nop) {
      pc += x.length;
    } else {
      return pc;
    }
  }
  return pc;
}

bool BodyEdges::executed(std::uint32_t pc, std::vector<EdgeName>& out) const {
  const std::uint32_t start = index_of(pc);
  if (subroutines_ || start == kNowhere) return false;
  std::vector<bool> seen(instructions_.size(), false);
  std::vector<std::uint32_t> todo = {start};
  seen[start] = true;
  while (!todo.empty()) {
    const std::uint32_t i = todo.back();
    todo.pop_back();
    if (i == 0) return false;  // the entry leads here
    for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k) {
      const Way& way = ways_[k];
      if (way.decided) {
        out.push_back(way.decision);
      } else if (!seen[way.from]) {
        seen[way.from] = true;
        todo.push_back(way.from);
      }
    }
  }
  return true;
}

bool BodyEdges::leaving(std::uint32_t pc, const WayLabel& label,
                        std::vector<EdgeName>& out) const {
  using Kind = WayLabel::Kind;
  const std::uint32_t i = index_of(pc);
  if (subroutines_ || i == kNowhere) return false;
  const Instruction& x = instructions_[i];
  if (is_condition(x.op) &&
      (label.kind == Kind::kTrue || label.kind == Kind::kFalse)) {
    out.push_back({label.kind == Kind::kTrue ? EdgeName::Kind::kTrue
                                             : EdgeName::Kind::kFalse,
                   pc, 0});
    return true;
  }
  const bool by_default = label.kind == Kind::kDefault;
  const bool by_key = label.kind == Kind::kCase;
  if (!x.is_switch() || (!by_default && !by_key)) return executed(pc, out);
  bool known = false;
  for (std::uint32_t k = 0; k < x.cases; ++k) {
    // A comparison drops the keys that go where the default goes.
    const bool wanted =
        by_default ? settle(x.switch_target(k)) == settle(x.target)
                   : x.switch_key(k) == label.key;
    if (!wanted) continue;
    known = true;
    out.push_back({EdgeName::Kind::kCase, pc, x.switch_key(k)});
  }
  if (by_default || !known) {
    out.push_back({EdgeName::Kind::kDefault, pc, 0});
  }
  return true;
}

}  // namespace rejig::traversal
