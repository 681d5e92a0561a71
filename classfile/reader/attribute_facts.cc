// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/attribute_facts.h"

#include <array>

#include "classfile/reader/class_check.h"

namespace rejig::classfile {
namespace {

constexpr unsigned bits_of(std::string_view places) {
  unsigned bits = 0;
  for (const char place : places) bits |= 1u << (place - 'a');
  return bits;
}

#define REJIG_once true
#define REJIG_many false
constexpr AttributeFacts kFacts[] = {
    {"", 0, 0, false},
#define REJIG_ATTRIBUTE(name, places, since, rule) \
  {#name, bits_of(places), since, REJIG_##rule},
#include "classfile/reader/attributes.def"
#undef REJIG_ATTRIBUTE
};
#undef REJIG_once
#undef REJIG_many

// Attributes by length of name: few have the same.
constexpr std::size_t kLongestName = 36;
struct ByLength {
  std::array<std::uint8_t, 4> kinds{};
};
constexpr auto kByLength = [] {
  std::array<ByLength, kLongestName + 1> table{};
  for (std::size_t k = 1; k < std::size(kFacts); ++k) {
    auto& row = table[kFacts[k].name.size()].kinds;
    std::size_t i = 0;
    while (row[i] != 0) ++i;
    row[i] = static_cast<std::uint8_t>(k);
  }
  return table;
}();

}  // namespace

const AttributeFacts& facts_of(AttributeKind kind) {
  return kFacts[static_cast<std::size_t>(kind)];
}

AttributeKind attribute_kind(std::string_view name, char place) {
  if (name.size() > kLongestName) return AttributeKind::kUnknown;
  for (const std::uint8_t k : kByLength[name.size()].kinds) {
    if (k == 0) break;
    if (kFacts[k].name == name) {
      return (kFacts[k].places & 1u << (place - 'a')) != 0
                 ? static_cast<AttributeKind>(k)
                 : AttributeKind::kUnknown;
    }
  }
  return AttributeKind::kUnknown;
}

}  // namespace rejig::classfile
