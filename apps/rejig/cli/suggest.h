// SPDX-License-Identifier: Apache-2.0
// What did the user mean? The candidate with the smallest edit distance, if it
// is small.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rejig::app {

// ". Did you mean 'dump'?", or nothing.
std::string did_you_mean(std::string_view word,
                         const std::vector<std::string>& candidates);

}  // namespace rejig::app
