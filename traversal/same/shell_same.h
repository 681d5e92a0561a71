// SPDX-License-Identifier: Apache-2.0
// Does nothing differ in what reflection sees of two classes? A look at the
// members and attributes in their order, without any text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classfile/reader/class_view.h"

namespace rejig::traversal {

// True: shell_text() of both is the same. False: it has to be asked.
bool same_shell_at_sight(const classfile::ClassView& a,
                         const classfile::ClassView& b);

// What both have in the same words: a mark for each method, and whether it is all
// fields, in their order.
struct SharedMembers {
  std::vector<std::uint8_t> old_methods;
  std::vector<std::uint8_t> new_methods;
  bool fields = false;
  bool metadata = false;  // what their compilers tell other compilers
};
SharedMembers shared_members(const classfile::ClassView& a,
                             const classfile::ClassView& b);

// Annotations in which a compiler tells other compilers what it has compiled,
// private members included: "Lkotlin/Metadata;".
bool is_language_metadata(std::string_view annotation_type);

// An attribute of that name is looked at wherever it stands, also where the
// specification gives it no meaning.
bool seen_at_odd_places(std::string_view attribute_name);

}  // namespace rejig::traversal
