// SPDX-License-Identifier: Apache-2.0
// A run that executes an instruction has taken one of the named edges into its
// straight line last: those are found backwards, through instructions that only
// flow on, up to the next decision. Safe because every way into the line is
// either such a decision or the method's entry.
#include "traversal/body/body_edges.h"

#include <algorithm>

namespace rejig::traversal {

using jig::MethodGraph;

namespace {

constexpr std::uint32_t kNowhere = MethodGraph::kNowhere;

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

BodyEdges::BodyEdges(const MethodGraph& part) : part_(part) {
  const auto steps = part.steps();
  const classfile::CodeView& code = part.code();
  ways_.reserve(steps.size() + code.handler_count);
  using Kind = EdgeName::Kind;
  const auto lead = [&](std::uint32_t to, Way way) {
    if (to >= steps.size()) return;
    way.to = to;
    ways_.push_back(way);
  };
  const auto decide = [&](std::uint32_t to, Kind kind, std::uint32_t at,
                          std::int32_t key = 0) {
    lead(to, {0, 0, true, {kind, at, key}});
  };
  const auto flow = [&](std::uint32_t to, std::uint32_t from) {
    lead(to, {0, from, false, {}});
  };
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const auto& x = steps[i];
    if (jig::is_jsr(x.op) || x.op == classfile::Opcode::k_ret) {
      subroutines_ = true;
    } else if (jig::is_condition(x.op)) {
      decide(x.target, Kind::kTrue, x.pc);
      decide(i + 1, Kind::kFalse, x.pc);
    } else if (jig::is_switch(x.op)) {
      for (const auto& one : part.cases(x)) {
        decide(one.target, Kind::kCase, x.pc, one.key);
      }
      decide(x.target, Kind::kDefault, x.pc);
    } else if (jig::is_goto(x.op)) {
      flow(x.target, i);
    } else if (jig::flows_on(x.op)) {
      flow(i + 1, i);
    }
  }
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    const auto pc = code.handler(i).at;
    decide(part.step_at(pc), Kind::kHandler, pc);
  }
  std::stable_sort(ways_.begin(), ways_.end(),
                   [](const Way& a, const Way& b) { return a.to < b.to; });
  first_.assign(steps.size() + 1, 0);
  for (const Way& way : ways_) ++first_[way.to + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

std::uint32_t BodyEdges::settle(std::uint32_t step) const {
  const auto steps = part_.steps();
  for (std::size_t n = 0; n <= steps.size() && step < steps.size(); ++n) {
    if (jig::is_goto(steps[step].op)) {
      step = steps[step].target;
    } else if (steps[step].op == classfile::Opcode::k_nop) {
      ++step;
    } else {
      break;
    }
  }
  return step;
}

bool BodyEdges::executed(std::uint32_t pc, std::vector<EdgeName>& out) const {
  const std::uint32_t start = part_.step_at(pc);
  if (subroutines_ || start == kNowhere) return false;
  std::vector<bool> seen(part_.steps().size(), false);
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
  const std::uint32_t i = part_.step_at(pc);
  if (subroutines_ || i == kNowhere) return false;
  const auto& x = part_.steps()[i];
  if (jig::is_condition(x.op) &&
      (label.kind == Kind::kTrue || label.kind == Kind::kFalse)) {
    out.push_back({label.kind == Kind::kTrue ? EdgeName::Kind::kTrue
                                             : EdgeName::Kind::kFalse,
                   pc, 0});
    return true;
  }
  const bool by_default = label.kind == Kind::kDefault;
  const bool by_key = label.kind == Kind::kCase;
  if (!jig::is_switch(x.op) || (!by_default && !by_key)) return executed(pc, out);
  bool known = false;
  for (const auto& one : part_.cases(x)) {
    // A comparison drops the keys that go where the default goes.
    const bool wanted = by_default ? settle(one.target) == settle(x.target)
                                   : one.key == label.key;
    if (!wanted) continue;
    known = true;
    out.push_back({EdgeName::Kind::kCase, pc, one.key});
  }
  if (by_default || !known) {
    out.push_back({EdgeName::Kind::kDefault, pc, 0});
  }
  return true;
}

}  // namespace rejig::traversal
