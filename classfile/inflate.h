// SPDX-License-Identifier: Apache-2.0
// Which bytes does this deflated stream stand for?
// One decompressor a thread. The caller names the exact size; a stream that
// gives more or fewer bytes is an Error, so a lie costs no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

// The largest file that is read into memory as a whole.
inline constexpr std::uint64_t kLargestRead = std::uint64_t{256} << 20;

enum class Wrapper : std::uint8_t { kRaw, kZlib };

// `size` bytes at the start of `buffer`, which grows when it must and never
// shrinks. `behind`: how many bytes behind `stored` can be read, too.
base::Result<base::Bytes> inflate(base::Bytes stored, std::uint64_t size,
                                  std::vector<std::byte>& buffer,
                                  Wrapper wrapper = Wrapper::kRaw,
                                  std::size_t behind = 0);

// The first `size` bytes of `buffer`, grown to hold them.
std::byte* room_for(std::vector<std::byte>& buffer, std::uint64_t size);

}  // namespace rejig::classfile
