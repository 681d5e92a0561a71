// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/shared_state.h"

#include <algorithm>
#include <utility>

#include "coverage/select/adaptor.h"

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;

base::Result<SharedState> SharedState::read(Matrix& matrix) {
  SharedState out;
  std::vector<std::pair<AtomId, std::string>> atoms;
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kLeft, {}, [&](AtomId id, std::string_view text) {
        atoms.emplace_back(id, std::string(text));
      }));
  for (const auto& [id, text] : atoms) {
    const auto what = classfile::left_in(text);
    if (out.states_.empty() || out.states_.back().what != what) {
      out.states_.push_back({std::string(what), {}, {}, {}});
      REJIG_TRY(const AtomId met,
                matrix.find_atom(Atom{AtomKind::kState, std::string(what)}));
      if (met) {
        REJIG_TRY_VOID(
            matrix.append_rows_with(met, out.states_.back().met));
      }
    }
    State& state = out.states_.back();
    std::vector<RowId> rows;
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    state.left.insert(state.left.end(), rows.begin(), rows.end());
    if (what.size() == text.size()) continue;
    Way way;
    REJIG_TRY(way.method,
              matrix.find_atom(method_atom(
                  std::string_view(text).substr(what.size() + 1))));
    way.has_method = static_cast<bool>(way.method);
    way.rows = std::move(rows);
    state.ways.push_back(std::move(way));
  }
  for (State& state : out.states_) {
    std::sort(state.left.begin(), state.left.end());
    state.left.erase(std::unique(state.left.begin(), state.left.end()),
                     state.left.end());
  }
  return out;
}

base::Result<void> SharedState::pass_on(
    Matrix&, const std::function<bool(RowId)>& changes,
    const std::function<void(RowId, RowId, std::string_view)>& met) const {
  for (const State& state : states_) {
    const auto from = std::find_if(state.left.begin(), state.left.end(), changes);
    if (from == state.left.end()) continue;
    for (const RowId to : state.met) met(*from, to, state.what);
  }
  return {};
}

base::Result<void> SharedState::call_for(
    Matrix& matrix, const std::function<bool(RowId)>& runs,
    const std::function<void(RowId, RowId, std::string_view)>& found) const {
  for (const State& state : states_) {
    for (const Way& way : state.ways) {
      const auto needs_it = [&](const RowId reader, const RowSet& enters) {
        return runs(reader) && !enters.contains(reader);
      };
      if (std::all_of(way.rows.begin(), way.rows.end(), runs) ||
          std::none_of(state.met.begin(), state.met.end(), runs)) {
        continue;
      }
      RowSet enters(matrix.row_count());
      if (way.has_method) {
        REJIG_TRY_VOID(matrix.add_rows_with(way.method, enters));
      }
      const auto reader =
          std::find_if(state.met.begin(), state.met.end(),
                       [&](RowId row) { return needs_it(row, enters); });
      if (reader == state.met.end()) continue;
      for (const RowId row : way.rows) {
        if (!runs(row)) found(row, *reader, state.what);
      }
    }
  }
  return {};
}

}  // namespace rejig::coverage
