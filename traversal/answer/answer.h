// SPDX-License-Identifier: Apache-2.0
// How does a finished comparison become the answer? Tests of both programs,
// order, counts and names: the same for every way to the dangerous edges.
#pragma once

#include <memory>

#include "traversal/session/phases.h"

namespace rejig::traversal {

// Where are tests of the new program looked for?
enum class NewTests { kWhereTheyMayDiffer, kAll };

// Finds the tests if they are asked for, and what the framework sees of them.
// `done` becomes the working memory of the answer.
Comparison answer_of(std::shared_ptr<Compared> done, Findings findings,
                     NewTests way);

}  // namespace rejig::traversal
