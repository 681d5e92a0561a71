// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/sha256.h"

#include <gtest/gtest.h>

#include <string>

#include "apps/agent/options.h"
#include "apps/agent/runner_events.h"

namespace rejig::agent {
namespace {

Bytes bytes(const std::string& s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

std::string hex(const Digest& d) {
  std::string out;
  for (const unsigned char b : d.bytes) {
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(hex(sha256(bytes(""))),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256(bytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, BothWaysAgreeAtEveryLength) {
  std::string text;
  for (int n = 0; n < 400; ++n) {
    EXPECT_EQ(hex(sha256(bytes(text))), hex(sha256_portable(bytes(text)))) << n;
    text += static_cast<char>(n * 7);
  }
}

TEST(Crc32, InOnePieceAndByteByByte) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 37);
  for (std::size_t n = 0; n <= text.size(); ++n) {
    std::uint32_t by_bytes = 0;
    for (std::size_t i = 0; i < n; ++i) by_bytes = crc32(by_bytes, &text[i], 1);
    EXPECT_EQ(crc32(0, text.data(), n), by_bytes) << n;
  }
}

TEST(Crc32, KnownAnswer) { EXPECT_EQ(crc32(0, "123456789", 9), 0xcbf43926u); }

TEST(Glob, StarRunsOverDots) {
  EXPECT_TRUE(glob_matches("a.b.*", "a.b.c.D"));
  EXPECT_TRUE(glob_matches("*Test", "a.FooTest"));
  EXPECT_TRUE(glob_matches("a.*.B*", "a.x.y.Bar"));
  EXPECT_FALSE(glob_matches("a.b.*", "a.bc"));
  EXPECT_FALSE(glob_matches("", "a"));
}

std::string id(const char* shown, const char* fallback = "") {
  Arena arena;
  return std::string(junit_test_id(shown, fallback, arena));
}

TEST(JUnitTestId, MethodOfClass) {
  EXPECT_EQ(id("one(a.b.FooTest)"), "a.b.FooTest#one()");
}

TEST(JUnitTestId, InvocationsShareTheirMethod) {
  EXPECT_EQ(id("one[0](a.b.FooTest)"), "a.b.FooTest#one()");
  EXPECT_EQ(id("one[x=(1)](a.b.FooTest)"), "a.b.FooTest#one()");
}

TEST(JUnitTestId, WhatHasNoMethodIsItsClass) {
  EXPECT_EQ(id("a.b.FooTest"), "a.b.FooTest#*");
  EXPECT_EQ(id("one(1, 2) [0](a.b.FooTest)"), "a.b.FooTest#*");
  EXPECT_EQ(id("Given x. Then y(Feature)"), "Feature#*");
  EXPECT_EQ(id("odd text", "a.b.OldTest"), "a.b.OldTest#*");
}

TEST(JUnitTestId, NamesWithBlanksAreMethods) {
  EXPECT_EQ(id("adds two(a.b.KTest)"), "a.b.KTest#adds two()");
}

}  // namespace
}  // namespace rejig::agent
