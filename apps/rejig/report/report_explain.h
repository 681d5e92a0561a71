// SPDX-License-Identifier: Apache-2.0
// How is an explanation told? The chain test -> atom in its row -> dangerous
// edge -> changed fact at file:line, in text or JSON.
#pragma once

#include <string_view>

#include "apps/rejig/cli/output.h"
#include "apps/rejig/report/report.h"
#include "apps/session/explanation.h"

namespace rejig::app {

void write_explanation(std::string_view format, const coverage::Answer& answer,
                       const Explanation& explanation,
                       const ReportOptions& options, Output& out);

}  // namespace rejig::app
