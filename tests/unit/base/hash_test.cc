// SPDX-License-Identifier: Apache-2.0
// In plain C++ and SSE2, compiled into this file.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "classfile/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rejig::base {
namespace {

std::string sha256_of(std::string_view text) {
  return to_hex(sha256(std::as_bytes(std::span(text))));
}

// The examples of FIPS 180-4 and of NIST's long message.
TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256_of(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039"
      "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, EveryLengthAroundABlockHasItsOwnDigest) {
  std::set<std::string> seen;
  for (std::size_t n = 0; n < 200; ++n) {
    EXPECT_TRUE(seen.insert(sha256_of(std::string(n, 'a'))).second) << n;
  }
}

// The digests of XXH3 that its own tool (xxhsum -H3, -H2) prints.
TEST(Hash, IsTheOneOfXxh3) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(to_hex(hash128("")), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash64("rejig"), hash64(std::as_bytes(std::span("rejig", 5))));
}

// Whatever vectors this machine has: a store is read on another one, too.
TEST(Hash, IsTheSameWithEveryVectorUnit) {
  std::string text;
  for (unsigned i = 0; i < 5000; ++i) {
    const XXH128_hash_t plain = XXH3_128bits(text.data(), text.size());
    ASSERT_EQ(hash128(text), (Digest128{plain.high64, plain.low64})) << i;
    text += static_cast<char>(i * 7 + i / 251);
  }
}

TEST(Hash, HexHasAllItsDigits) {
  EXPECT_EQ(to_hex(Digest128{0, 0x1f}), std::string(30, '0') + "1f");
  EXPECT_EQ(to_hex(Digest128{1, 0}), "0000000000000001" + std::string(16, '0'));
}

TEST(Hash, MixingKeepsNumbersApart) {
  std::set<std::uint64_t> low;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    // Multiples of a power of two would share a place unmixed.
    low.insert(mix64(i << 32) & 0xffff);
  }
  EXPECT_GT(low.size(), 3800u);
}

}  // namespace
}  // namespace rejig::base
