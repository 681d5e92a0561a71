// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace rejig::base {
namespace {

Bytes filled(Buffer& buffer, std::size_t n, unsigned with) {
  std::byte* const room = buffer.room(n + 1);
  std::fill_n(room, n, static_cast<std::byte>(with));
  return {room, n};
}

bool all_are(Bytes bytes, unsigned value) {
  return std::ranges::all_of(bytes, [&](std::byte one) {
    return one == static_cast<std::byte>(value);
  });
}

TEST(Buffer, GivesRoomAgainAndAgain) {
  Buffer buffer;
  for (const std::size_t n : {0u, 1u, 100u, 5u, 1'000'000u, 7u}) {
    EXPECT_TRUE(all_are(filled(buffer, n, 7), 7));
  }
  Buffer moved = std::move(buffer);
  EXPECT_TRUE(all_are(filled(moved, 50, 9), 9));
}

TEST(KeptBytes, WhatIsKeptStaysWhereItIs) {
  KeptBytes kept;
  Buffer buffer(kept);
  std::vector<Bytes> files;
  for (unsigned i = 0; i < 200; ++i) {
    const Bytes read = filled(buffer, 20'000 + i, i);
    if (i % 2 != 0) continue;  // the next one takes its room
    const Bytes at = kept.keep(read);
    EXPECT_EQ(at.data(), read.data());
    EXPECT_EQ(at.size(), read.size());
    files.push_back(at);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_TRUE(all_are(files[i], static_cast<unsigned>(2 * i)));
  }
  EXPECT_GE(kept.bytes_reserved(), files.size() * 20'000);
}

TEST(KeptBytes, OtherBytesAreCopied) {
  KeptBytes kept;
  const std::string_view text = "elsewhere";
  const Bytes other = std::as_bytes(std::span(text));
  const Bytes at = kept.keep(other);
  EXPECT_NE(at.data(), other.data());
  EXPECT_TRUE(std::ranges::equal(at, other));
  EXPECT_EQ(kept.keep({}).size(), 0u);
  // Larger than a block.
  const std::vector<std::byte> large(std::size_t{3} << 20, std::byte{3});
  EXPECT_TRUE(all_are(kept.keep(large), 3));
  KeptBytes moved = std::move(kept);
  EXPECT_TRUE(std::ranges::equal(at, other));
}

}  // namespace
}  // namespace rejig::base
