// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/explain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "coverage/select/select_rows.h"

namespace rejig::coverage {

using classfile::Atom;

namespace {

base::Result<RowOracle> oracle_of(Matrix& matrix,
                                  const classfile::Implied& implied,
                                  const Policy& policy) {
  Facts absent;
  for (const auto& name : policy.assume) {
    REJIG_TRY(const auto kinds, assumed_absent(name));
    for (const auto kind : kinds) absent = absent.with(kind);
  }
  return RowOracle::make(matrix, implied, absent);
}

base::Result<AtomState> state_of(Matrix& matrix, RowOracle& oracle,
                                 const Atom& atom, RowId row) {
  REJIG_TRY(const Verdict verdict, oracle.rows_for(atom));
  if (!verdict.yes.contains(row)) return AtomState::kLacking;
  REJIG_TRY(const RowSet having, matrix.rows_with(atom));
  if (having.contains(row) || atom.kind == classfile::AtomKind::kTestClass) {
    return AtomState::kInRow;
  }
  return verdict.unknown.contains(row) ? AtomState::kUnknown
                                       : AtomState::kImplied;
}

bool has_key(const std::vector<TestKey>& keys, const TestKey& key) {
  return std::binary_search(keys.begin(), keys.end(), key);
}

TestExplanation status_of(const Answer& answer, const TestKey& key) {
  TestExplanation out;
  out.key = key;
  if (const auto* found = answer.find_selected(key.suite, key.test)) {
    out.status = TestStatus::kSelected;
    out.forced = found->forced;
  } else if (has_key(answer.unaffected, key)) {
    out.status = TestStatus::kUnaffected;
  } else if (has_key(answer.gone, key)) {
    out.status = TestStatus::kGone;
  }
  return out;
}

}  // namespace

std::string_view name_of(TestStatus status) {
  switch (status) {
    case TestStatus::kSelected:
      return "selected";
    case TestStatus::kUnaffected:
      return "unaffected";
    case TestStatus::kGone:
      return "gone";
    case TestStatus::kUnheardOf:
      break;
  }
  return "unknown";
}

std::string_view text_of(AtomState state) {
  static constexpr std::array<std::string_view, 4> kTexts = {
      "in its row", "implied by its row", "not recorded", "not in its row"};
  return kTexts[static_cast<std::size_t>(state)];
}

std::vector<TestKey> tests_named(const Answer& answer, std::string_view name) {
  std::vector<TestKey> out;
  const auto take = [&](const TestKey& key) {
    if (key.test == name || class_of_test(key.test) == name ||
        glob_match(name, key.test, '\0')) {
      out.push_back(key);
    }
  };
  for (const auto& test : answer.selected) take(test.key);
  for (const auto& key : answer.unaffected) take(key);
  for (const auto& key : answer.gone) take(key);
  std::sort(out.begin(), out.end());
  return out;
}

base::Result<TestExplanation> explain_test(const Answer& answer,
                                           const TestKey& key, Matrix* matrix,
                                           const classfile::Implied& implied,
                                           const Policy& policy) {
  TestExplanation out = status_of(answer, key);
  const auto* test = answer.find_selected(key.suite, key.test);
  if (test == nullptr || matrix == nullptr) return out;
  REJIG_TRY(const RowId row, matrix->find_row(key.suite, key.test));
  if (!row) return out;
  REJIG_TRY(auto oracle, oracle_of(*matrix, implied, policy));
  for (const Hit& hit : answer.hits_of(*test)) {
    ExplainedEdge chain{hit.edge, {}};
    const auto& items = answer.edges[hit.edge].items;
    if (hit.item < items.size()) {
      for (const auto& atom : items[hit.item]) {
        REJIG_TRY(const AtomState state, state_of(*matrix, oracle, atom, row));
        chain.atoms.push_back({atom, state});
      }
    }
    out.chains.push_back(std::move(chain));
  }
  return out;
}

base::Result<SkipExplanation> explain_skip(const Answer& answer,
                                           const TestKey& key, Matrix* matrix,
                                           const classfile::Implied& implied,
                                           const Policy& policy) {
  SkipExplanation out;
  REJIG_TRY(out.test, explain_test(answer, key, matrix, implied, policy));
  if (out.test.status != TestStatus::kUnaffected || matrix == nullptr) {
    return out;
  }
  REJIG_TRY(const RowId row, matrix->find_row(key.suite, key.test));
  if (!row) return out;
  REJIG_TRY(auto oracle, oracle_of(*matrix, implied, policy));
  std::map<Atom, std::vector<std::uint32_t>> groups;
  for (std::uint32_t e = 0; e < answer.edges.size(); ++e) {
    for (const auto& item : answer.edges[e].items) {
      for (const auto& atom : item) {
        REJIG_TRY(const AtomState state, state_of(*matrix, oracle, atom, row));
        if (state != AtomState::kLacking) continue;
        auto& edges = groups[atom];
        if (edges.empty() || edges.back() != e) edges.push_back(e);
        break;
      }
    }
  }
  for (auto& [atom, edges] : groups) {
    out.groups.push_back({atom, std::move(edges)});
  }
  std::stable_sort(out.groups.begin(), out.groups.end(),
                   [](const auto& a, const auto& b) {
                     return a.edges.size() > b.edges.size();
                   });
  return out;
}

std::vector<TestKey> tests_of_edge(const Answer& answer, std::uint32_t edge) {
  std::vector<TestKey> out;
  for (const auto& test : answer.selected) {
    const auto hits = answer.hits_of(test);
    if (std::any_of(hits.begin(), hits.end(),
                    [&](const Hit& hit) { return hit.edge == edge; })) {
      out.push_back(test.key);
    }
  }
  return out;
}

std::vector<EdgeCount> top_edges(const Answer& answer) {
  std::vector<EdgeCount> out(answer.edges.size());
  for (std::uint32_t e = 0; e < out.size(); ++e) out[e].edge = e;
  for (const auto& test : answer.selected) {
    const auto hits = answer.hits_of(test);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (i == 0 || hits[i].edge != hits[i - 1].edge) ++out[hits[i].edge].tests;
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.tests > b.tests;
  });
  return out;
}

std::optional<std::uint32_t> edge_named(const Answer& answer,
                                        std::string_view id) {
  if (!id.starts_with('E')) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(id.data() + 1, id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size() || number == 0 ||
      number > answer.edges.size()) {
    return std::nullopt;
  }
  return number - 1;
}

}  // namespace rejig::coverage
