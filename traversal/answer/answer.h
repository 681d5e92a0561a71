// SPDX-License-Identifier: Apache-2.0
// How does a finished session become the answer? Tests of both programs, order,
// counts and names: the same for every way to the dangerous edges.
#pragma once

#include "traversal/session/session.h"

namespace rejig::traversal {

// Where are tests of the new program looked for?
enum class NewTests { kWhereTheyMayDiffer, kAll };

// Finds the tests if they are asked for, and what the framework sees of them.
Comparison answer_of(Session& session, NewTests way);

}  // namespace rejig::traversal
