// SPDX-License-Identifier: Apache-2.0
// A run that executes an instruction has taken one of the named edges into its
// straight line last: those are found backwards, through instructions that only
// flow on, up to the next decision. Safe because every way into the line is
// either such a decision or the method's entry.
#include "traversal/body_edges.h"

#include <algorithm>
#include <charconv>

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

std::string at(std::uint32_t pc, std::string_view way) {
  return std::to_string(pc) + std::string(way);
}

std::string with_key(std::uint32_t pc, std::int32_t key) {
  return std::to_string(pc) + '=' + std::to_string(key);
}

constexpr std::uint32_t kNowhere = 0xffffffff;

}  // namespace

BodyEdges::BodyEdges(const CodeView& code) {
  classfile::InstructionReader reader(code.code);
  Instruction ins;
  while (reader.next(ins)) {
    pcs_.push_back(ins.pc);
    instructions_.push_back(ins);
  }
  into_.resize(pcs_.size());
  const auto lead = [&](std::uint32_t pc, Way way) {
    const auto index = index_of(pc);
    if (index != kNowhere) into_[index].push_back(std::move(way));
  };
  for (std::uint32_t i = 0; i < pcs_.size(); ++i) {
    const Instruction& x = instructions_[i];
    const std::uint32_t behind = x.pc + x.length;
    if (x.op == Opcode::k_jsr || x.op == Opcode::k_jsr_w ||
        x.op == Opcode::k_ret) {
      subroutines_ = true;
    } else if (is_condition(x.op)) {
      lead(x.target, {i, at(x.pc, "T")});
      lead(behind, {i, at(x.pc, "F")});
    } else if (x.is_switch()) {
      for (std::uint32_t k = 0; k < x.cases; ++k) {
        lead(x.switch_target(k), {i, with_key(x.pc, x.switch_key(k))});
      }
      lead(x.target, {i, at(x.pc, "=*")});
    } else if (x.op == Opcode::k_goto || x.op == Opcode::k_goto_w) {
      lead(x.target, {i, {}});
    } else if (flows_on(x.op)) {
      lead(behind, {i, {}});
    }
  }
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    const auto pc = code.handler(i).at;
    lead(pc, {0, handler(pc)});
  }
}

std::uint32_t BodyEdges::index_of(std::uint32_t pc) const {
  const auto found = std::lower_bound(pcs_.begin(), pcs_.end(), pc);
  return found == pcs_.end() || *found != pc
             ? kNowhere
             : static_cast<std::uint32_t>(found - pcs_.begin());
}

std::uint32_t BodyEdges::settle(std::uint32_t pc) const {
  for (std::size_t steps = 0; steps <= pcs_.size(); ++steps) {
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

std::string BodyEdges::handler(std::uint32_t pc) {
  return "h" + std::to_string(pc);
}

std::string BodyEdges::uncaught() { return "x"; }

bool BodyEdges::executed(std::uint32_t pc, std::set<std::string>& out) const {
  const std::uint32_t start = index_of(pc);
  if (subroutines_ || start == kNowhere) return false;
  std::vector<bool> seen(pcs_.size(), false);
  std::vector<std::uint32_t> todo = {start};
  seen[start] = true;
  while (!todo.empty()) {
    const std::uint32_t i = todo.back();
    todo.pop_back();
    if (i == 0) return false;  // the entry leads here
    for (const Way& way : into_[i]) {
      if (!way.decision.empty()) {
        out.insert(way.decision);
      } else if (!seen[way.from]) {
        seen[way.from] = true;
        todo.push_back(way.from);
      }
    }
  }
  return true;
}

bool BodyEdges::leaving(std::uint32_t pc, std::string_view label,
                        std::set<std::string>& out) const {
  const std::uint32_t i = index_of(pc);
  if (subroutines_ || i == kNowhere) return false;
  const Instruction& x = instructions_[i];
  if (is_condition(x.op) && (label == "T" || label == "F")) {
    out.insert(at(pc, label));
    return true;
  }
  constexpr std::string_view kCase = "case ";
  const bool by_default = label == "default";
  std::int32_t key = 0;
  if (label.starts_with(kCase)) label.remove_prefix(kCase.size());
  const auto end = label.data() + label.size();
  const auto number = std::from_chars(label.data(), end, key);
  const bool by_key = number.ec == std::errc() && number.ptr == end;
  if (!x.is_switch() || (!by_default && !by_key)) return executed(pc, out);
  bool known = false;
  for (std::uint32_t k = 0; k < x.cases; ++k) {
    // A comparison drops the keys that go where the default goes.
    const bool wanted =
        by_default ? settle(x.switch_target(k)) == settle(x.target)
                   : x.switch_key(k) == key;
    if (!wanted) continue;
    known = true;
    out.insert(with_key(pc, x.switch_key(k)));
  }
  if (by_default || !known) out.insert(at(pc, "=*"));
  return true;
}

}  // namespace rejig::traversal
