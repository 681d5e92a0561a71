// SPDX-License-Identifier: Apache-2.0
#include "apps/session/explanation.h"

#include <algorithm>
#include <functional>

#include "coverage/store/store.h"

namespace rejig::app {

std::vector<coverage::TestKey> tests_meant(const coverage::Answer& answer,
                                           const std::string& name) {
  for (const auto& pattern :
       {name, name + "()", "*." + name, "*." + name + "()", "*." + name + "#*",
        "*." + name + "(*)", "*#" + name, "*#" + name + "(*)"}) {
    auto keys = coverage::tests_named(answer, pattern);
    if (!keys.empty()) return keys;
  }
  return {};
}

namespace {

base::Error unknown_test(const std::string& name) {
  return {base::Errc::kNotFound,
          "no test of the answer has this id, class or pattern", name};
}

coverage::TestExplanation explain_kept(const coverage::Answer& answer,
                             const coverage::TestKey& key) {
  coverage::TestExplanation out;
  out.key = key;
  const auto has = [&](const auto& keys) {
    return std::binary_search(keys.begin(), keys.end(), key);
  };
  if (has(answer.unaffected)) out.status = coverage::TestStatus::kUnaffected;
  if (has(answer.gone)) out.status = coverage::TestStatus::kGone;
  const auto* test = answer.find_selected(key.suite, key.test);
  if (test == nullptr) return out;
  out.status = coverage::TestStatus::kSelected;
  out.forced = test->forced;
  for (const auto& hit : answer.hits_of(*test)) {
    coverage::ExplainedEdge chain{hit.edge, {}};
    const auto& items = answer.edges[hit.edge].items;
    if (hit.item < items.size()) {
      for (const auto& atom : items[hit.item]) {
        chain.atoms.push_back({atom, hit.unknown ? coverage::AtomState::kUnknown
                                                 : coverage::AtomState::kInRow});
      }
    }
    out.chains.push_back(std::move(chain));
  }
  return out;
}

// How one test is explained, selected or not.
struct Asking {
  std::function<base::Result<coverage::TestExplanation>(const coverage::TestKey&)>
      test;
  std::function<base::Result<coverage::SkipExplanation>(const coverage::TestKey&)>
      skip;
};

base::Result<Explanation> explain(const coverage::Answer& answer,
                                  const Questions& o, const Asking& ask) {
  Explanation out;
  for (const auto& name : o.tests) {
    const auto keys = tests_meant(answer, name);
    if (keys.empty()) return unknown_test(name);
    for (const auto& key : keys) {
      REJIG_TRY(auto one, ask.test(key));
      out.tests.push_back(std::move(one));
    }
  }
  if (!o.skipped.empty()) {
    const auto keys = tests_meant(answer, o.skipped);
    if (keys.empty()) return unknown_test(o.skipped);
    for (const auto& key : keys) {
      REJIG_TRY(auto one, ask.skip(key));
      out.skips.push_back(std::move(one));
    }
  }
  if (!o.edge.empty()) {
    const auto edge = coverage::edge_named(answer, o.edge);
    if (!edge) {
      return base::Error{
          base::Errc::kNotFound,
          "there are the edges E1 to E" + std::to_string(answer.edges.size()),
          o.edge};
    }
    out.edge = edge;
    out.edge_tests = coverage::tests_of_edge(answer, *edge);
  }
  if (o.top) {
    constexpr std::size_t kTop = 20;
    out.top = coverage::top_edges(answer);
    out.top.resize(std::min(out.top.size(), kTop));
    out.top_asked = true;
  }
  return out;
}

}  // namespace

base::Result<Explanation> explanation_of(Selected& selected,
                                         const Questions& asked) {
  const coverage::Answer& answer = selected.answer;
  return explain(
      answer, asked,
      {[&](const auto& key) {
         return coverage::explain_test(answer, key, selected.rows(),
                                       selected.implied, selected.policy);
       },
       [&](const auto& key) {
         return coverage::explain_skip(answer, key, selected.rows(),
                                       selected.implied, selected.policy);
       }});
}

base::Result<Explanation> explanation_of_kept(const coverage::Answer& answer,
                                              const std::string& store,
                                              const Questions& asked) {
  return explain(
      answer, asked,
      {[&](const auto& key) {
         return base::Result<coverage::TestExplanation>(
             explain_kept(answer, key));
       },
       [&](const auto& key) -> base::Result<coverage::SkipExplanation> {
         REJIG_TRY(const auto matrix, coverage::open_store(store));
         return coverage::explain_skip(answer, key, matrix.get(), {}, {});
       }});
}

}  // namespace rejig::app
