// SPDX-License-Identifier: Apache-2.0
// How is a dangerous edge said that both ways to it write? The comparison and
// the walk ask each for themselves; what they found is said here, so that one
// edge has one text and one set of roles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/words/delta.h"
#include "jig/lookup/resolve.h"

namespace rejig::traversal {

// What a caller meets before the first instruction.
bool same_entry_flags(const classfile::MemberView& old_method,
                      const classfile::MemberView& new_method);

// D2 of an initializer, D1 of any other method; the texts are still to be said.
classfile::Delta method_delta(std::string_view class_name,
                              std::string_view name,
                              std::string_view descriptor, std::string file);
// Completes it: the method is entered otherwise.
void say_entries(classfile::Delta& d, const classfile::MemberView& old_method,
                 const classfile::MemberView& new_method);

// D13: sequences as jig::init_procedure() gives them.
classfile::Delta initialization_delta(jig::Name class_name,
                                      const std::vector<std::string>& before,
                                      const std::vector<std::string>& after);

// D20: a file, by its path.
classfile::Delta file_delta(std::string_view path, std::string before,
                            std::string after);
// D21: a library class below a changed internal one. What it does with what it
// inherits is in doubt for everybody who loaded it.
classfile::Delta external_below_delta(jig::Name class_name);

// Is it found by the receiver's class?
inline bool is_dispatched(const jig::MethodShell& method) {
  return !method.is(classfile::kAccStatic) && !method.is_initializer();
}
// What a selection comes to.
std::string fact_of(const jig::MethodAnswer& answer);

}  // namespace rejig::traversal
