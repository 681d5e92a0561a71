// SPDX-License-Identifier: Apache-2.0
// Whose state may a test have met without naming it? What a class holds may be
// changed by way of another one that holds the same object: then it is found
// changed by the next who meets it, and whoever left something meanwhile may be
// the reason. Linear in the file and in the answer. Private to coverage/.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "coverage/row/graph.h"

namespace rejig::coverage {

// By scope, sorted.
using AlsoMet =
    std::unordered_map<std::uint32_t, std::vector<RecordedClasses::Id>>;

AlsoMet follow_changes(const RowFile& file, RecordedClasses& classes,
                       const RowGraph& graph);

}  // namespace rejig::coverage
