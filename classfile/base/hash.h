// SPDX-License-Identifier: Apache-2.0
// What is a good digest of these bytes? XXH3 for tables and against damage: two
// texts of one XXH3 are made in a second. SHA-256 where equal digests stand for
// equal bytes and something is left out for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rejig::base {

struct Digest128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Digest128&, const Digest128&) = default;
  friend auto operator<=>(const Digest128&, const Digest128&) = default;
};

std::uint64_t hash64(std::span<const std::byte> bytes);
std::uint64_t hash64(std::string_view text);
Digest128 hash128(std::span<const std::byte> bytes);
Digest128 hash128(std::string_view text);

// 32 lower-case hex digits.
std::string to_hex(const Digest128& digest);

// SHA-256 (FIPS 180-4), as bytes and as a key.
std::array<std::byte, 32> sha256(std::span<const std::byte> bytes);
struct Digest256 {
  std::array<std::uint64_t, 4> words{};
  friend bool operator==(const Digest256&, const Digest256&) = default;
  friend auto operator<=>(const Digest256&, const Digest256&) = default;
};
Digest256 digest256(std::span<const std::byte> bytes);
Digest256 digest256(std::string_view text);
// 64 lower-case hex digits.
std::string to_hex(const Digest256& digest);
std::string to_hex(std::span<const std::byte> bytes);

// Mixes an integer key for a hash table.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

}  // namespace rejig::base
