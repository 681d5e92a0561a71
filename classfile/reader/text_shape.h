// SPDX-License-Identifier: Apache-2.0
// Which bytes that names treat specially are in this text? Private to
// classfile/: one look at sixteen bytes at a time answers for the legality of
// most names and descriptors at once (descriptor.h has the obvious way).
#pragma once

#include <cstdint>
#include <string_view>

namespace rejig::classfile {

using TextShape = std::uint8_t;
inline constexpr TextShape kShapeRaw = 128;  // a byte outside of 1..127
inline constexpr TextShape kShapeDot = 2;    // .
inline constexpr TextShape kShapeSemicolon = 4;
inline constexpr TextShape kShapeAngle = 8;     // < >
inline constexpr TextShape kShapeSlash = 16;    // /
inline constexpr TextShape kShapeBracket = 64;  // [
inline constexpr TextShape kShapeSlashes = 32;  // two next to each other

// `before` bytes may be read in front of the text, and one behind it.
TextShape text_shape(std::string_view text, std::size_t before);

}  // namespace rejig::classfile
