// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace rejig::base {
namespace {

TEST(Arena, HandsOutAlignedBytesThatDoNotOverlap) {
  Arena arena;
  std::vector<std::span<std::uint8_t>> bytes;
  std::vector<std::span<std::uint64_t>> words;
  for (std::size_t i = 0; i < 2000; ++i) {
    bytes.push_back(arena.make_array<std::uint8_t>(i % 7 + 1));
    words.push_back(arena.make_array<std::uint64_t>(i % 5 + 1));
    std::fill(bytes.back().begin(), bytes.back().end(), std::uint8_t(i));
    std::fill(words.back().begin(), words.back().end(), i);
  }
  for (std::size_t i = 0; i < 2000; ++i) {
    for (const auto byte : bytes[i]) ASSERT_EQ(byte, std::uint8_t(i));
    for (const auto word : words[i]) ASSERT_EQ(word, i);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(words[i].data()) % 8, 0u);
  }
}

TEST(Arena, ArraysBeginWithZeros) {
  Arena arena;
  // Bytes that were used before are not handed out again, but be sure.
  for (const int n : arena.make_array<int>(5000)) ASSERT_EQ(n, 0);
}

TEST(Arena, WhatIsLargerThanABlockHasOneOfItsOwn) {
  Arena arena;
  const auto small = arena.copy("small");
  const std::string large(std::size_t{3} << 20, 'x');
  EXPECT_EQ(arena.copy(large), large);
  EXPECT_EQ(small, "small");
  EXPECT_GE(arena.bytes_reserved(), large.size());
}

TEST(Arena, GrowsByBlocksNotByThings) {
  Arena arena;
  for (int i = 0; i < 100000; ++i) (void)arena.make_array<std::uint32_t>(1);
  EXPECT_GE(arena.bytes_reserved(), 400000u);
  EXPECT_LT(arena.bytes_reserved(), 1100000u);
}

TEST(Arena, PointersSurviveAMove) {
  Arena arena;
  const std::string_view kept = arena.copy("kept");
  const Arena other = std::move(arena);
  EXPECT_EQ(kept, "kept");
  EXPECT_GT(other.bytes_reserved(), 0u);
}

TEST(Arena, NothingCostsNothing) {
  Arena arena;
  EXPECT_TRUE(arena.copy("").empty());
  EXPECT_TRUE(arena.make_array<int>(0).empty());
  EXPECT_EQ(arena.bytes_reserved(), 0u);
}

}  // namespace
}  // namespace rejig::base
