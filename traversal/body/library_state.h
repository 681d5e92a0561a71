// SPDX-License-Identifier: Apache-2.0
// Where may a library keep what the program tells one of its classes? In static
// fields of that class, of those that it names and of those that these name: as
// far as the recorder looks (coverage/row/graph_state.cc), so that a call that
// is new selects whom it would select had the old program made it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "traversal/session/matching.h"

namespace rejig::traversal {

// As rows name states: "a.B" for a class that keeps something; "library a.B" for
// one that nobody gave us, which stands for all that whoever uses it may meet.
std::set<std::string> kept_behind(const Matching& matching,
                                  std::string_view library);

}  // namespace rejig::traversal
