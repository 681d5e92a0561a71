// SPDX-License-Identifier: Apache-2.0
// Which atoms has the row of each test? The rules of apps/agent/ROWS.md read
// aloud, test by test and round by round until nothing is new: slow, and
// nothing is shared between tests. What the join is compared with.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "coverage/row/row_file_join.h"

namespace rejig::coverage {

// By test id; atoms as classfile::to_string() has them.
std::map<std::string, std::set<std::string>> slow_join(
    const std::vector<RowFile>& files, const JoinOptions& options);

}  // namespace rejig::coverage
