// SPDX-License-Identifier: Apache-2.0
// Steps in one pass over the code, jumps settled behind it. Covers by a sweep
// over the borders of the exception table with the rows that are open between
// two of them: javac nests few, so a segment's list is short, and an
// instruction's list is found by its pc. Runs end before the target of a jump or
// a border of the table, or with a step that jumps or asks.
// Cost: linear in code and table, but for the rows of the covers, which are
// bounded.
#include "jig/graph/method_graph.h"

#include <algorithm>
#include <set>

namespace rejig::jig {

using classfile::Instruction;
using classfile::Tag;

namespace {

constexpr std::size_t kMostRows = 40'000'000;

}  // namespace

bool MethodGraph::read(const classfile::ClassView& cls,
                       const classfile::CodeView& code) {
  cls_ = &cls;
  code_ = code;
  steps_.clear();
  cases_.clear();
  table_.clear();
  covers_.clear();
  rows_.clear();
  runs_.clear();
  step_of_.assign(code.code.size() + 1, kNowhere);
  bool jumps = false;
  classfile::InstructionReader reader(code.code);
  Instruction ins;
  while (reader.next(ins)) {
    step_of_[ins.pc] = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back({ins.pc, ins.op, ins.index, ins.value, ins.target, 0, 0});
    const auto kind = classfile::operand_kind(ins.op);
    jumps = jumps || kind == classfile::OperandKind::k_branch ||
            kind == classfile::OperandKind::k_branch_w;
    if (!ins.is_switch()) continue;
    jumps = true;
    steps_.back().cases_begin = static_cast<std::uint32_t>(cases_.size());
    for (std::uint32_t i = 0; i < ins.cases; ++i) {
      cases_.push_back({ins.switch_key(i), ins.switch_target(i)});
    }
    steps_.back().cases_end = static_cast<std::uint32_t>(cases_.size());
  }
  if (reader.failed() || steps_.empty()) return false;
  if (!jumps) return true;
  const auto settle = [&](std::uint32_t& pc) {
    pc = step_at(pc);
    return pc != kNowhere;
  };
  for (Step& step : steps_) {
    const bool goes = is_condition(step.op) || is_goto(step.op) ||
                      is_jsr(step.op) || is_switch(step.op);
    if (goes && !settle(step.target)) return false;
  }
  return std::all_of(cases_.begin(), cases_.end(),
                     [&](Case& one) { return settle(one.target); });
}

bool MethodGraph::asks(const Step& step) const {
  if (is_ldc(step.op)) {
    const Tag tag = cls_->pool().tag(step.index);
    return tag == Tag::kClass || tag == Tag::kMethodHandle ||
           tag == Tag::kMethodType || tag == Tag::kDynamic;
  }
  return is_call(step.op) || names_a_type(step.op) || is_field_access(step.op);
}

bool MethodGraph::read_covers() {
  table_.clear();
  covers_.clear();
  rows_.clear();
  if (code_.handler_count == 0) return true;
  table_.reserve(code_.handler_count);
  std::vector<std::pair<std::uint32_t, std::uint16_t>> opens;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> closes;
  std::vector<std::uint32_t> borders;
  for (std::uint16_t i = 0; i < code_.handler_count; ++i) {
    table_.push_back(code_.handler(i));
    opens.emplace_back(table_.back().start, i);
    closes.emplace_back(table_.back().end, i);
    borders.push_back(table_.back().start);
    borders.push_back(table_.back().end);
  }
  std::sort(opens.begin(), opens.end());
  std::sort(closes.begin(), closes.end());
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());

  std::set<std::uint16_t> open;
  auto next_open = opens.begin();
  auto next_close = closes.begin();
  for (const std::uint32_t border : borders) {
    for (; next_close != closes.end() && next_close->first <= border;
         ++next_close) {
      open.erase(next_close->second);
    }
    for (; next_open != opens.end() && next_open->first <= border;
         ++next_open) {
      if (table_[next_open->second].end > border) {
        open.insert(next_open->second);
      }
    }
    const auto begin = static_cast<std::uint32_t>(rows_.size());
    for (const std::uint16_t row : open) {
      if (rows_.size() == kMostRows) return false;
      rows_.push_back(row);
      if (table_[row].type == 0) break;
    }
    covers_.push_back({border, begin, static_cast<std::uint32_t>(rows_.size())});
  }
  return true;
}

std::span<const std::uint16_t> MethodGraph::rows_at(std::uint32_t pc) const {
  const auto behind =
      std::upper_bound(covers_.begin(), covers_.end(), pc,
                       [](std::uint32_t p, const Cover& c) { return p < c.pc; });
  if (behind == covers_.begin()) return {};
  return rows(*(behind - 1));
}

void MethodGraph::find_runs() {
  runs_.clear();
  run_of_.assign(steps_.size(), kNowhere);
  std::vector<bool> border(steps_.size() + 1, false);
  const auto mark = [&](std::uint32_t pc) {
    const std::uint32_t step = step_at(pc);
    if (step != kNowhere) border[step] = true;
  };
  for (const Step& step : steps_) {
    if (is_condition(step.op) || is_goto(step.op) || is_jsr(step.op) ||
        is_switch(step.op)) {
      border[step.target] = true;
    }
  }
  for (const Case& one : cases_) border[one.target] = true;
  for (std::uint16_t i = 0; i < code_.handler_count; ++i) {
    const auto handler = code_.handler(i);
    mark(handler.start);
    mark(handler.end);
    mark(handler.at);
  }
  for (std::uint32_t i = 0; i < steps_.size();) {
    Run run;
    run.begin = i;
    run_of_[i] = static_cast<std::uint32_t>(runs_.size());
    do {
      run.throws = run.throws || can_throw(steps_[i]);
      if (ends_run(steps_[i++])) break;
    } while (i < steps_.size() && !border[i]);
    run.end = i;
    runs_.push_back(run);
  }
}

}  // namespace rejig::jig
