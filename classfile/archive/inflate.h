// SPDX-License-Identifier: Apache-2.0
// Which bytes does this deflated stream stand for?
// One decompressor a thread. The caller names the exact size; a stream that
// gives more or fewer bytes is an Error, so a lie costs no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classfile/base/buffer.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

// The largest file that is read into memory as a whole.
inline constexpr std::uint64_t kLargestRead = std::uint64_t{256} << 20;

enum class Wrapper : std::uint8_t { kRaw, kZlib };

// `size` bytes at the start of `buffer`. `behind`: how many bytes behind `stored` can be read, too.
base::Result<base::Bytes> inflate(base::Bytes stored, std::uint64_t size,
                                  base::Buffer& buffer,
                                  Wrapper wrapper = Wrapper::kRaw,
                                  std::size_t behind = 0);

// False: no deflated stream of that size can.
bool inflates_to_at_most(base::Bytes stored, std::uint64_t size);

}  // namespace rejig::classfile
