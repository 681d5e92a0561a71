// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/body_graph.h"

#include <algorithm>
#include <set>

namespace rejig::traversal {

using classfile::CodeView;
using classfile::Handler;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::Opcode;
using classfile::Tag;

namespace {

unsigned number(Opcode op) { return static_cast<unsigned>(op); }

bool in(Opcode op, Opcode first, Opcode last) {
  return number(op) >= number(first) && number(op) <= number(last);
}

// "iload_2" is iload of slot 2: four slots for each of the five types.
bool short_local(Opcode op, BodyNode& node) {
  const bool load = in(op, Opcode::k_iload_0, Opcode::k_aload_3);
  const bool store = in(op, Opcode::k_istore_0, Opcode::k_astore_3);
  if (!load && !store) return false;
  const unsigned base =
      number(load ? Opcode::k_iload_0 : Opcode::k_istore_0);
  const unsigned long_form = number(load ? Opcode::k_iload : Opcode::k_istore);
  const unsigned k = number(op) - base;
  node.kind = NodeKind::kLocal;
  node.op = static_cast<Opcode>(long_form + k / 4);
  node.index = static_cast<std::uint16_t>(k % 4);
  return true;
}

bool can_throw(Opcode op) {
  switch (op) {
    case Opcode::k_idiv:
    case Opcode::k_ldiv:
    case Opcode::k_irem:
    case Opcode::k_lrem:
    case Opcode::k_arraylength:
    case Opcode::k_athrow:
    case Opcode::k_monitorenter:
    case Opcode::k_monitorexit:
    case Opcode::k_newarray:
      return true;
    default:
      return in(op, Opcode::k_iaload, Opcode::k_saload) ||
             in(op, Opcode::k_iastore, Opcode::k_sastore) ||
             in(op, Opcode::k_ireturn, Opcode::k_return);
  }
}

constexpr std::uint64_t kHandlerWork = 40'000'000;

}  // namespace

bool BodyGraph::build(const classfile::ClassView& cls, const CodeView& code) {
  cls_ = &cls;
  nodes_.clear();
  cases_.clear();
  handler_lists_.clear();
  recipes_.clear();
  first_in_place_ = 0;
  const auto& pool = cls.pool();

  std::vector<std::uint32_t>& node_of = node_of_;
  node_of.assign(code.code.size() + 1, kNowhere);
  InstructionReader reader(code.code);
  Instruction ins;
  while (reader.next(ins)) {
    BodyNode node;
    node.pc = ins.pc;
    node.op = ins.op;
    node.index = ins.index;
    node.value = ins.value;
    node.target = ins.target;
    node.throws = can_throw(ins.op);
    switch (ins.op) {
      case Opcode::k_nop:
        node.kind = NodeKind::kNop;
        break;
      case Opcode::k_goto:
      case Opcode::k_goto_w:
        node.kind = NodeKind::kGoto;
        node.falls_through = false;
        break;
      case Opcode::k_jsr:
      case Opcode::k_jsr_w:
        node.kind = NodeKind::kJsr;
        node.op = Opcode::k_jsr;
        break;
      case Opcode::k_ret:
        node.kind = NodeKind::kLocal;
        node.falls_through = false;
        break;
      case Opcode::k_iinc:
        node.kind = NodeKind::kIncrement;
        break;
      case Opcode::k_bipush:
      case Opcode::k_sipush:
        node.kind = NodeKind::kIntConst;
        break;
      case Opcode::k_newarray:
        node.kind = NodeKind::kPush;
        break;
      case Opcode::k_ldc:
      case Opcode::k_ldc_w:
      case Opcode::k_ldc2_w:
        switch (pool.tag(ins.index)) {
          case Tag::kInteger:
            node.kind = NodeKind::kIntConst;
            node.value = pool.int_value(ins.index);
            break;
          case Tag::kLong:
            node.kind = NodeKind::kLongConst;
            node.bits = static_cast<std::uint64_t>(pool.long_value(ins.index));
            break;
          case Tag::kFloat:
            node.kind = NodeKind::kFloatConst;
            node.bits = pool.float_bits(ins.index);
            break;
          case Tag::kDouble:
            node.kind = NodeKind::kDoubleConst;
            node.bits = pool.double_bits(ins.index);
            break;
          default:
            node.kind = NodeKind::kPoolConst;
            node.throws = pool.tag(ins.index) != Tag::kString;
        }
        break;
      case Opcode::k_tableswitch:
      case Opcode::k_lookupswitch:
        node.kind = NodeKind::kSwitch;
        node.falls_through = false;
        node.cases_begin = static_cast<std::uint32_t>(cases_.size());
        for (std::uint32_t i = 0; i < ins.cases; ++i) {
          cases_.push_back({ins.switch_key(i), ins.switch_target(i)});
        }
        node.cases_end = static_cast<std::uint32_t>(cases_.size());
        break;
      case Opcode::k_invokedynamic:
        node.kind = NodeKind::kDynamic;
        node.throws = true;
        break;
      case Opcode::k_new:
      case Opcode::k_anewarray:
      case Opcode::k_checkcast:
      case Opcode::k_instanceof:
      case Opcode::k_multianewarray:
        node.kind = NodeKind::kType;
        node.throws = true;
        break;
      case Opcode::k_athrow:
        node.falls_through = false;
        break;
      default:
        if (in(ins.op, Opcode::k_iconst_m1, Opcode::k_iconst_5)) {
          node.kind = NodeKind::kIntConst;
          node.value = static_cast<std::int32_t>(number(ins.op)) -
                       static_cast<std::int32_t>(number(Opcode::k_iconst_0));
        } else if (in(ins.op, Opcode::k_lconst_0, Opcode::k_lconst_1)) {
          node.kind = NodeKind::kLongConst;
          node.bits = number(ins.op) - number(Opcode::k_lconst_0);
        } else if (in(ins.op, Opcode::k_fconst_0, Opcode::k_fconst_2)) {
          static constexpr std::uint32_t kFloats[] = {0, 0x3f800000,
                                                      0x40000000};
          node.kind = NodeKind::kFloatConst;
          node.bits = kFloats[number(ins.op) - number(Opcode::k_fconst_0)];
        } else if (in(ins.op, Opcode::k_dconst_0, Opcode::k_dconst_1)) {
          node.kind = NodeKind::kDoubleConst;
          node.bits = ins.op == Opcode::k_dconst_0 ? 0 : 0x3ff0000000000000;
        } else if (short_local(ins.op, node)) {
        } else if (in(ins.op, Opcode::k_iload, Opcode::k_aload) ||
                   in(ins.op, Opcode::k_istore, Opcode::k_astore)) {
          node.kind = NodeKind::kLocal;
        } else if (in(ins.op, Opcode::k_getstatic, Opcode::k_putfield)) {
          node.kind = NodeKind::kField;
          node.throws = true;
        } else if (in(ins.op, Opcode::k_invokevirtual,
                      Opcode::k_invokeinterface)) {
          node.kind = NodeKind::kCall;
          node.throws = true;
        } else if (in(ins.op, Opcode::k_ifeq, Opcode::k_if_acmpne) ||
                   ins.op == Opcode::k_ifnull ||
                   ins.op == Opcode::k_ifnonnull) {
          node.kind = NodeKind::kBranch;
        } else if (in(ins.op, Opcode::k_ireturn, Opcode::k_return)) {
          node.falls_through = false;
        }
    }
    node_of[ins.pc] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
  }
  if (reader.failed() || nodes_.empty()) return false;

  auto to_node = [&](std::uint32_t& pc) {
    if (pc >= node_of.size() || node_of[pc] == kNowhere) return false;
    pc = node_of[pc];
    return true;
  };
  for (BodyNode& node : nodes_) {
    const bool jumps = node.kind == NodeKind::kBranch ||
                       node.kind == NodeKind::kGoto ||
                       node.kind == NodeKind::kJsr ||
                       node.kind == NodeKind::kSwitch;
    if (jumps && !to_node(node.target)) return false;
  }
  for (SwitchCase& one : cases_) {
    if (!to_node(one.target)) return false;
  }
  // A switch is a map: keys that go to the default target are dropped.
  for (BodyNode& node : nodes_) {
    if (node.kind != NodeKind::kSwitch) continue;
    const auto begin = cases_.begin() + node.cases_begin;
    const auto end = std::remove_if(
        begin, cases_.begin() + node.cases_end, [&](const SwitchCase& one) {
          return settle(one.target) == settle(node.target);
        });
    node.cases_end = static_cast<std::uint32_t>(end - cases_.begin());
  }
  code_ = code;
  lines_.reset();
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

// A sweep over the borders of the table with the entries open at each segment;
// javac nests few, so a segment's list is short.
bool BodyGraph::build_handlers(const CodeView& code) {
  if (code.handler_count == 0) return true;
  std::vector<Handler> table;
  table.reserve(code.handler_count);
  std::vector<std::pair<std::uint32_t, std::uint16_t>> opens;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> closes;
  std::vector<std::uint32_t> borders;
  for (std::uint16_t i = 0; i < code.handler_count; ++i) {
    table.push_back(code.handler(i));
    opens.emplace_back(table.back().start, i);
    closes.emplace_back(table.back().end, i);
    borders.push_back(table.back().start);
    borders.push_back(table.back().end);
  }
  std::sort(opens.begin(), opens.end());
  std::sort(closes.begin(), closes.end());
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());

  const auto& pool = cls_->pool();
  std::vector<std::uint32_t> list_of(borders.size(), 0);
  std::set<std::uint16_t> open;
  auto next_open = opens.begin();
  auto next_close = closes.begin();
  std::uint64_t work = 0;
  for (std::size_t s = 0; s + 1 < borders.size(); ++s) {
    for (; next_close != closes.end() && next_close->first <= borders[s];
         ++next_close) {
      open.erase(next_close->second);
    }
    for (; next_open != opens.end() && next_open->first <= borders[s];
         ++next_open) {
      if (table[next_open->second].end > borders[s]) {
        open.insert(next_open->second);
      }
    }
    std::vector<HandlerEdge> list;
    for (const std::uint16_t i : open) {
      const Handler& handler = table[i];
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
      if (handler.type == 0) break;
    }
    if (list.empty()) continue;
    list_of[s] = static_cast<std::uint32_t>(handler_lists_.size());
    handler_lists_.push_back(std::move(list));
  }
  for (BodyNode& node : nodes_) {
    if (!node.throws) continue;
    const auto at =
        std::upper_bound(borders.begin(), borders.end(), node.pc);
    if (at != borders.begin()) {
      node.handlers =
          list_of[static_cast<std::size_t>(at - borders.begin()) - 1];
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
    lines_ = classfile::line_numbers(code_);
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
