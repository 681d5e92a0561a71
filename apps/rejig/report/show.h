// SPDX-License-Identifier: Apache-2.0
// rejig diff --show METHOD: both listings of the methods with that name, side by
// side, with the lines of the sources where these are given.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/report/report_diff.h"

namespace rejig::app {

// "JndiManager.lookup", "JndiManager.lookup(String)", "lookup", an entity: the
// changed methods that are meant, as entities, each once.
std::vector<std::string> methods_meant(const DiffReport& report,
                                       const std::string& words);
std::string show_text(const DiffReport& report, const std::string& entity,
                      const DiffOptions& options);

}  // namespace rejig::app
