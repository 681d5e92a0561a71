// SPDX-License-Identifier: Apache-2.0
// Does nothing differ in what reflection sees of two classes? A look at the
// members and attributes in their order, without any text.
#pragma once

#include <string_view>

#include "classfile/class_view.h"

namespace rejig::traversal {

// True: shell_text() of both is the same. False: it has to be asked.
bool same_shell_at_sight(const classfile::ClassView& a,
                         const classfile::ClassView& b);

// An attribute of that name is looked at wherever it stands, also where the
// specification gives it no meaning.
bool seen_at_odd_places(std::string_view attribute_name);

}  // namespace rejig::traversal
