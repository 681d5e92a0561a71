// SPDX-License-Identifier: Apache-2.0
// What does only a reader of stack traces see? Line numbers and the source file
// of methods whose bodies are equal (D23, semantics A12).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traversal/class_compare.h"

namespace rejig::traversal {

// Lines along the code and names of locals are the same.
bool same_debug_tables(const classfile::ClassView& old_class,
                       const classfile::MemberView& old_method,
                       const classfile::ClassView& new_class,
                       const classfile::MemberView& new_method);

// Of a class and those of its methods that are told apart by nothing else.
std::optional<classfile::Delta> debug_facet(
    const classfile::ClassView& old_class, const std::string& file,
    std::vector<std::string> methods);

void compare_debug_facets(const Session& session,
                          const classfile::ClassView& old_class,
                          const classfile::ClassView& new_class,
                          const std::string& file, ClassResult& result);

}  // namespace rejig::traversal
