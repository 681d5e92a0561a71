// SPDX-License-Identifier: Apache-2.0
// How is the record of an old program laid out? FORMAT.md says it; this is what
// its writer and its reader share. Private to coverage/.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/hash.h"
#include "classfile/program/file_keys.h"
#include "coverage/store/old_program.h"

namespace rejig::coverage {

// Flags of a file.
inline constexpr unsigned kHasStored = 1;
inline constexpr unsigned kHasContent = 2;
inline constexpr unsigned kUnreadable = 8;

void put_digest(std::string& out, const base::Digest256& digest);
base::Digest256 get_digest(base::ByteReader& in);

// Neighbouring classes, by name; a chunk ends with a class whose name says so,
// so that a class that comes or goes changes one chunk or two.
class ProgramChunk {
 public:
  static bool ends_with(std::string_view class_name) {
    constexpr std::uint64_t kMask = 63;
    return (base::hash64(class_name) & kMask) == 0;
  }

  void add(std::string_view class_name, const classfile::FileKey& key) {
    text_ += class_name;
    text_ += '\0';
    key.append_to(text_);
    ++size_;
    matchable_ = matchable_ && key.kind != classfile::FileKey::Kind::kNone;
  }
  std::size_t size() const { return size_; }
  // False: some class could not be read, and the chunk equals no other.
  bool matchable() const { return matchable_; }
  base::Digest256 digest() const { return base::digest256(text_); }
  void clear() { *this = ProgramChunk(); }

 private:
  std::string text_;
  std::size_t size_ = 0;
  bool matchable_ = true;
};

struct ChunkEntry {
  std::uint64_t classes = 0;
  bool matchable = false;
  base::Digest256 digest;
  std::uint64_t fact = 0;    // index into ProgramHead::lists
  std::uint64_t offset = 0;  // of its first file in there
};

// What stands before the files.
struct ProgramHead {
  ProgramOrigin origin;
  std::vector<std::pair<std::string, std::string>> refused;
  std::vector<std::pair<std::string, std::string>> refused_by_some;
  std::vector<base::Digest256> packs;  // "pack/DIGEST"
  std::vector<base::Digest256> lists;  // "list/DIGEST"
  std::vector<ChunkEntry> chunks;
};

void put_head(std::string& out, const ProgramHead& head);
// False: it is of another version, or damaged.
bool get_head(base::ByteReader& in, ProgramHead& out);

void put_tests(std::string& out, const std::vector<StoredTest>& tests);
std::vector<StoredTest> get_tests(base::ByteReader& in);

}  // namespace rejig::coverage
