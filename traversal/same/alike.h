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

#include "classfile/reader/class_view.h"
#include "traversal/same/pool_map.h"

namespace rejig::traversal {

// What may differ between classes that are alike.
struct Likeness {
  bool alike = false;
  bool metadata = false;  // what a Kotlin or Scala compiler notes for others
  bool file = false;      // the source's name
  std::vector<std::uint16_t> lines;  // methods with another line table
};

// The same class in two versions, laid out but not checked.
Likeness compare_alike(const classfile::ClassView& olds,
                       const classfile::ClassView& news, const PoolMap& map);

// Which methods of two classes have the same flags, descriptor, instructions and
// handlers? A mark for each method; partners by name. kSamePlainCode: and nothing
// in them stands for something else (accessors, switch tables, call sites), so
// that the bodies are equal; of the others, the places where something does.
inline constexpr std::uint8_t kSameCode = 1;
inline constexpr std::uint8_t kSamePlainCode = 2;
struct OperandPlace {
  std::uint16_t method = 0;  // of the old class
  std::uint16_t pc = 0;      // in both
};
struct SameCode {
  std::vector<std::uint8_t> of_old;
  std::vector<std::uint8_t> of_new;
  std::vector<OperandPlace> looked_through;  // by method
};
void find_same_code(const classfile::ClassView& olds,
                    const classfile::ClassView& news, const PoolMap& map,
                    SameCode& out);

}  // namespace rejig::traversal
