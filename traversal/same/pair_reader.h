// SPDX-License-Identifier: Apache-2.0
// How are two versions of one class file read? Both are laid out in memory that
// the next pair uses again, and their pools are brought together. Classes that are
// alike are done with that. Of the others a format check leaves out what both
// have, and each is copied into memory of its own: what is the same in both a JVM
// accepts in both or in none, and whoever compares them sees nothing of it.
#pragma once

#include <string_view>

#include "classfile/base/result.h"
#include "classfile/reader/class_view.h"
#include "traversal/same/alike.h"
#include "traversal/same/pool_map.h"

namespace rejig::traversal {

class PairReader {
 public:
  // False: one of them cannot be laid out, or calls itself something else. What
  // is asked below is of this pair, until the next call and as long as the bytes.
  bool lay_out(base::Bytes olds, base::Bytes news, std::string_view name);
  const Likeness& likeness();
  const classfile::ClassView& old_class() const { return *old_; }
  const classfile::ClassView& new_class() const { return *new_; }

  // Of classes that are not alike: checked, on their own. The error says what a
  // check of everything says.
  struct Checked {
    base::Result<classfile::ClassView> old_class;
    base::Result<classfile::ClassView> new_class;
  };
  Checked checked();
  // Of the classes that were checked.
  const SameCode& same_code() const { return same_code_; }

 private:
  static base::Result<classfile::ClassView> check(
      classfile::ClassReader& reader, const classfile::Vouched& vouched);

  classfile::ClassReader old_reader_;
  classfile::ClassReader new_reader_;
  const classfile::ClassView* old_ = nullptr;
  const classfile::ClassView* new_ = nullptr;
  PoolMap map_;
  Likeness found_;
  SameCode same_code_;
};

}  // namespace rejig::traversal
