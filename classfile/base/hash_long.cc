// SPDX-License-Identifier: Apache-2.0
// The inlined XXH3 of hash.cc is compiled for SSE2, which every x86-64 has; the
// library's own dispatch finds AVX2 and AVX-512 at run time. The digests are
// the same. (Debian's static library has no dispatch.)
#include "classfile/base/hash_long.h"

#if defined(__x86_64__) && !defined(REJIG_STATIC)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

namespace rejig::base {

Digest128 hash128_of_long(std::span<const std::byte> bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.high64, h.low64};
}

}  // namespace rejig::base
