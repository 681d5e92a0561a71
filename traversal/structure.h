// SPDX-License-Identifier: Apache-2.0
// Do two shells promise the same to the functions of jig/resolve.h: resolution,
// selection, initialization, linking, verification of others?
#pragma once

#include "jig/shell.h"
#include "traversal/renaming.h"

namespace rejig::traversal {

bool same_structure(const jig::ClassShell& old_shell,
                    const jig::ClassShell& new_shell,
                    const Renaming& renaming);

}  // namespace rejig::traversal
