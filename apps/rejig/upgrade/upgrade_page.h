// SPDX-License-Identifier: Apache-2.0
// The answer of rejig upgrade for people and for code scanners.
#pragma once

#include "apps/rejig/report/page.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/upgrade/upgrade.h"

namespace rejig::app {

Page upgrade_page(const UpgradeAnswer& answer, const ReportOptions& options);
std::vector<Finding> upgrade_findings(const UpgradeAnswer& answer,
                                      const ReportOptions& options);

}  // namespace rejig::app
