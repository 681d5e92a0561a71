// SPDX-License-Identifier: Apache-2.0
// What do the stack map frames of a method say (JVMS §4.7.4)? The verifier
// checks what flows into a branch target against them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "classfile/reader/class_view.h"
#include "jig/world/names.h"

namespace rejig::traversal {

// Internal names; of an array, its element class. Some more than once.
void each_frame_type(const classfile::ClassView& cls,
                     const classfile::MemberView& method,
                     const std::function<void(jig::Name)>& found);

// What a slot holds, as far as classes matter.
struct FrameValue {
  enum class Kind : std::uint8_t {
    kOther,  // a primitive value, half of one, or nothing
    kNull,
    kUnmadeThis,
    kUnmade,  // by the `new` at `pc`
    kObject,  // of `type`
  };
  Kind kind = Kind::kOther;
  std::uint32_t pc = 0;
  jig::Name type;  // "a/B", "[La/B;", "[I"

  friend bool operator==(const FrameValue&, const FrameValue&) = default;
};

// Slots: a long takes two.
struct Frame {
  std::vector<FrameValue> locals;
  std::vector<FrameValue> stack;
};

// The frame that a method begins with. Names live as long as the class.
Frame first_frame(const classfile::ClassView& cls,
                  const classfile::MemberView& method);
// By the pc of the instruction they stand at; nullopt: not readable.
std::optional<std::map<std::uint32_t, Frame>> frames_of(
    const classfile::ClassView& cls, const classfile::MemberView& method);

}  // namespace rejig::traversal
