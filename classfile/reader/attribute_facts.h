// SPDX-License-Identifier: Apache-2.0
// Where may a predefined attribute stand, and since when does the JVM look at it?
// The table of attributes.def by kind. Private to classfile/.
#pragma once

#include <cstdint>
#include <string_view>

#include "classfile/reader/class_view.h"

namespace rejig::classfile {

struct AttributeFacts {
  std::string_view name;
  unsigned places = 0;  // a bit for each letter of attributes.def
  std::uint16_t since = 0;
  bool once = false;
};

const AttributeFacts& facts_of(AttributeKind kind);

}  // namespace rejig::classfile
