// SPDX-License-Identifier: Apache-2.0
// What do both versions of a method look like, side by side? The instructions of
// each as the comparison sees them, aligned: what is the same stands in one row.
// For people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "classfile/reader/class_view.h"

namespace rejig::traversal {

struct ListingLine {
  std::string text;   // "invokevirtual URI.getScheme()"
  unsigned line = 0;  // of the source; 0: not known
};

struct ListingRow {
  const ListingLine* before = nullptr;  // nullptr: nothing on this side
  const ListingLine* after = nullptr;
  bool same = false;
};

// Of a method; empty when it has no code.
std::vector<ListingLine> listing_of(const classfile::ClassView& cls,
                                    const classfile::MemberView& method);
// The longest common part is the same; what parts in between stands side by side.
// The rows borrow the lines.
std::vector<ListingRow> aligned(const std::vector<ListingLine>& before,
                                const std::vector<ListingLine>& after);

}  // namespace rejig::traversal
