// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/base_row.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

namespace {

struct Marking {
  std::vector<BaseRow::Step>& reached;
  BaseRow::Step step = 0;

  bool has(RowGraph::Node node) const {
    return reached[node] != BaseRow::kNever;
  }
  bool add(RowGraph::Node node) {
    if (has(node)) return false;
    reached[node] = step;
    return true;
  }
};

}  // namespace

BaseRow::BaseRow(const Parts& parts,
                 const std::vector<std::vector<Node>>& seeds,
                 std::span<const AtomCodes::Code> besides)
    : parts_(parts),
      reached_(parts.graph.size(), kNever),
      needed_(parts.graph.needs(), false),
      given_(parts.graph.needs(), kNever) {
  for (const auto code : besides) found_.atoms.push_back(parts.codes[code]);
  std::vector<Node> todo;
  std::size_t met = 0;
  for (std::size_t step = 0; step < seeds.size(); ++step) {
    Marking marks{reached_, static_cast<Step>(step)};
    todo = seeds[step];
    const std::size_t changed = found_.changed.size();
    const std::size_t met_before = met;
    walk(parts_.graph, parts_.codes, marks, todo, found_,
         [this](std::uint32_t fact) { found_.guarded.push_back(fact); });
    for (; met < found_.met.size(); ++met) {
      for (const auto& one : parts_.graph.met(found_.met[met])) {
        met_[one.id].push_back(one.method);
      }
    }
    // Who met the state of a class in the same methods would have left the same.
    if (changed != found_.changed.size() ||
        (changed != 0 && met != met_before)) {
      for (const Id id : found_.changed) {
        each_met(id, static_cast<Step>(step), [&](std::uint32_t method) {
          found_.atoms.push_back(parts_.codes.left(id, method));
        });
      }
    }
    for (const auto need : found_.needs) {
      if (needed_[need]) continue;
      needed_[need] = true;
      needs_.push_back(need);
    }
    for (const auto given : found_.gives) {
      given_[given] = std::min(given_[given], static_cast<Step>(step));
    }
    found_.needs.clear();
    found_.gives.clear();
    ends_.push_back({found_.loaded.size(), found_.files.size(),
                     found_.guarded.size(), found_.extensions.size(),
                     found_.changed.size(), needs_.size()});
    const SetId before = sets_.empty() ? MatrixBuilder::kNoSet : sets_.back();
    sets_.push_back(parts_.builder.add_set(std::move(found_.atoms), before));
    found_.atoms = {};
  }
}

BaseRow::SetId BaseRow::asked_kinds(Step step) {
  const std::scoped_lock lock(mutex_);
  while (kinds_.size() <= step) {
    const std::size_t at = kinds_.size();
    std::vector<LocalAtom> atoms;
    for (std::size_t i = at == 0 ? 0 : ends_[at - 1].loaded;
         i < ends_[at].loaded; ++i) {
      atoms.push_back(
          parts_.codes[parts_.codes.of_asked_kind(found_.loaded[i])]);
    }
    kinds_.push_back(parts_.builder.add_set(
        std::move(atoms), at == 0 ? MatrixBuilder::kNoSet : kinds_.back()));
  }
  return kinds_[step];
}

BaseRow::SetId BaseRow::files(Step step, bool native,
                              std::vector<std::uint32_t>& open) {
  const std::scoped_lock lock(mutex_);
  FileSets& all = files_[native ? 1 : 0];
  while (all.sets.size() <= step) {
    const std::size_t at = all.sets.size();
    std::vector<LocalAtom> atoms;
    for (std::size_t i = at == 0 ? 0 : ends_[at - 1].files; i < ends_[at].files;
         ++i) {
      const auto fact = found_.files[i];
      if (parts_.files.is_settled(fact, native, parts_.first_end)) {
        parts_.files.append(fact, native, parts_.first_end, atoms);
      } else {
        all.open.push_back(fact);
      }
    }
    all.open_ends.push_back(all.open.size());
    all.sets.push_back(parts_.builder.add_set(
        std::move(atoms), at == 0 ? MatrixBuilder::kNoSet : all.sets.back()));
  }
  open.insert(open.end(), all.open.begin(),
              all.open.begin() +
                  static_cast<std::ptrdiff_t>(all.open_ends[step]));
  return all.sets[step];
}

}  // namespace rejig::coverage
