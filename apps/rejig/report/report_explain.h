// SPDX-License-Identifier: Apache-2.0
// How is an explanation told? The chain test -> atom in its row -> dangerous
// edge -> changed fact at file:line, in text or JSON.
#pragma once

#include <optional>
#include <string>
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

// The tests that a person means: an id, a class, a pattern; or, where these name
// none, the same without its package, parameters or class.
std::vector<coverage::TestKey> tests_meant(const coverage::Answer& answer,
                                           const std::string& name);
// Of an answer that was kept: what it says itself, without rows.
coverage::TestExplanation explain_kept(const coverage::Answer& answer,
                                       const coverage::TestKey& key);

void write_explanation(std::string_view format, const coverage::Answer& answer,
                       const Explanation& explanation,
                       const ReportOptions& options, Output& out);

}  // namespace rejig::app
