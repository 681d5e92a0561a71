// SPDX-License-Identifier: Apache-2.0
// XXH3 of more bytes than its short forms take, with the widest vectors of
// this machine. Private to hash.cc.
#pragma once

#include <cstddef>

#include "classfile/base/hash.h"

namespace rejig::base {

inline constexpr std::size_t kShortHash = 240;

Digest128 hash128_of_long(std::span<const std::byte> bytes);

}  // namespace rejig::base
