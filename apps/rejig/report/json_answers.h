// SPDX-License-Identifier: Apache-2.0
// How do answers look for machines? JSON and NDJSON with the names of
// contract.md; the same bytes at any number of threads. Without a command line:
// the C library gives the same answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/rejig/report/diff_report.h"
#include "apps/rejig/report/sink.h"
#include "apps/session/explanation.h"
#include "coverage/select/answer.h"
#include "traversal/describe/compatibility.h"

namespace rejig::app {

void select_json(const coverage::Answer& answer, Sink& out);
void select_ndjson(const coverage::Answer& answer, Sink& out);
void diff_json(const DiffReport& report, base::ThreadPool& pool, Sink& out);
void diff_ndjson(const DiffReport& report, base::ThreadPool& pool, Sink& out);
void explain_json(const coverage::Answer& answer,
                  const Explanation& explanation, Sink& out);

// With `broken` also whom it breaks.
std::string edge_json(const coverage::Answer& answer, std::uint32_t edge,
                      std::string_view type,
                      const traversal::Compatibility* broken = nullptr);

}  // namespace rejig::app
