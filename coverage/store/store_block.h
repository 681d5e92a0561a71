// SPDX-License-Identifier: Apache-2.0
// What is inside the SQLite file of a store? Numbered, checksummed blocks in
// one table; FORMAT.md says what each kind holds. This header writes and reads
// blocks and the three codings in them: LEB128 numbers, front-coded names and
// zstd frames. Reading is bounded: a hostile block is an Error.
// Private to coverage/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::coverage {

inline constexpr std::uint32_t kApplicationId = 0x524a4d31;  // "RJM1"
inline constexpr std::uint32_t kFormatVersion = 3;
inline constexpr std::size_t kRowsPerBlock = 4096;
inline constexpr std::size_t kAtomsPerBlock = 64;
inline constexpr std::size_t kAtomBits = 6;  // of a place in a block
// Masks of a block's atoms are packed together up to this many bytes.
inline constexpr std::size_t kMaskFrame = std::size_t{1} << 15;
// Rows of one test class, at most.
inline constexpr std::size_t kRowsPerGroup = 64;
inline constexpr std::size_t kNamesPerBlock = 4096;
inline constexpr std::size_t kLargestFrame = std::size_t{256} << 20;

enum class BlockKind : std::uint8_t {
  kRoot = 1,
  kRows,
  kAtoms,
  kAtomDirectory,
  kClasses,
  kEnvironment,
  kFactDirectory,
  kFact,
  kGroups,
};
std::string_view name_of(BlockKind kind);

using BlockId = std::uint64_t;  // 1, 2, … without a gap; the root is the last

void put_varint(std::string& out, std::uint64_t value);
void put_text(std::string& out, std::string_view text);
// Only what differs from `previous`.
void put_front_coded(std::string& out, std::string_view previous,
                     std::string_view text);

inline std::uint64_t get_varint(base::ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = in.u1();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  in.fail();
  return 0;
}
std::string_view get_text(base::ByteReader& in);
// Turns the previous text into the next one.
void get_front_coded(base::ByteReader& in, std::string& text);

inline base::Bytes as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view as_text(base::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// zstd with reused contexts. A frame is its raw size, its stored size, and the
// bytes, which are stored raw when that is not longer.
class Codec {
 public:
  Codec();
  ~Codec();
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  void put_frame(std::string& out, std::string_view raw);
  // False: the frame is damaged; `in` has failed as well.
  bool get_frame(base::ByteReader& in, std::string& raw);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Sqlite;

class BlockReader {
 public:
  static base::Result<std::unique_ptr<BlockReader>> open(
      const std::string& path);
  ~BlockReader();

  BlockId last() const { return ends_.size(); }
  const std::string& path() const { return path_; }
  // The checked payload, valid until the next call.
  base::Result<base::Bytes> read(BlockId id, BlockKind kind);
  // "x.db block 7 (rows)"
  std::string where(BlockId id, BlockKind kind) const;
  base::Error damaged(BlockId id, BlockKind kind, std::string what) const;

 private:
  BlockReader();
  base::Result<void> read_index(std::uint64_t chunks);
  base::Result<void> read_stream(std::uint64_t offset, std::uint64_t size);

  std::string path_;
  std::unique_ptr<Sqlite> db_;
  std::vector<std::uint64_t> ends_;  // in the stream, of each block
  std::string buffer_;
};

// Writes a new file; finish() makes it complete and durable.
class BlockWriter {
 public:
  static base::Result<std::unique_ptr<BlockWriter>> create(
      const std::string& path);
  ~BlockWriter();

  base::Result<BlockId> add(BlockKind kind, std::string_view payload);
  BlockId next() const { return next_; }
  base::Result<void> finish();

 private:
  BlockWriter();
  base::Result<void> put_chunk(std::string_view bytes);

  std::string path_;
  std::unique_ptr<Sqlite> db_;
  BlockId next_ = 1;
  std::uint64_t chunks_ = 0;
  std::uint64_t written_ = 0;  // bytes of the stream
  std::string index_;
  std::string pending_;  // not yet a chunk
};

}  // namespace rejig::coverage
