// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/sha256.h"

#include "classfile/base/sha256.h"

namespace rejig::agent {
namespace {

Digest copied(const base::sha::Digest& from) {
  Digest out{};
  std::memcpy(out.bytes, from.bytes, sizeof out.bytes);
  return out;
}

// of[k][b]: what byte b does to the sum when k bytes follow it.
struct CrcTable {
  std::uint32_t of[8][256];
};

constexpr CrcTable make_crc_table() {
  CrcTable t{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
    t.of[0][i] = c;
  }
  for (unsigned k = 1; k < 8; ++k) {
    for (unsigned i = 0; i < 256; ++i) {
      const std::uint32_t c = t.of[k - 1][i];
      t.of[k][i] = t.of[0][c & 0xff] ^ c >> 8;
    }
  }
  return t;
}

constexpr CrcTable kCrc = make_crc_table();

}  // namespace

Digest sha256_portable(Bytes data) {
  return copied(base::sha::portable(data.data(), data.size()));
}

Digest sha256(Bytes data) {
  return copied(base::sha::of(data.data(), data.size()));
}

std::uint32_t crc32(std::uint32_t so_far, const void* data, std::size_t n) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint32_t c = ~so_far;
  for (; n >= 8; p += 8, n -= 8) {
    std::uint32_t next = 0;
    for (unsigned i = 0; i < 4; ++i) {
      next ^= kCrc.of[7 - i][(c >> 8 * i ^ p[i]) & 0xff];
      next ^= kCrc.of[3 - i][p[4 + i]];
    }
    c = next;
  }
  for (; n > 0; ++p, --n) c = kCrc.of[0][(c ^ *p) & 0xff] ^ c >> 8;
  return ~c;
}

}  // namespace rejig::agent
