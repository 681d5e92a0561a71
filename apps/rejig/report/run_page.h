// SPDX-License-Identifier: Apache-2.0
// A run as a page: for a browser, and in Markdown for $GITHUB_STEP_SUMMARY.
#pragma once

#include "apps/rejig/report/page.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/report/run_record.h"

namespace rejig::app {

// `whole`: for a page that can be searched.
Page run_page(const RunRecord& record, const ReportOptions& options,
              bool whole);
PageData run_page_data(const RunRecord& record, const RunStory& story);

// Appends; the file is that of the CI runner, which other steps write to as well.
base::Result<void> add_step_summary(const std::string& path,
                                    const std::string& text);

}  // namespace rejig::app
