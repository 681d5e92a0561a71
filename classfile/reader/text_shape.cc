// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/text_shape.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace rejig::classfile {
namespace {

constexpr std::size_t kWidth = 16;
// A portable vector: g++ and clang make SSE2, NEON or plain code of it.
typedef std::uint8_t Block __attribute__((vector_size(kWidth)));

[[gnu::always_inline]] inline Block load(const char* p) {
  Block b;
  std::memcpy(&b, p, kWidth);
  return b;
}

[[gnu::always_inline]] inline Block shapes(Block now, Block next) {
  const auto is = [](Block b, std::uint8_t c) { return Block(b == c); };
  const Block slash = is(now, '/');
  return (now & kShapeRaw) | (is(now, 0) & kShapeRaw) |
         (is(now, '.') & kShapeDot) | (is(now, ';') & kShapeSemicolon) |
         (is(now, '[') & kShapeBracket) |
         ((is(now, '<') | is(now, '>')) & kShapeAngle) | (slash & kShapeSlash) |
         (slash & is(next, '/') & kShapeSlashes);
}

[[gnu::always_inline]] inline TextShape any(Block b) {
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &b, kWidth);
  std::uint64_t bits = halves[0] | halves[1];
  bits |= bits >> 32;
  bits |= bits >> 16;
  bits |= bits >> 8;
  return static_cast<TextShape>(bits);
}

// kLast[n .. n+15]: the last n bytes of a block.
constexpr std::array<std::uint8_t, 2 * kWidth> kLast = [] {
  std::array<std::uint8_t, 2 * kWidth> mask{};
  for (std::size_t i = kWidth; i < mask.size(); ++i) mask[i] = 0xff;
  return mask;
}();

TextShape one_by_one(std::string_view text) {
  TextShape shape = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c - 1) >= 127) shape |= kShapeRaw;
    if (c == '.') shape |= kShapeDot;
    if (c == ';') shape |= kShapeSemicolon;
    if (c == '[') shape |= kShapeBracket;
    if (c == '<' || c == '>') shape |= kShapeAngle;
    if (c != '/') continue;
    shape |= kShapeSlash;
    if (i + 1 < text.size() && text[i + 1] == '/') shape |= kShapeSlashes;
  }
  return shape;
}

}  // namespace

// The byte behind the text takes part in the search for two slashes, and may
// make the answer too wide, never too narrow: no name ends with a slash.
TextShape text_shape(std::string_view text, std::size_t before) {
  const std::size_t n = text.size();
  if (n < kWidth) {
    if (before + n < kWidth) return one_by_one(text);
    const char* const p = text.data() + n - kWidth;
    Block last;
    std::memcpy(&last, kLast.data() + n, kWidth);
    return any(shapes(load(p), load(p + 1)) & last);
  }
  Block all{};
  std::size_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    all |= shapes(load(text.data() + i), load(text.data() + i + 1));
  }
  if (i != n) {
    const char* const p = text.data() + n - kWidth;
    all |= shapes(load(p), load(p + 1));
  }
  return any(all);
}

}  // namespace rejig::classfile
