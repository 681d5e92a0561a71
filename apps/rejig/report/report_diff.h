// SPDX-License-Identifier: Apache-2.0
// What of a comparison does `rejig diff` show? All of it, but for the rules
// that the user does not want to see: those are hidden and counted, their edges
// keep their numbers, and the exit code still knows of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/report/digest_text.h"
#include "apps/rejig/report/report.h"
#include "traversal/compare.h"

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

enum class GroupBy : std::uint8_t { kClass, kMethod, kRule };

struct DiffOptions {
  ReportOptions report;
  // Of text: every edge, grouped; nullopt: what matters, for people.
  std::optional<GroupBy> by;
  bool summary = false;  // counts of the groups, no edges
  Screen screen;
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

// "D16 2, D20 1"
std::string hidden_text(const DiffReport& report);

// `more`: what a page of HTML shows beside it.
void write_diff(std::string_view format, const DiffReport& report,
                const DiffOptions& options, Output& out,
                const PageData& more = {});

// The parts; json and lines stand beside those of `select`.
Digest digest_of(const DiffReport& report);
void diff_text(const DiffReport& report, const DiffOptions& options,
               Output& out);
void diff_listing(const DiffReport& report, const DiffOptions& options,
                  Output& out);
void diff_json(const DiffReport& report, const ReportOptions& options,
               Output& out);
void diff_ndjson(const DiffReport& report, const ReportOptions& options,
                 Output& out);
void diff_lines(const DiffReport& report, const ReportOptions& options,
                Output& out);
// `whole`: for a page that can be searched.
Page diff_page(const DiffReport& report, const DiffOptions& options,
               bool whole);
void diff_sarif(const DiffReport& report, const ReportOptions& options,
                Output& out);
// The ten that weigh most, as workflow commands.
void diff_annotations(const DiffReport& report, const ReportOptions& options,
                      Output& out);
void diff_dot(const DiffReport& report, const ReportOptions& options,
              Output& out);

}  // namespace rejig::app
