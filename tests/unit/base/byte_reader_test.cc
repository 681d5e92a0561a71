// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/byte_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace rejig::base {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> out;
  for (const unsigned value : values) out.push_back(std::byte(value));
  return out;
}

TEST(ByteReader, ReadsBigEndianNumbersOfEveryWidth) {
  const auto bytes = bytes_of({0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
                               0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e});
  ByteReader in(bytes);
  EXPECT_EQ(in.u1(), 0x80u);
  EXPECT_EQ(in.u2(), 0x8182u);
  EXPECT_EQ(in.u4(), 0x83848586u);
  EXPECT_EQ(in.u8(), 0x8788898a8b8c8d8eu);
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.failed());
}

TEST(ByteReader, ReadsSignedNumbers) {
  const auto bytes = bytes_of({0xff, 0xff, 0xfe, 0x80, 0, 0, 0});
  ByteReader in(bytes);
  EXPECT_EQ(in.s1(), -1);
  EXPECT_EQ(in.s2(), -2);
  EXPECT_EQ(in.s4(), std::numeric_limits<std::int32_t>::min());
}

TEST(ByteReader, FailsOnceAndForAll) {
  const auto bytes = bytes_of({1, 2, 3});
  ByteReader in(bytes);
  EXPECT_EQ(in.u4(), 0u);
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.remaining(), 0u);
  // What would have been there is not read any more.
  EXPECT_EQ(in.u1(), 0u);
  EXPECT_TRUE(in.bytes(1).empty());
  in.seek(0);
  EXPECT_EQ(in.u1(), 0u);
  EXPECT_TRUE(in.failed());
}

TEST(ByteReader, NoWidthReadsPastTheEnd) {
  const auto bytes = bytes_of({1, 2, 3, 4, 5, 6, 7});
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    // A block of exactly n bytes: the sanitizers see one byte more.
    const std::vector<std::byte> exact(bytes.begin(),
                                       bytes.begin() + std::ptrdiff_t(n));
    ByteReader one(exact);
    (void)one.u1();
    EXPECT_EQ(one.failed(), n < 1);
    ByteReader two(exact);
    (void)two.u2();
    EXPECT_EQ(two.failed(), n < 2);
    ByteReader four(exact);
    (void)four.u4();
    EXPECT_EQ(four.failed(), n < 4);
    ByteReader eight(exact);
    (void)eight.u8();
    EXPECT_TRUE(eight.failed());
    ByteReader skip(exact);
    skip.skip(4);
    EXPECT_EQ(skip.failed(), n < 4);
    ByteReader seek(exact);
    seek.seek(4);
    EXPECT_EQ(seek.failed(), n < 4);
  }
}

TEST(ByteReader, HugeLengthsDoNotWrap) {
  const auto bytes = bytes_of({1, 2, 3});
  ByteReader in(bytes);
  (void)in.u1();
  EXPECT_TRUE(in.bytes(std::numeric_limits<std::size_t>::max()).empty());
  EXPECT_TRUE(in.failed());
  ByteReader other(bytes);
  EXPECT_TRUE(other.sub(std::numeric_limits<std::size_t>::max()).failed());
}

TEST(ByteReader, ASubReaderIsBoundedAndKnowsWhereItStands) {
  const auto bytes = bytes_of({1, 2, 3, 4, 5});
  ByteReader in(bytes, 100);
  in.skip(1);
  ByteReader inner = in.sub(2);
  EXPECT_EQ(inner.offset(), 101u);
  EXPECT_EQ(inner.u2(), 0x0203u);
  EXPECT_EQ(inner.offset(), 103u);
  EXPECT_EQ(inner.u1(), 0u);
  EXPECT_TRUE(inner.failed());
  // The outer one goes on behind it.
  EXPECT_FALSE(in.failed());
  EXPECT_EQ(in.offset(), 103u);
  EXPECT_EQ(in.u1(), 4u);
}

}  // namespace
}  // namespace rejig::base
