// SPDX-License-Identifier: Apache-2.0
// What of a comparison does `rejig diff` show? All of it, but for the rules
// that the user does not want to see: those are hidden and counted, their edges
// keep their numbers, and the exit code still knows of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/report/report.h"
#include "traversal/compare.h"

namespace rejig::app {

struct DiffReport {
  coverage::Answer answer;
  // Nobody but a reader of stack traces or of synthetic names sees these.
  std::vector<classfile::Delta> facets;
  std::vector<std::uint32_t> shown;  // edges of the answer
  std::map<classfile::Rule, std::size_t> hidden;

  std::size_t hidden_edges() const {
    return answer.edges.size() - shown.size();
  }
};

enum class GroupBy : std::uint8_t { kClass, kMethod, kRule };

struct DiffOptions {
  ReportOptions report;
  GroupBy by = GroupBy::kMethod;
  bool summary = false;  // of text: counts, no edges
};

// `ignore` holds "D16" or "D16,D20"; the error names what is no rule.
// The edges and facets are taken out of the comparison; what only `implied`
// needs stays where it is, and ends with the process.
base::Result<DiffReport> report_of(traversal::Comparison& comparison,
                                   const std::vector<std::string>& ignore);

// "D16 2, D20 1"
std::string hidden_text(const DiffReport& report);

void write_diff(std::string_view format, const DiffReport& report,
                const DiffOptions& options, Output& out);

// The parts; json and lines stand beside those of `select`.
void diff_text(const DiffReport& report, const DiffOptions& options,
               Output& out);
void diff_json(const DiffReport& report, const ReportOptions& options,
               Output& out);
void diff_ndjson(const DiffReport& report, const ReportOptions& options,
                 Output& out);
void diff_lines(const DiffReport& report, bool github,
                const ReportOptions& options, Output& out);
void diff_dot(const DiffReport& report, const ReportOptions& options,
              Output& out);

}  // namespace rejig::app
