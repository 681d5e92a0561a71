// SPDX-License-Identifier: Apache-2.0
// Which states does a method say it has at its branch targets (JVMS §4.7.4)?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "traversal/verify/types.h"

namespace rejig::traversal::verify {

using StackMaps = std::vector<std::pair<std::uint32_t, State>>;  // pcs ascend

// The state that a method begins with; locals as many as it says it has.
// nullopt: these are too few.
std::optional<State> first_state(const classfile::ClassView& cls,
                                 const classfile::MemberView& method,
                                 std::uint16_t max_locals);
// nullopt: not well formed, or more than anybody wants to follow. Names live as
// long as the class.
std::optional<StackMaps> stack_maps(const classfile::ClassView& cls,
                                    const classfile::MemberView& method,
                                    const classfile::CodeView& code);

// What a descriptor or the name of a class stands for on the stack; kTop: void.
Slot slot_of(std::string_view descriptor);
Slot object_slot(std::string_view class_or_array);

}  // namespace rejig::traversal::verify
