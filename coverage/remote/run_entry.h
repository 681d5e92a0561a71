// SPDX-License-Identifier: Apache-2.0
// What was run, and where is its segment? Names and texts of a remote:
//
//     v1/obj/SHA-256                                   a segment, by its content
//     v1/run/COMMIT/SUITE/FINGERPRINT/I-of-N           an entry: a shard's segment
//     v1/run/COMMIT/SUITE/FINGERPRINT/env              what a fingerprint stands
//                                                      for, and N
//     v1/head/BRANCH                                   a hint: a commit
//
// Entries are written last and say where they stand, so that one means nothing
// elsewhere; a text that is not wholly understood is an Error. Nothing here proves anything: whoever reads
// compares digests, of segments and then of classes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::coverage {

inline constexpr const char* kObjects = "v1/obj";
inline constexpr const char* kRuns = "v1/run";
inline constexpr unsigned kMostShards = 1000;

struct RunPlace {
  std::string commit;
  std::string suite;
  std::string fingerprint;

  std::string folder() const;
  std::string env() const { return folder() + "/env"; }
  std::string entry(unsigned index, unsigned of) const;
};

// Any text as a part of a name: letters, digits, '-', '_' and '.' stay.
std::string as_name(std::string_view text);
std::string from_name(std::string_view name);
std::string object_key(const std::string& digest);
std::string head_key(const std::string& branch);
// 40 or 64 hexadecimal digits.
bool is_commit(std::string_view text);
bool is_digest(std::string_view text);

struct RunEntry {
  std::string segment;  // SHA-256 in hex
  std::uint64_t size = 0;
  std::string plan = "-";  // of the plan that divided the tests; "-": none
  std::uint64_t rows = 0;
  std::uint64_t ran = 0;  // tests that ran in this shard
  std::int64_t time = 0;  // seconds since 1970, of the run
  // Over all the rest; empty: nobody's.
  std::string signature;
};
// `key` is where it will stand; `secret`: see signature.h, empty: not signed.
base::Result<std::string> entry_text(const RunEntry& entry,
                                     const std::string& key,
                                     const std::string& secret);
// With `keys` an entry that none of them signed is an Error.
base::Result<RunEntry> parse_entry(const std::string& text,
                                   const std::string& key,
                                   const std::vector<std::string>& keys);

struct RunEnv {
  unsigned shards = 1;
  std::vector<std::string> words;  // a line each: what the fingerprint is of
};
std::string env_text(const RunEnv& env);
base::Result<RunEnv> parse_env(const std::string& text);

}  // namespace rejig::coverage
