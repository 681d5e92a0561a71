// SPDX-License-Identifier: Apache-2.0
// Do two shells promise the same to the functions of jig/lookup/resolve.h: resolution,
// selection, initialization, linking, verification of others?
#pragma once

#include "jig/world/shell.h"
#include "traversal/code/renaming.h"

namespace rejig::traversal {

bool same_structure(const jig::ClassShell& old_shell,
                    const jig::ClassShell& new_shell,
                    const Renaming& renaming);

}  // namespace rejig::traversal
