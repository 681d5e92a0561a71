// SPDX-License-Identifier: Apache-2.0
// What does a slot hold, as the type checker knows it (JVMS §4.10.1.2)? Slots of
// locals and of the stack; a long or double takes two. Private to this folder.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rejig::traversal::verify {

enum class Kind : std::uint8_t {
  kTop,  // nothing that may be used
  kInt,
  kFloat,
  kLong,
  kLongEnd,
  kDouble,
  kDoubleEnd,
  kNull,
  kUnmadeThis,
  kUnmade,  // by the `new` at `pc`
  kObject,  // of `type`: "a/B", "[La/B;", "[I"
};

struct Slot {
  Kind kind = Kind::kTop;
  std::uint32_t pc = 0;
  std::string_view type;

  bool made() const { return kind == Kind::kObject || kind == Kind::kNull; }
  bool reference() const {
    return made() || kind == Kind::kUnmade || kind == Kind::kUnmadeThis;
  }
  bool array() const { return kind == Kind::kObject && type.starts_with('['); }
  friend bool operator==(const Slot&, const Slot&) = default;
};

struct State {
  std::vector<Slot> locals;  // as many as the method has
  std::vector<Slot> stack;
};

// The first half's end; kTop for what takes one slot.
constexpr Kind end_of(Kind kind) {
  return kind == Kind::kLong     ? Kind::kLongEnd
         : kind == Kind::kDouble ? Kind::kDoubleEnd
                                 : Kind::kTop;
}

}  // namespace rejig::traversal::verify
