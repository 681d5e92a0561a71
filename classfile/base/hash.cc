// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/hash.h"

// Short texts are most of what is hashed: no call through a library's table.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "classfile/base/hash_long.h"
#include "classfile/base/sha256.h"

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

std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) {
  const sha::Digest digest = sha::of(bytes.data(), bytes.size());
  std::array<std::byte, 32> out{};
  std::memcpy(out.data(), digest.bytes, out.size());
  return out;
}

Digest256 digest256(std::span<const std::byte> bytes) {
  const sha::Digest digest = sha::of(bytes.data(), bytes.size());
  Digest256 out;
  for (unsigned i = 0; i < 32; ++i) {
    out.words[i / 8] = out.words[i / 8] << 8 | digest.bytes[i];
  }
  return out;
}

Digest256 digest256(std::string_view text) {
  return digest256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string to_hex(const Digest256& digest) {
  std::array<std::byte, 32> bytes{};
  for (unsigned i = 0; i < 32; ++i) {
    bytes[i] = static_cast<std::byte>(digest.words[i / 8] >> (56 - 8 * (i % 8)));
  }
  return to_hex(bytes);
}

}  // namespace rejig::base
