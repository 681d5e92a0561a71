// SPDX-License-Identifier: Apache-2.0
// How fast could a reader of class files possibly be? The least that must be
// done, with nothing checked: map the jar, walk its directory, inflate every
// class with libdeflate and, if wanted, step over its pool, its members and
// every instruction. Independent of rejig, and only for jars one trusts.
#pragma once

#include <cstdint>
#include <string>

namespace rejig::bench {

struct LimitAnswer {
  std::uint64_t classes = 0;
  std::uint64_t bytes = 0;         // inflated
  std::uint64_t stored_bytes = 0;  // in the jar
  std::uint64_t methods = 0;
  std::uint64_t instructions = 0;
};

LimitAnswer limit_inflate(const std::string& jar, unsigned threads);
LimitAnswer limit_walk(const std::string& jar, unsigned threads);
// Every class of both jars once: those of `two` that stand in `one` with equal
// stored bytes are left out.
LimitAnswer limit_walk_distinct(const std::string& one, const std::string& two,
                                unsigned threads);
// memcmp of the stored bytes of all classes of two equal jars; the bytes that
// were equal.
std::uint64_t limit_compare(const std::string& one, const std::string& two,
                            unsigned threads);

// XXH3 (128 bits, as the header compiles it for any x86-64) of the stored bytes
// of every class.
LimitAnswer limit_hash(const std::string& jar, unsigned threads);

}  // namespace rejig::bench
