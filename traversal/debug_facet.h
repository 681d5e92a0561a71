// SPDX-License-Identifier: Apache-2.0
// What does only a reader of stack traces see? Line numbers and the source file
// of methods whose bodies are equal (D23, semantics A12).
#pragma once

#include <string>

#include "traversal/class_compare.h"

namespace rejig::traversal {

void compare_debug_facets(const Session& session,
                          const classfile::ClassView& old_class,
                          const classfile::ClassView& new_class,
                          const std::string& file, ClassResult& result);

}  // namespace rejig::traversal
