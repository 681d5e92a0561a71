// SPDX-License-Identifier: Apache-2.0
// In which words is a comparison told? The formats of `rejig diff`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/report/diff_report.h"
#include "apps/rejig/report/digest_text.h"
#include "apps/rejig/report/report.h"
#include "traversal/compare.h"

namespace rejig::app {

enum class GroupBy : std::uint8_t { kClass, kMethod, kRule };

struct DiffOptions {
  ReportOptions report;
  // Of text: every edge, grouped; nullopt: what matters, for people.
  std::optional<GroupBy> by;
  bool summary = false;  // counts of the groups, no edges
  Screen screen;
};

// "D16 2, D20 1"
std::string hidden_text(const DiffReport& report);

void write_diff(std::string_view format, const DiffReport& report,
                const DiffOptions& options, Output& out);

// The parts; json and lines stand beside those of `select`.
Digest digest_of(const DiffReport& report);
void diff_text(const DiffReport& report, const DiffOptions& options,
               Output& out);
void diff_listing(const DiffReport& report, const DiffOptions& options,
                  Output& out);
void diff_lines(const DiffReport& report, const ReportOptions& options,
                Output& out);
// Markdown or HTML.
void diff_page(std::string_view format, const DiffReport& report,
               const DiffOptions& options, Output& out);
void diff_sarif(const DiffReport& report, const ReportOptions& options,
                Output& out);
// The ten that weigh most, as workflow commands.
void diff_annotations(const DiffReport& report, const ReportOptions& options,
                      Output& out);
void diff_dot(const DiffReport& report, const ReportOptions& options,
              Output& out);

}  // namespace rejig::app
