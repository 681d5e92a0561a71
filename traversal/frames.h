// SPDX-License-Identifier: Apache-2.0
// Which classes do the stack map frames of a method name (JVMS §4.7.4)? The
// verifier checks what flows into a branch target against them.
#pragma once

#include <set>

#include "classfile/class_view.h"
#include "jig/names.h"

namespace rejig::traversal {

// Adds internal names; of an array, its element class.
void add_frame_types(const classfile::ClassView& cls,
                     const classfile::MemberView& method,
                     std::set<jig::Name>& out);

}  // namespace rejig::traversal
