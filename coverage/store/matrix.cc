// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/matrix.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;

Matrix::~Matrix() = default;

base::Result<RowId> Matrix::find_row(std::string_view suite,
                                     std::string_view test) {
  REJIG_TRY(const auto all, rows());
  const auto at =
      std::lower_bound(all.begin(), all.end(), std::tie(suite, test),
                       [](const Row& row, const auto& key) {
                         return std::tie(row.suite, row.test) < key;
                       });
  if (at == all.end() || at->suite != suite || at->test != test) {
    return RowId::none();
  }
  return RowId::of(static_cast<std::size_t>(at - all.begin()));
}

base::Result<std::vector<Matrix::DigestedFact>> Matrix::digested_facts(
    std::string_view name) {
  REJIG_TRY(auto contents, facts(name));
  std::vector<DigestedFact> out;
  for (auto& bytes : contents) {
    const auto digest = base::digest256(bytes);
    out.push_back({digest, std::move(bytes)});
  }
  return out;
}

base::Result<void> Matrix::append_runs_with(AtomId id,
                                            std::vector<RowRun>& runs) {
  scratch_.clear();
  REJIG_TRY_VOID(append_rows_with(id, scratch_));
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const auto row = scratch_[i].raw();
    if (i != 0 && runs.back().end == row) {
      ++runs.back().end;
    } else {
      runs.push_back({row, row + 1});
    }
  }
  return {};
}

base::Result<void> Matrix::add_rows_with(AtomId id, RowSet& into) {
  scratch_.clear();
  REJIG_TRY_VOID(append_rows_with(id, scratch_));
  for (const RowId row : scratch_) into.insert(row);
  return {};
}

base::Result<void> Matrix::add_rows_with(const Atom& atom, RowSet& into) {
  if (atom.kind == AtomKind::kTest || atom.kind == AtomKind::kTestClass) {
    REJIG_TRY(const auto all, rows());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto key =
          atom.kind == AtomKind::kTest ? all[i].test : all[i].test_class();
      if (key == atom.text) into.insert(RowId::of(i));
    }
  }
  REJIG_TRY(const AtomId id, find_atom(atom));
  if (!id) return {};
  return add_rows_with(id, into);
}

base::Result<RowSet> Matrix::rows_with(const Atom& atom) {
  RowSet out(row_count());
  REJIG_TRY_VOID(add_rows_with(atom, out));
  return out;
}

base::Result<RowSet> Matrix::rows_with_any(std::span<const Atom> atoms) {
  RowSet out(row_count());
  for (const auto& atom : atoms) REJIG_TRY_VOID(add_rows_with(atom, out));
  return out;
}

base::Result<RowSet> Matrix::rows_recording(AtomKind kind) {
  REJIG_TRY(const auto all, rows());
  RowSet out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].recorded(kind)) out.insert(RowId::of(i));
  }
  return out;
}

}  // namespace rejig::coverage
