// SPDX-License-Identifier: Apache-2.0
// What do several suites say together? Each has a class path, a comparison and an
// answer of its own; a person wants one.
#pragma once

#include <string>

#include "coverage/select/answer.h"

namespace rejig::app {

// What `suite` says about its own tests. An edge that several suites have stands
// there once for each.
void add_answer(coverage::Answer& to, coverage::Answer from,
                const std::string& suite);
// Nothing is unaffected any more.
void select_everything(coverage::Answer& answer);
// Sorts and counts what was put together.
void finish_answer(coverage::Answer& answer);

}  // namespace rejig::app
