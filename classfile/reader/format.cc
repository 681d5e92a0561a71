// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/format.h"

#include <cstdio>

namespace rejig::classfile {

std::string place(const std::string& where, std::size_t offset) {
  char text[32];
  std::snprintf(text, sizeof text, "@0x%zx", offset);
  return where.empty() ? std::string(text) : where + " " + text;
}

base::Error malformed(const std::string& where, std::size_t offset,
                      std::string what) {
  return {base::Errc::kMalformed, std::move(what), place(where, offset)};
}

std::string hex4(std::uint16_t value) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%04x", static_cast<unsigned>(value));
  return text;
}

}  // namespace rejig::classfile
