// SPDX-License-Identifier: Apache-2.0
// Does nothing differ in what reflection sees of two classes? A look at the
// members and attributes in their order, without any text.
#pragma once

#include "classfile/class_view.h"

namespace rejig::traversal {

// True: shell_text() of both is the same. False: it has to be asked.
bool same_shell_at_sight(const classfile::ClassView& a,
                         const classfile::ClassView& b);

}  // namespace rejig::traversal
