// SPDX-License-Identifier: Apache-2.0
// What was probably meant by a path? Mistakes that would give an answer about
// nothing.
#pragma once

#include <string>

namespace rejig::app {

// A folder of sources, and none of classes: where the classes are, as a sentence;
// empty: it is no such folder.
std::string sources_instead(const std::string& path_list);

}  // namespace rejig::app
