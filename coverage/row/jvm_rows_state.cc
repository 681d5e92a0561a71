// SPDX-License-Identifier: Apache-2.0
// The part of JvmRows about state that depends on several things at once: who
// borrows objects, what own methods may write, who left what nobody met.
#include <algorithm>

#include "classfile/words/entity.h"
#include "coverage/row/jvm_rows.h"

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::dotted;

void JvmRows::take_needs(const Group& group,
                         std::span<const RowGraph::Need> needs, Common& common,
                         Scratch& scratch) const {
  const std::uint32_t round = scratch.marks_.common;
  for (const auto need : needs) {
    auto& mark = scratch.needs_[need];
    if (mark.given == round || mark.needed == round ||
        group.base->gives(need, group.step)) {
      continue;
    }
    mark.needed = round;
    common.needs.push_back(need);
    common.borrowed = MatrixBuilder::kNoSet;
  }
}

void JvmRows::may_write(const Work& work, std::vector<LocalAtom>& out) {
  for (const auto m : work.methods) {
    for (const auto code : graph_->may_write(m)) out.push_back(codes_[code]);
  }
}

// Whoever calls a method of an object that it did not make got it from somebody.
void JvmRows::borrowed(const Group& group, Common& common, Scratch& scratch,
                       std::vector<SetId>& sets) {
  auto& marks = scratch.needs_;
  const std::uint32_t all = scratch.marks_.common;
  const std::uint32_t round = scratch.marks_.round;
  Found& found = scratch.found_;
  for (const auto given : found.gives) {
    if (marks[given].given != all) marks[given].given = round;
  }
  const auto is_given = [&](RowGraph::Need need) {
    return marks[need].given == round;
  };
  const auto put = [&](RowGraph::Need need) {
    found.atoms.push_back(codes_[graph_->need_code(need)]);
  };
  if (std::ranges::any_of(common.needs, is_given)) {
    for (const auto need : common.needs) {
      if (!is_given(need)) put(need);
    }
  } else if (!common.needs.empty()) {
    if (common.borrowed == MatrixBuilder::kNoSet) {
      std::vector<LocalAtom> atoms;
      for (const auto need : common.needs) {
        atoms.push_back(codes_[graph_->need_code(need)]);
      }
      common.borrowed = builder_.add_set(std::move(atoms));
    }
    sets.push_back(common.borrowed);
  }
  for (const auto need : found.needs) {
    auto& mark = marks[need];
    if (mark.needed == all || mark.needed == round || mark.given == all ||
        mark.given == round || group.base->gives(need, group.step)) {
      continue;
    }
    mark.needed = round;
    put(need);
  }
}

// A class was found changed, and no method of the row leads to it.
void JvmRows::left_unseen(const Group& group, const Common& common,
                          Found& found) {
  const auto one = [&](Id id) {
    if ((!classes_.is_external(id) && !classes_.is_internal(id)) ||
        common.met.contains(id)) {
      return;
    }
    bool met = false;
    group.base->each_met(id, group.step, [&](auto) { met = true; });
    for (const auto method : found.met) {
      met = met || std::ranges::any_of(
                       graph_->met(method),
                       [&](const auto& place) { return place.id == id; });
    }
    if (met) return;
    found.atoms.push_back(
        codes_.intern(AtomKind::kLeft, dotted(classes_.name(id)) + "|?"));
  };
  for (const Id id : common.changed) one(id);
  for (const Id id : found.changed) one(id);
}

}  // namespace rejig::coverage
