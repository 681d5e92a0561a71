// SPDX-License-Identifier: Apache-2.0
// How is an explanation told? The chain test -> atom in its row -> dangerous
// edge -> changed fact at file:line, in text or JSON.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "apps/rejig/cli/output.h"
#include "apps/rejig/report/report.h"
#include "coverage/select/explain.h"

namespace rejig::app {

struct Explanation {
  std::vector<coverage::TestExplanation> tests;
  std::vector<coverage::SkipExplanation> skips;
  std::optional<std::uint32_t> edge;
  std::vector<coverage::TestKey> edge_tests;
  std::vector<coverage::EdgeCount> top;
  bool top_asked = false;
};

void write_explanation(std::string_view format, const coverage::Answer& answer,
                       const Explanation& explanation,
                       const ReportOptions& options, Output& out);

}  // namespace rejig::app
