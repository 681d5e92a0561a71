// SPDX-License-Identifier: Apache-2.0
// Which changed classes does the JVM refuse to verify now, or refused before? A
// new or changed method can make its whole class unusable: its code is not well
// typed, or verifying it loads a class that is not there. What nobody knows counts
// as refused, unless the old version asked for it, too.
#pragma once

#include <vector>

#include "traversal/verify/linking_edges.h"

namespace rejig::traversal {

// In the order of matching.changed.
std::vector<Refused> refused_changes(const Matching& matching);

}  // namespace rejig::traversal
