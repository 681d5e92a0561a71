// SPDX-License-Identifier: Apache-2.0
// In which words is an audit told? Text for people, JSON (schema
// rejig.audit/1), and the pages of the other reports.
#pragma once

#include <string_view>
#include <vector>

#include "apps/rejig/audit/audit_judge.h"
#include "apps/rejig/cli/output.h"
#include "apps/rejig/report/page.h"

namespace rejig::app {

void write_audit(std::string_view format, const Audit& audit, Output& out);

// "view method", "the list sel.txt"
std::string selector_title(const AuditOf& one);
// "passed, now fails"
std::string miss_text(const Miss& miss);
// "2 of 5 (40.0 %)"; "none" when there was nothing to miss.
std::string rate_text(std::size_t missed, std::size_t of);

Page audit_page(const Audit& audit);
std::vector<Finding> audit_findings(const Audit& audit);

}  // namespace rejig::app
