// SPDX-License-Identifier: Apache-2.0
// Which anonymous or local class of the new program is the old Outer$1? javac
// renumbers them, so they are matched by structure (N8): equal content apart
// from the numbers first, then the same name. A wrong match cannot hide a
// change: matched classes are compared in full under the renaming.
#pragma once

#include <vector>

#include "traversal/session.h"

namespace rejig::traversal {

// Adds to session.renaming. `changed`: names in both programs with other bytes;
// session.added and session.removed are still complete.
void match_anonymous_classes(Session& session,
                             const std::vector<Name>& changed);

}  // namespace rejig::traversal
