// SPDX-License-Identifier: Apache-2.0
// In which order do these numbers stand? Made for many that are not large, such
// as places in a file: a radix sort, linear in how many there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rejig::base {

// The places of the numbers, in order, equal ones by their places. At most
// 2^32 - 1 numbers.
std::vector<std::uint32_t> order_of(std::span<const std::uint64_t> numbers);

}  // namespace rejig::base
