// SPDX-License-Identifier: Apache-2.0
// Small stores, as files and as lists of blocks (fuzz_store.cc).
#pragma once

#include <string>
#include <vector>

namespace rejig::test {

std::vector<std::string> stores();

}  // namespace rejig::test
