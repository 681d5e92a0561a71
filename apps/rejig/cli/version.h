// SPDX-License-Identifier: Apache-2.0
// Which rejig is this?
#pragma once

#include <string>

namespace rejig::app {

// First line `rejig X.Y.Z`, then the compiler and the libraries.
std::string version_text();
// "0.1.0"
std::string version_number();

}  // namespace rejig::app
