// SPDX-License-Identifier: Apache-2.0
// What is this old class called in the new program (the map n(C))? The identity,
// except for anonymous and local classes that were matched by structure and for
// the renames a user gave. Applied to class names, array names and descriptors.
#pragma once

#include <string>
#include <string_view>

#include "classfile/base/hash_map.h"

namespace rejig::traversal {

class Renaming {
 public:
  void add(std::string_view old_name, std::string_view new_name);
  bool is_identity() const { return to_new_.empty(); }

  // "a/B$1", "[La/B$1;", "(La/B$1;)V" -> the same with new names.
  std::string class_name(std::string_view old_name) const;
  std::string descriptor(std::string_view old_descriptor) const;

  // The same without a copy where nothing is renamed; `room` holds what is.
  std::string_view class_name(std::string_view old_name,
                              std::string& room) const {
    return leaves(old_name) ? old_name : room = class_name(old_name);
  }
  std::string_view descriptor(std::string_view old_descriptor,
                              std::string& room) const {
    return leaves(old_descriptor) ? old_descriptor
                                  : room = descriptor(old_descriptor);
  }

  bool same_class(std::string_view old_name, std::string_view new_name) const;
  bool same_descriptor(std::string_view old_descriptor,
                       std::string_view new_descriptor) const;

  // The name in the old program; the name itself when it was not renamed.
  std::string old_class_name(std::string_view new_name) const;
  bool renamed(std::string_view old_name) const {
    return to_new_.contains(old_name);
  }

  // Nothing in the text can have another name: most texts, when only anonymous
  // classes have.
  bool leaves(std::string_view text) const {
    return is_identity() ||
           (all_have_dollars_ && text.find('$') == std::string_view::npos);
  }

 private:
  // Of a class, no array.
  std::string_view renamed_class(std::string_view old_name) const;

  bool all_have_dollars_ = true;
  base::HashMap<std::string, std::string> to_new_;
  base::HashMap<std::string, std::string> to_old_;
};

}  // namespace rejig::traversal
