// SPDX-License-Identifier: Apache-2.0
// What is the SHA-256 of a class file (FIPS 180-4)? With the processor's own
// instructions where it has them: digests are taken of every class loaded.
#pragma once

#include "apps/agent/memory.h"

namespace rejig::agent {

struct Digest {
  unsigned char bytes[32];
  bool operator==(const Digest& o) const {
    return std::memcmp(bytes, o.bytes, sizeof bytes) == 0;
  }
};

Digest sha256(Bytes data);
// Without the processor's instructions, so that tests can compare.
Digest sha256_portable(Bytes data);

std::uint32_t crc32(std::uint32_t so_far, const void* data, std::size_t n);

}  // namespace rejig::agent
