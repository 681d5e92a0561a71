// SPDX-License-Identifier: Apache-2.0
// Does the framework run the tests of a class another way now (channel C10)?
// Annotations of the class, of its fixtures and superclasses concern all its
// tests (D18), annotations of one test method that test (D19).
#pragma once

#include <vector>

#include "traversal/session/findings.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

void compare_test_shells(const Matching& matching,
                         const std::vector<TestMethod>& old_tests,
                         Findings& findings);

}  // namespace rejig::traversal
