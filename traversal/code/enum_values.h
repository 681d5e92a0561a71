// SPDX-License-Identifier: Apache-2.0
// Where does an enum make the array of its constants? javac up to 14 in
// <clinit>, later in a private static synthetic method $values() that <clinit>
// calls. A body comparison of <clinit> reads the method's instructions in place
// of the call. Anything that is not exactly this method stays a call.
#pragma once

#include <string_view>

#include "classfile/reader/class_view.h"
#include "traversal/code/body_graph.h"

namespace rejig::traversal {

constexpr std::string_view kValuesHelper = "$values";

// The method, if straight-line code that only <clinit> of its own class calls;
// nullptr otherwise.
const classfile::MemberView* values_helper(const classfile::ClassView& cls);

// Puts the helper's instructions in the place of its calls.
void inline_values(BodyGraph& clinit);

}  // namespace rejig::traversal
