// SPDX-License-Identifier: Apache-2.0
// Do two class files with other bytes say the same? A recompilation moves the
// entries of the pool, lines and language metadata in many classes that do
// nothing else. Everything that a JVM, reflection or a comparison of bodies
// looks at is compared in its order, operands by what their entries say, under
// the names as they stand; nothing is built. Alike classes are treated like
// equal files. A no means nothing: the classes are then compared in full.
//
// Why format checks may be left out: what both have gets the same verdict of a
// JVM in both; of what only one has (texts, numbers, line tables) a JVM asks
// little, and that is asked here.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/class_view.h"
#include "traversal/pool_map.h"

namespace rejig::traversal {

// What may differ between classes that are alike.
struct Likeness {
  bool alike = false;
  bool metadata = false;  // what a Kotlin or Scala compiler notes for others
  bool file = false;      // the source's name
  std::vector<std::uint16_t> lines;  // methods with another line table
};

// Reads one pair after another into the same memory.
class AlikeReader {
 public:
  // Until the next call, and as long as the bytes.
  const Likeness& look(base::Bytes olds, base::Bytes news,
                       std::string_view name);
  const classfile::ClassView& old_class() const { return *old_; }
  const classfile::ClassView& new_class() const { return *new_; }

 private:
  classfile::ClassReader old_reader_;
  classfile::ClassReader new_reader_;
  const classfile::ClassView* old_ = nullptr;
  const classfile::ClassView* new_ = nullptr;
  PoolMap map_;
  Likeness found_;
};

// Annotations in which a compiler tells other compilers what it has compiled,
// private members included: "Lkotlin/Metadata;".
bool is_language_metadata(std::string_view annotation_type);

}  // namespace rejig::traversal
