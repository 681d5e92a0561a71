// SPDX-License-Identifier: Apache-2.0
// Where is a class, or a method of it, in the sources?
#pragma once

#include <string>

#include "classfile/reader/class_view.h"

namespace rejig::traversal {

// The SourceFile attribute, or nothing.
std::string source_file(const classfile::ClassView& cls);
// "a/b/C.java" for a class with a SourceFile attribute.
std::string source_path(const classfile::ClassView& cls);
// The smallest line of its code; 0: there is none.
unsigned first_line(const classfile::ClassView& cls,
                    const classfile::MemberView& method);

}  // namespace rejig::traversal
