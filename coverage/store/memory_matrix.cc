// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/memory_matrix.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;

void unite_runs(std::vector<RowRun>& runs) {
  if (!std::ranges::is_sorted(runs)) std::ranges::sort(runs);
  std::size_t kept = 0;
  for (const RowRun& run : runs) {
    if (kept != 0 && run.begin <= runs[kept - 1].end) {
      runs[kept - 1].end = std::max(runs[kept - 1].end, run.end);
    } else {
      runs[kept++] = run;
    }
  }
  runs.resize(kept);
}

std::uint64_t MemoryMatrix::pair_count() const {
  if (!pairs_) {
    std::uint64_t pairs = 0;
    std::vector<RowRun> runs;
    for (std::size_t a = 0; a < atoms_.size(); ++a) {
      runs.clear();
      find_runs(a, runs);
      for (const RowRun& run : runs) pairs += run.end - run.begin;
    }
    pairs_ = pairs;
  }
  return *pairs_;
}

base::Result<AtomId> MemoryMatrix::find_atom(const Atom& atom) {
  const AtomText key{atom.kind, atom.text};
  const auto at = std::lower_bound(atoms_.begin(), atoms_.end(), key);
  if (at == atoms_.end() || *at != key) return AtomId::none();
  return AtomId::of(static_cast<std::size_t>(at - atoms_.begin()));
}

base::Result<Atom> MemoryMatrix::atom(AtomId id) {
  const auto& found = atoms_[id.index()];
  return Atom{found.kind, std::string(found.text)};
}

base::Result<void> MemoryMatrix::each_atom(
    AtomKind kind, std::string_view prefix,
    const std::function<void(AtomId, std::string_view)>& visit) {
  auto at =
      std::lower_bound(atoms_.begin(), atoms_.end(), AtomText{kind, prefix});
  for (; at != atoms_.end() && at->kind == kind && at->text.starts_with(prefix);
       ++at) {
    visit(AtomId::of(static_cast<std::size_t>(at - atoms_.begin())), at->text);
  }
  return {};
}

void MemoryMatrix::find_runs(std::size_t atom, std::vector<RowRun>& out) const {
  for (const auto set : atom_sets_[atom]) {
    out.insert(out.end(),
               set_runs_.begin() + static_cast<std::ptrdiff_t>(set_begin_[set]),
               set_runs_.begin() +
                   static_cast<std::ptrdiff_t>(set_begin_[set + 1]));
  }
  for (const auto row : postings_[atom]) {
    if (!out.empty() && out.back().end == row) {
      ++out.back().end;
    } else {
      out.push_back({row, row + 1});
    }
  }
  unite_runs(out);
}

base::Result<void> MemoryMatrix::append_runs_with(AtomId id,
                                                  std::vector<RowRun>& runs) {
  std::vector<RowRun> found;
  find_runs(id.index(), found);
  runs.insert(runs.end(), found.begin(), found.end());
  return {};
}

base::Result<void> MemoryMatrix::append_rows_with(AtomId id,
                                                  std::vector<RowId>& rows) {
  std::vector<RowRun> runs;
  find_runs(id.index(), runs);
  for (const RowRun& run : runs) {
    for (auto row = run.begin; row != run.end; ++row) {
      rows.push_back(RowId::of(row));
    }
  }
  return {};
}

void MemoryMatrix::transpose() {
  if (row_atoms_.size() != 0 || rows_.empty()) return;
  auto& begin = row_atoms_.begin;
  begin.assign(rows_.size() + 1, 0);
  for (const auto row : postings_.items) ++begin[row + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  auto next = begin;
  row_atoms_.items.resize(postings_.items.size());
  for (std::size_t a = 0; a < atoms_.size(); ++a) {
    for (const auto row : postings_[a]) {
      row_atoms_.items[next[row]++] = static_cast<std::uint32_t>(a);
    }
  }
}

base::Result<std::vector<AtomId>> MemoryMatrix::atoms_of(RowId row) {
  transpose();
  const auto own = row_atoms_[row.index()];
  std::vector<std::uint32_t> all(own.begin(), own.end());
  for (const auto leaf : row_sets_[row.index()]) {
    for (auto set = leaf + 1; set != 0; set = set_parent_[set - 1]) {
      const auto atoms = set_atoms_[set - 1];
      all.insert(all.end(), atoms.begin(), atoms.end());
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<AtomId> out;
  out.reserve(all.size());
  for (const auto atom : all) out.push_back(AtomId::of(atom));
  return out;
}

base::Result<std::vector<std::string>> MemoryMatrix::facts(
    std::string_view name) {
  std::vector<std::string> out;
  const auto at = facts_.find(name);
  if (at == facts_.end()) return out;
  for (const auto& [digest, bytes] : at->second) out.push_back(bytes);
  return out;
}

base::Result<std::vector<Matrix::DigestedFact>> MemoryMatrix::digested_facts(
    std::string_view name) {
  std::vector<DigestedFact> out;
  const auto at = facts_.find(name);
  if (at == facts_.end()) return out;
  for (const auto& [digest, bytes] : at->second) out.push_back({digest, bytes});
  return out;
}

base::Result<std::vector<std::string>> MemoryMatrix::fact_names(
    std::string_view prefix) {
  std::vector<std::string> out;
  for (auto at = facts_.lower_bound(prefix);
       at != facts_.end() && at->first.starts_with(prefix); ++at) {
    out.push_back(at->first);
  }
  return out;
}

}  // namespace rejig::coverage
