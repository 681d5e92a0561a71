// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/diff_report.h"

#include <algorithm>
#include <set>

#include "apps/rejig/cli/suggest.h"

namespace rejig::app {

using classfile::Delta;
using classfile::kRules;
using classfile::Rule;
using coverage::Answer;

namespace {

base::Result<std::set<Rule>> rules_of(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (unsigned i = 1; i <= kRules; ++i) {
    names.emplace_back(classfile::name_of(static_cast<Rule>(i)));
  }
  std::set<Rule> out;
  for (const std::string& list : lists) {
    for (std::size_t at = 0; at <= list.size();) {
      const auto end = std::min(list.find(',', at), list.size());
      const std::string name = list.substr(at, end - at);
      at = end + 1;
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        return base::Error{base::Errc::kUsage,
                           "--ignore: no such rule: '" + name +
                               "'; there are D1 to D24" +
                               did_you_mean(name, names),
                           ""};
      }
      out.insert(static_cast<Rule>(found - names.begin() + 1));
    }
  }
  return out;
}

}  // namespace

base::Result<DiffReport> report_of(traversal::Comparison& comparison,
                                   const std::vector<std::string>& ignore) {
  REJIG_TRY(const auto ignored, rules_of(ignore));
  DiffReport report;
  Answer& answer = report.answer;
  answer.edges = coverage::numbered(std::move(comparison.edges), std::nullopt);
  for (const auto& widened : comparison.widened) {
    answer.widened.push_back({widened.what, widened.where});
  }
  answer.classes = comparison.classes;
  answer.changed_classes = comparison.changed_classes;
  for (std::uint32_t e = 0; e < answer.edges.size(); ++e) {
    const Rule rule = answer.edges[e].delta.rule;
    if (ignored.contains(rule)) {
      ++report.hidden[rule];
    } else {
      report.shown.push_back(e);
    }
  }
  for (Delta& facet : comparison.facets) {
    // That a class file has other bytes is counted above.
    const bool bytes = facet.rule == Rule::kD20 && facet.label == "content";
    if (bytes || ignored.contains(facet.rule)) continue;
    report.facets.push_back(std::move(facet));
  }
  report.versions = comparison.versions.get();
  return report;
}

bool differs(const DiffReport& report, Asked asked) {
  const auto& edges = report.answer.edges;
  if (asked == Asked::kAll) return !edges.empty();
  const traversal::CompatibilityJudge judge(report.versions);
  return std::ranges::any_of(edges, [&](const auto& edge) {
    const auto broken = judge.of(edge.delta);
    return asked == Asked::kApi ? broken.api() : broken.behaviour;
  });
}

Judged judged(const DiffReport& report, base::ThreadPool& pool) {
  const auto& edges = report.answer.edges;
  const traversal::CompatibilityJudge judge(report.versions);
  Judged out;
  out.edges.resize(edges.size());
  std::vector<traversal::ApiCounts> counts(pool.workers());
  constexpr std::size_t kPiece = 256;
  pool.for_ranges(edges.size(), kPiece,
                  [&](unsigned worker, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      const auto its = judge.changes(edges[i].delta);
                      out.edges[i] = judge.of(edges[i].delta, its);
                      for (const auto& one : its) counts[worker].count(one);
                    }
                  });
  for (const auto& some : counts) out.api.add(some);
  return out;
}

}  // namespace rejig::app
