// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/hash.h"

// Short texts are most of what is hashed: no call through a library's table.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cstring>

#include "classfile/base/hash_long.h"

namespace rejig::base {

std::uint64_t hash64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t hash64(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

Digest128 hash128(std::span<const std::byte> bytes) {
  if (bytes.size() > kShortHash) return hash128_of_long(bytes);
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.high64, h.low64};
}

Digest128 hash128(std::string_view text) {
  return hash128(std::as_bytes(std::span(text.data(), text.size())));
}

std::string to_hex(std::span<const std::byte> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) {
    const auto v = std::to_integer<unsigned>(b);
    out += kDigits[v >> 4];
    out += kDigits[v & 15];
  }
  return out;
}

std::string to_hex(const Digest128& digest) {
  std::array<std::byte, 16> bytes{};
  for (unsigned i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::byte>(digest.high >> (56 - 8 * i));
    bytes[8 + i] = static_cast<std::byte>(digest.low >> (56 - 8 * i));
  }
  return to_hex(bytes);
}

namespace {

constexpr std::array<std::uint32_t, 64> kSha256Round = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void sha256_block(std::array<std::uint32_t, 8>& state,
                  const std::byte* block) {
  std::array<std::uint32_t, 64> w{};
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned k = 0; k < 4; ++k) {
      w[i] = w[i] << 8 | std::to_integer<std::uint32_t>(block[4 * i + k]);
    }
  }
  for (unsigned i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15];
    const std::uint32_t b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           w[i - 7] + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto s = state;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint32_t t1 =
        s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
        ((s[4] & s[5]) ^ (~s[4] & s[6])) + kSha256Round[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
        ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (unsigned i = 0; i < 8; ++i) state[i] += s[i];
}

}  // namespace

std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) {
  std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                        0xa54ff53a, 0x510e527f, 0x9b05688c,
                                        0x1f83d9ab, 0x5be0cd19};
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) {
    sha256_block(state, bytes.data() + at);
  }
  std::array<std::byte, 128> tail{};
  const std::size_t rest = bytes.size() - whole;
  if (rest != 0) std::memcpy(tail.data(), bytes.data() + whole, rest);
  tail[rest] = std::byte{0x80};
  const std::size_t tail_size = rest < 56 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (unsigned i = 0; i < 8; ++i) {
    tail[tail_size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  }
  for (std::size_t at = 0; at < tail_size; at += 64) {
    sha256_block(state, tail.data() + at);
  }
  std::array<std::byte, 32> out{};
  for (unsigned i = 0; i < 32; ++i) {
    out[i] = static_cast<std::byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return out;
}

}  // namespace rejig::base
