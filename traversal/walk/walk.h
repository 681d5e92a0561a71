// SPDX-License-Identifier: Apache-2.0
// The dangerous edges found the long way: Compare(N, N') of the paper, a
// synchronous walk over the Java Interclass Graphs of both versions from a
// complete entry set over marked pairs of nodes. The same question as
// compare(), and another answer only by mistake: it leaves nothing out that
// compare() leaves out (equal files, names without a changed class above them,
// classes without a mention), looks at every class of both programs, and costs
// accordingly. What it shares with compare() is the comparison inside one method
// and of one shell, and the JVM's functions.
#pragma once

#include "traversal/compare.h"

namespace rejig::traversal {

base::Result<Comparison> compare_by_walk(const CompareInputs& inputs);

}  // namespace rejig::traversal
