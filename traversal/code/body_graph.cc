// SPDX-License-Identifier: Apache-2.0
// A node for each step, at the same number until a rewrite moves them: what an
// opcode is comes from a table, what of it another encoding may say is folded.
// Transparent nodes stay where they are and are skipped by whoever follows an
// edge (settle), so pcs and numbers of nodes keep their order.
#include "traversal/code/body_graph.h"

#include <algorithm>
#include <array>

namespace rejig::traversal {

using classfile::CodeView;
using classfile::Opcode;
using classfile::Tag;

namespace {

unsigned number(Opcode op) { return static_cast<unsigned>(op); }

using jig::is_between;

// The constants that opcodes stand for.
bool short_constant(Opcode op, BodyNode& node) {
  if (is_between(op, Opcode::k_iconst_m1, Opcode::k_iconst_5)) {
    node.kind = NodeKind::kIntConst;
    node.value = static_cast<std::int32_t>(number(op)) -
                 static_cast<std::int32_t>(number(Opcode::k_iconst_0));
  } else if (is_between(op, Opcode::k_lconst_0, Opcode::k_lconst_1)) {
    node.kind = NodeKind::kLongConst;
    node.bits = number(op) - number(Opcode::k_lconst_0);
  } else if (is_between(op, Opcode::k_fconst_0, Opcode::k_fconst_2)) {
    static constexpr std::uint32_t kFloats[] = {0, 0x3f800000, 0x40000000};
    node.kind = NodeKind::kFloatConst;
    node.bits = kFloats[number(op) - number(Opcode::k_fconst_0)];
  } else if (is_between(op, Opcode::k_dconst_0, Opcode::k_dconst_1)) {
    node.kind = NodeKind::kDoubleConst;
    node.bits = op == Opcode::k_dconst_0 ? 0 : 0x3ff0000000000000;
  } else {
    return false;
  }
  return true;
}

void loaded_constant(const classfile::ConstantPool& pool, BodyNode& node) {
  switch (pool.tag(node.index)) {
    case Tag::kInteger:
      node.kind = NodeKind::kIntConst;
      node.value = pool.int_value(node.index);
      break;
    case Tag::kLong:
      node.kind = NodeKind::kLongConst;
      node.bits = static_cast<std::uint64_t>(pool.long_value(node.index));
      break;
    case Tag::kFloat:
      node.kind = NodeKind::kFloatConst;
      node.bits = pool.float_bits(node.index);
      break;
    case Tag::kDouble:
      node.kind = NodeKind::kDoubleConst;
      node.bits = pool.double_bits(node.index);
      break;
    default:
      node.kind = NodeKind::kPoolConst;
      node.throws = pool.tag(node.index) != Tag::kString;
  }
}

// What opcodes of a range are, and whether they throw.
struct Meaning {
  NodeKind kind = NodeKind::kPlain;
  bool throws = false;
  bool falls_through = true;
};

constexpr Meaning meaning_of(Opcode op) {
  Meaning out;
  // Monitors that are still held throw at a return.
  out.throws = jig::computes_and_throws(op) || jig::is_return(op);
  out.falls_through = jig::flows_on(op);
  if (op == Opcode::k_nop) {
    out.kind = NodeKind::kNop;
  } else if (jig::is_goto(op)) {
    out.kind = NodeKind::kGoto;
  } else if (jig::is_jsr(op)) {
    out.kind = NodeKind::kJsr;
  } else if (op == Opcode::k_iinc) {
    out.kind = NodeKind::kIncrement;
  } else if (op == Opcode::k_bipush || op == Opcode::k_sipush) {
    out.kind = NodeKind::kIntConst;
  } else if (op == Opcode::k_newarray) {
    out.kind = NodeKind::kPush;
  } else if (jig::is_switch(op)) {
    out.kind = NodeKind::kSwitch;
  } else if (op == Opcode::k_invokedynamic) {
    out = {NodeKind::kDynamic, true, true};
  } else if (jig::names_a_type(op)) {
    out = {NodeKind::kType, true, true};
  } else if (op == Opcode::k_ret ||
             is_between(op, Opcode::k_iload, Opcode::k_aload) ||
             is_between(op, Opcode::k_istore, Opcode::k_astore)) {
    out.kind = NodeKind::kLocal;
  } else if (jig::is_field_access(op)) {
    out = {NodeKind::kField, true, true};
  } else if (jig::is_call(op)) {
    out = {NodeKind::kCall, true, true};
  } else if (jig::is_condition(op)) {
    out.kind = NodeKind::kBranch;
  }
  return out;
}

constexpr auto kMeanings = [] {
  std::array<Meaning, classfile::kOpcodes> out;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = meaning_of(static_cast<Opcode>(i));
  }
  return out;
}();

void fold(const jig::MethodGraph::Step& step,
          const classfile::ConstantPool& pool, BodyNode& node) {
  const Meaning& meaning = kMeanings[number(step.op)];
  node.pc = step.pc;
  node.kind = meaning.kind;
  node.op = step.op;
  node.throws = meaning.throws;
  node.falls_through = meaning.falls_through;
  node.index = step.index;
  node.value = step.value;
  node.target = step.target;
  node.cases_begin = step.cases_begin;
  node.cases_end = step.cases_end;
  if (meaning.kind == NodeKind::kJsr) {
    node.op = Opcode::k_jsr;
  } else if (meaning.kind != NodeKind::kPlain) {
  } else if (const auto local = classfile::short_local(step.op)) {
    node.kind = NodeKind::kLocal;
    node.op = local->op;
    node.index = local->slot;
  } else if (jig::is_ldc(step.op)) {
    loaded_constant(pool, node);
  } else {
    short_constant(step.op, node);
  }
}

constexpr std::uint64_t kHandlerWork = 40'000'000;

}  // namespace

