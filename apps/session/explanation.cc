// SPDX-License-Identifier: Apache-2.0
#include "apps/session/explanation.h"

#include <algorithm>

namespace rejig::app {

namespace {

base::Error unknown_test(const std::string& name) {
  return {base::Errc::kNotFound,
          "no test of the answer has this id, class or pattern", name};
}

}  // namespace

base::Result<Explanation> explanation_of(Selected& selected,
                                         const Questions& o) {
  Explanation out;
  const coverage::Answer& answer = selected.answer;
  for (const auto& name : o.tests) {
    const auto keys = coverage::tests_named(answer, name);
    if (keys.empty()) return unknown_test(name);
    for (const auto& key : keys) {
      REJIG_TRY(auto one,
                coverage::explain_test(answer, key, selected.rows(),
                                       selected.implied, selected.policy));
      out.tests.push_back(std::move(one));
    }
  }
  if (!o.skipped.empty()) {
    const auto keys = coverage::tests_named(answer, o.skipped);
    if (keys.empty()) return unknown_test(o.skipped);
    for (const auto& key : keys) {
      REJIG_TRY(auto one,
                coverage::explain_skip(answer, key, selected.rows(),
                                       selected.implied, selected.policy));
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

}  // namespace rejig::app
