// SPDX-License-Identifier: Apache-2.0
// What runs for the tests of other classes, too (TestNG's @BeforeSuite,
// @BeforeTest, @Listeners, Cucumber's hooks and steps, a project configuration
// of Kotest): when it appears, goes or says something else, every test is run
// another way (D18 that names no class). It errs towards everybody.
#pragma once

#include <vector>

#include "traversal/session/findings.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

void compare_wide_fixtures(const Matching& matching,
                           const std::vector<TestMethod>& old_tests,
                           Findings& findings);

}  // namespace rejig::traversal