bool BodyGraph::build(const classfile::ClassView& cls, const CodeView& code) {
  nodes_.clear();
  cases_.clear();
  handler_lists_.clear();
  recipes_.clear();
  lines_.reset();
  first_in_place_ = 0;
  if (!part_.read(cls, code)) return false;
  const auto steps = part_.steps();
  nodes_.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    fold(steps[i], cls.pool(), nodes_[i]);
  }
  // A switch is a map: keys that go to the default target are dropped.
  for (const auto& step : steps) {
    if (!jig::is_switch(step.op)) continue;
    BodyNode& node = nodes_[static_cast<std::size_t>(&step - steps.data())];
    node.cases_begin = static_cast<std::uint32_t>(cases_.size());
    for (const auto& one : part_.cases(step)) {
      if (settle(one.target) == settle(node.target)) continue;
      cases_.push_back({one.key, one.target});
    }
    node.cases_end = static_cast<std::uint32_t>(cases_.size());
  }
  handler_lists_.emplace_back();
  return true;
}

void BodyGraph::splice(std::uint32_t at, std::span<const BodyNode> code) {
  const std::uint32_t pc = nodes_[at].pc;
  const auto place = nodes_.begin() + at;
  const auto first = nodes_.insert(nodes_.erase(place), code.begin(), code.end());
  std::for_each(first, first + static_cast<std::ptrdiff_t>(code.size()),
                [&](BodyNode& node) { node.pc = pc; });
  const auto moved = static_cast<std::uint32_t>(code.size()) - 1;
  for (BodyNode& node : nodes_) {
    if (node.target > at) node.target += moved;
  }
  for (SwitchCase& one : cases_) {
    if (one.target > at) one.target += moved;
  }
}

// A type that an earlier row catches is never caught by a later one.
bool BodyGraph::build_handlers() {
  if (!part_.read_covers()) return false;
  const auto covers = part_.covers();
  if (covers.empty()) return true;
  const auto& pool = cls().pool();
  std::vector<std::uint32_t> list_of(covers.size(), 0);
  std::uint64_t work = 0;
  for (std::size_t c = 0; c < covers.size(); ++c) {
    std::vector<HandlerEdge> list;
    for (const std::uint16_t row : part_.rows(covers[c])) {
      const auto& handler = part_.handler(row);
      if ((work += list.size() + 1) > kHandlerWork) return false;
      const std::string_view type =
          handler.type == 0 ? std::string_view{} : pool.text(handler.type);
      const bool known =
          handler.type != 0 &&
          std::any_of(list.begin(), list.end(),
                      [&](const HandlerEdge& e) { return e.type == type; });
      if (known) continue;
      const std::uint32_t target = node_at(handler.at);
      if (target == kNowhere) return false;
      list.push_back({type, target});
    }
    if (list.empty()) continue;
    list_of[c] = static_cast<std::uint32_t>(handler_lists_.size());
    handler_lists_.push_back(std::move(list));
  }
  for (BodyNode& node : nodes_) {
    if (!node.throws) continue;
    const auto at = std::upper_bound(
        covers.begin(), covers.end(), node.pc,
        [](std::uint32_t pc, const auto& cover) { return pc < cover.pc; });
    if (at != covers.begin()) {
      node.handlers =
          list_of[static_cast<std::size_t>(at - covers.begin()) - 1];
    }
  }
  return true;
}

std::uint32_t BodyGraph::node_at(std::uint32_t pc) const {
  const auto at = std::lower_bound(
      nodes_.begin(), nodes_.end(), pc,
      [](const BodyNode& node, std::uint32_t p) { return node.pc < p; });
  return at == nodes_.end() ? kNowhere
                            : static_cast<std::uint32_t>(at - nodes_.begin());
}

std::uint32_t BodyGraph::settle(std::uint32_t node) const {
  for (std::size_t steps = 0; steps <= nodes_.size(); ++steps) {
    if (node >= nodes_.size()) return kNowhere;
    if (nodes_[node].kind == NodeKind::kGoto) {
      node = nodes_[node].target;
    } else if (nodes_[node].kind == NodeKind::kNop) {
      ++node;
    } else {
      return node;
    }
  }
  return kNowhere;
}

std::uint16_t BodyGraph::line_of(std::uint32_t pc) const {
  if (!lines_) {
    lines_ = classfile::line_numbers(part_.code());
    std::stable_sort(lines_->begin(), lines_->end(),
                     [](const auto& a, const auto& b) { return a.pc < b.pc; });
  }
  std::uint16_t line = 0;
  for (const auto& entry : *lines_) {
    if (entry.pc > pc) break;
    line = entry.line;
  }
  return line;
}

}  // namespace rejig::traversal
