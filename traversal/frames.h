// SPDX-License-Identifier: Apache-2.0
// Which classes do the stack map frames of a method name (JVMS §4.7.4)? The
// verifier checks what flows into a branch target against them.
#pragma once

#include <functional>

#include "classfile/class_view.h"
#include "jig/names.h"

namespace rejig::traversal {

// Internal names; of an array, its element class. Some more than once.
void each_frame_type(const classfile::ClassView& cls,
                     const classfile::MemberView& method,
                     const std::function<void(jig::Name)>& found);

}  // namespace rejig::traversal
