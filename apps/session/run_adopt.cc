// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_adopt.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "coverage/row/baseline_age.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"
#include "traversal/same/kept_numbers.h"

namespace rejig::app {

using classfile::AtomKind;

namespace {

// "a.B" of "a.B.run()V"
std::string_view owner_of(std::string_view text) {
  const auto entered = text.substr(0, text.find('('));
  return entered.substr(0, std::min(entered.rfind('.'), entered.size()));
}

struct OfChanged {
  std::vector<bool> edges;       // of a method or an edge of a changed class
  std::vector<bool> renumbered;  // of a name that may mean something else now
};

base::Result<OfChanged> find_changed(coverage::Matrix& matrix,
                                     const std::set<std::string>& changed,
                                     traversal::KeptNumbers& numbers) {
  OfChanged out{std::vector<bool>(matrix.row_count(), false),
                std::vector<bool>(matrix.row_count(), false)};
  if (changed.empty()) return out;
  std::vector<std::pair<coverage::AtomId, bool>> found;
  for (const auto kind : {AtomKind::kMethod, AtomKind::kEdge}) {
    REJIG_TRY_VOID(matrix.each_atom(kind, "", [&](auto id, auto text) {
      const std::string_view owner = owner_of(text);
      if (changed.count(std::string(owner)) == 0) return;
      bool renumbered = false;
      if (kind == AtomKind::kMethod && owner.size() < text.size()) {
        const std::string cls = classfile::slashed(owner);
        const auto method = text.substr(owner.size() + 1);
        renumbered = traversal::may_be_numbered(cls, method) &&
                     !numbers.keeps(cls, method);
      }
      found.emplace_back(id, renumbered);
    }));
  }
  std::vector<coverage::RowId> rows;
  for (const auto& [id, renumbered] : found) {
    rows.clear();
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    for (const auto row : rows) {
      out.edges[row.index()] = true;
      if (renumbered) out.renumbered[row.index()] = true;
    }
  }
  return out;
}

base::Result<void> read_age(coverage::Matrix& matrix, const std::string& suite,
                            Adopted& out) {
  REJIG_TRY(const auto environment, matrix.environment());
  for (const auto& one : environment) {
    if (one.key == std::string(coverage::kRecordedPrefix) + suite) {
      out.since = std::string(one.value);
    }
    if (one.key == std::string(coverage::kSelectionsPrefix) + suite) {
      std::from_chars(one.value.data(), one.value.data() + one.value.size(),
                      out.selections);
    }
  }
  return {};
}

}  // namespace

base::Result<Adopted> adopt_rows(const Adoption& a,
                                 coverage::MatrixBuilder& into) {
  Adopted out;
  REJIG_TRY(const auto matrix, coverage::open_store(a.store));
  REJIG_TRY(const auto then, coverage::read_program(*matrix, a.suite));
  REJIG_TRY_VOID(read_age(*matrix, a.suite, out));
  std::set<std::string> changed;
  REJIG_TRY(const auto classes, matrix->classes());
  for (const auto& one : classes) {
    const std::string name(one.name);
    const auto now = a.digest(name);
    if (now && *now != one.digest) changed.insert(name);
    out.classes.emplace_back(name, now ? *now : std::string(one.digest));
  }
  traversal::KeptNumbers numbers(then.internal, *a.now);
  REJIG_TRY(const auto of_changed, find_changed(*matrix, changed, numbers));
  REJIG_TRY(const auto all, matrix->rows());
  std::vector<std::optional<coverage::Row>> rows(all.begin(), all.end());
  const auto without_edges = std::make_unique<bool[]>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& row = *rows[i];
    if (row.suite != a.suite || a.tests.count(std::string(row.test)) == 0) {
      rows[i].reset();
      continue;
    }
    without_edges[i] = row.recorded(AtomKind::kEdge) && of_changed.edges[i];
    if (without_edges[i]) row.facts = row.facts.without(AtomKind::kEdge);
    if (of_changed.renumbered[i]) {
      row.grade = std::max(row.grade, coverage::Grade::kForeign);
      ++out.pending;
    } else {
      ++out.kept;
    }
  }
  REJIG_TRY_VOID(into.add_rows(*matrix, rows,
                               std::span(without_edges.get(), rows.size())));
  return out;
}

}  // namespace rejig::app
