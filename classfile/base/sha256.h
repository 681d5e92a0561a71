// SPDX-License-Identifier: Apache-2.0
// What is the SHA-256 of these bytes (FIPS 180-4)? With the processor's own
// instructions where it has them: every class that is compared or recorded is
// asked. All of it stands here, and asks for no library, because the recorder
// links none.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rejig::base::sha {

struct Digest {
  unsigned char bytes[32];
};

alignas(16) inline constexpr std::uint32_t kRound[64] = {
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

using Blocks = void (*)(std::uint32_t*, const unsigned char*, std::size_t);

inline std::uint32_t rotate(std::uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

inline void blocks_portable(std::uint32_t* state, const unsigned char* p,
                            std::size_t n) {
  for (; n > 0; --n, p += 64) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
      w[i] = std::uint32_t{p[4 * i]} << 24 | std::uint32_t{p[4 * i + 1]} << 16 |
             std::uint32_t{p[4 * i + 2]} << 8 | p[4 * i + 3];
    }
    for (int i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
             (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    std::uint32_t v[8];
    std::memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; ++i) {
      const std::uint32_t s1 =
          rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
      const std::uint32_t t1 =
          v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + kRound[i] + w[i];
      const std::uint32_t s0 =
          rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
      const std::uint32_t t2 =
          s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      std::memmove(v + 1, v, 7 * sizeof v[0]);
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) state[i] += v[i];
  }
}

#if defined(__x86_64__)
__attribute__((target("sha,sse4.1,ssse3"))) inline void blocks_sha_ni(
    std::uint32_t* state, const unsigned char* p, std::size_t n) {
  const __m128i swap =
      _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto load = [](const void* at) __attribute__((target("sse2"))) {
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
  };
  __m128i low = _mm_shuffle_epi32(load(state), 0xb1);      // CDAB
  __m128i high = _mm_shuffle_epi32(load(state + 4), 0x1b); // EFGH
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; n > 0; --n, p += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    // Four rounds; then `first`, words that were just used, become those four
    // groups on. The groups have names because an array would live in memory.
    const unsigned char* round = reinterpret_cast<const unsigned char*>(kRound);
    auto rounds = [&](__m128i& first, __m128i second, __m128i third,
                      __m128i fourth)
        __attribute__((target("sha,sse4.1,ssse3"), always_inline)) {
      __m128i words = _mm_add_epi32(first, load(round));
      round += sizeof words;
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
      words = _mm_shuffle_epi32(words, 0x0e);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, words);
      first = _mm_sha256msg1_epu32(first, second);
      first = _mm_add_epi32(first, _mm_alignr_epi8(fourth, third, 4));
      first = _mm_sha256msg2_epu32(first, fourth);
    };
    __m128i a = _mm_shuffle_epi8(load(p), swap);
    __m128i b = _mm_shuffle_epi8(load(p + 16), swap);
    __m128i c = _mm_shuffle_epi8(load(p + 32), swap);
    __m128i d = _mm_shuffle_epi8(load(p + 48), swap);
    for (int i = 0; i < 4; ++i) {
      rounds(a, b, c, d);
      rounds(b, c, d, a);
      rounds(c, d, a, b);
      rounds(d, a, b, c);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state),
                   _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4),
                   _mm_alignr_epi8(dchg, feba, 8));
}

inline bool has_sha_ni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const bool sse = (c & bit_SSSE3) != 0 && (c & bit_SSE4_1) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return sse && (b & (1u << 29)) != 0;
}
#endif

inline Digest digest(const void* data, std::size_t size, Blocks blocks) {
  std::uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto* p = static_cast<const unsigned char*>(data);
  const std::size_t whole = size / 64;
  const std::size_t rest = size % 64;
  blocks(state, p, whole);
  unsigned char last[128] = {};
  if (rest != 0) std::memcpy(last, p + whole * 64, rest);
  last[rest] = 0x80;
  const std::size_t tail = rest < 56 ? 64 : 128;
  for (std::size_t i = 0; i < 8; ++i) {
    last[tail - 1 - i] =
        static_cast<unsigned char>(std::uint64_t{size} * 8 >> (8 * i));
  }
  blocks(state, last, tail / 64);
  Digest out{};
  for (unsigned i = 0; i < 32; ++i) {
    out.bytes[i] =
        static_cast<unsigned char>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return out;
}

inline Digest portable(const void* data, std::size_t size) {
  return digest(data, size, blocks_portable);
}

inline Digest of(const void* data, std::size_t size) {
#if defined(__x86_64__)
  static const bool fast = has_sha_ni();
  if (fast) return digest(data, size, blocks_sha_ni);
#endif
  return portable(data, size);
}

}  // namespace rejig::base::sha
