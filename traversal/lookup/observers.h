// SPDX-License-Identifier: Apache-2.0
// Which methods of the old program can notice that a class is or is not a
// subtype of X, and which make arrays of a class? Observers of X: instanceof,
// checkcast, catch, array creation, the owner of an invokeinterface, class
// constants, and the types in method types, handles and call sites.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "traversal/session/findings.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

struct Observers {
  std::map<Name, std::vector<std::string>> of_type;    // X -> methods
  std::map<Name, std::vector<std::string>> makers_of;  // R -> methods
};

Observers find_observers(const Matching& matching, const std::set<Name>& types,
                         const std::set<Name>& elements, Findings& findings);

}  // namespace rejig::traversal
