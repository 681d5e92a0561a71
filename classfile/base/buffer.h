// SPDX-License-Identifier: Apache-2.0
// Where do the bytes of one file after another go? Into memory that is used
// again and not written before it is filled. A Buffer over KeptBytes lets its
// owner keep what was read where it stands.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "classfile/base/byte_reader.h"

namespace rejig::base {

// Files that are kept, one behind the other; freed together. For one thread.
class KeptBytes {
 public:
  KeptBytes() = default;
  KeptBytes(KeptBytes&&) = default;
  KeptBytes& operator=(KeptBytes&&) = default;
  KeptBytes(const KeptBytes&) = delete;
  KeptBytes& operator=(const KeptBytes&) = delete;

  // Room that is somebody else's by the next call, unless something is kept.
  std::byte* room(std::size_t n);
  // What stands at the begin of the last room stays there; other bytes are
  // copied. A byte more may be read behind them.
  Bytes keep(Bytes bytes);
  std::size_t bytes_reserved() const { return reserved_; }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t reserved_ = 0;
};

class Buffer {
 public:
  Buffer() = default;
  // `kept` outlives the buffer.
  explicit Buffer(KeptBytes& kept) : kept_(&kept) {}

  // n bytes, whatever is in them; what was in the buffer is gone.
  std::byte* room(std::size_t n);

 private:
  KeptBytes* kept_ = nullptr;
  std::unique_ptr<std::byte[]> own_;
  std::size_t size_ = 0;
};

}  // namespace rejig::base
