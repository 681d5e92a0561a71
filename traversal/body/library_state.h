// SPDX-License-Identifier: Apache-2.0
// Where may a library keep what the program tells one of its classes? In static
// fields of that class, of those that it names, that these name, and so on. Rows
// say who met which of them (coverage/row/graph_state.cc looks two steps far from
// what a test calls). Where too many would have to be read it is all that whoever
// uses the class may meet.
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
