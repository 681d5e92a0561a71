// SPDX-License-Identifier: Apache-2.0
// What of a comparison does `rejig diff` show? All of it, but for the rules
// that the user does not want to see: those are hidden and counted, their edges
// keep their numbers, and the exit code still knows of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/base/result.h"
#include "coverage/select/answer.h"
#include "traversal/compare.h"
#include "traversal/describe/compatibility.h"

namespace rejig::app {

struct DiffReport {
  coverage::Answer answer;
  // Nobody but a reader of stack traces or of synthetic names sees these.
  std::vector<classfile::Delta> facets;
  std::vector<std::uint32_t> shown;  // edges of the answer
  // Lives as long as the comparison; nullptr: only the edges are known.
  const traversal::Versions* versions = nullptr;
  std::map<classfile::Rule, std::size_t> hidden;

  std::size_t hidden_edges() const {
    return answer.edges.size() - shown.size();
  }
};

// `ignore` holds "D16" or "D16,D20"; the error names what is no rule.
// The edges and facets are taken out of the comparison; what only `implied`
// needs stays where it is, and ends with the process.
base::Result<DiffReport> report_of(traversal::Comparison& comparison,
                                   const std::vector<std::string>& ignore);

// Whose differences are asked for? Of all edges, hidden ones too.
enum class Asked : std::uint8_t { kBehaviour, kApi, kAll };
bool differs(const DiffReport& report, Asked asked);
// Whom each edge breaks, and the API in numbers.
struct Judged {
  std::vector<traversal::Compatibility> edges;
  traversal::ApiCounts api;
};
Judged judged(const DiffReport& report, base::ThreadPool& pool);

}  // namespace rejig::app
