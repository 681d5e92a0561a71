// SPDX-License-Identifier: Apache-2.0
// What does the report's page show beside an answer? The program as a map (methods
// by the size of their code, changed or not, executed by how many tests), both
// listings of changed methods, what is known of each test's row. Each is a JSON
// text, a member of PageData.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/report/report.h"
#include "apps/session/inputs.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

using Members = std::vector<std::pair<std::string, std::string>>;

// Of what was compared; `matrix` may be null.
void add_program(const Compared& compared,
                 const std::vector<coverage::Edge>& edges,
                 coverage::Matrix* matrix, base::ThreadPool& pool,
                 Members& members);
// Of the edges that matter most: `shown` of them, as `rejig diff` orders them.
void add_changes(const std::vector<coverage::Edge>& edges,
                 const traversal::Versions* versions,
                 const ReportOptions& options, Members& members);
void add_rows(coverage::Matrix& matrix, Members& members);

}  // namespace rejig::app
