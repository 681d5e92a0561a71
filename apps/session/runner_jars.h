// SPDX-License-Identifier: Apache-2.0
// Where is a test runner to try things with? In what build tools keep at home.
#pragma once

#include <string>
#include <string_view>

#include "classfile/base/result.h"

namespace rejig::app {

// The jars of JUnit 4 as a path list: those that are named, else those of
// REJIG_RUNNER, else the newest in ~/.m2 or ~/.gradle.
base::Result<std::string> junit4_jars(std::string_view named);

}  // namespace rejig::app
