// SPDX-License-Identifier: Apache-2.0
// What do calls of the JDK set, or ask for, that it keeps for the whole JVM? As
// rows name it: "kept locale", "property ". Owners are internal names.
#pragma once

#include <functional>
#include <string_view>

namespace rejig::traversal {

std::string_view left_outside(std::string_view owner, std::string_view name);
void each_read_outside(std::string_view owner, std::string_view name,
                       const std::function<void(std::string_view)>& found);

}  // namespace rejig::traversal
