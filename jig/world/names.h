// SPDX-License-Identifier: Apache-2.0
// Where do the names of a world live? In one table that any thread may add to:
// intern() returns a view whose bytes live as long as the table and are stored
// once for each content. Nothing is ever ordered by address.
#pragma once

#include <string_view>

#include "classfile/base/append_table.h"

namespace rejig::jig {

using Name = std::string_view;

class Names {
 public:
  Names() : table_(kBits) {}
  Name intern(std::string_view text) {
    return text.empty() ? Name{} : table_.insert(text, Nothing()).key;
  }

 private:
  static constexpr unsigned kBits = 16;
  struct Nothing {};
  base::AppendTable<Nothing> table_;
};

}  // namespace rejig::jig
