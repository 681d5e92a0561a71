// SPDX-License-Identifier: Apache-2.0
// Where do the names of a world live? In one table that any thread may add to:
// intern() returns a view whose bytes live as long as the table and are stored
// once for each content. Nothing is ever ordered by address.
#pragma once

#include <array>
#include <mutex>
#include <string_view>

#include "classfile/base/arena.h"
#include "classfile/base/hash_map.h"

namespace rejig::jig {

using Name = std::string_view;

class Names {
 public:
  Name intern(std::string_view text);

 private:
  static constexpr std::size_t kShards = 64;
  struct alignas(64) Shard {
    std::mutex mutex;
    base::Arena bytes;
    base::HashMap<std::string_view, std::string_view> table;
  };
  std::array<Shard, kShards> shards_;
};

}  // namespace rejig::jig
