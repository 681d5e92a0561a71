// SPDX-License-Identifier: Apache-2.0
// In which order do these texts stand? By their bytes, equal ones by their
// places. Made for many long texts that begin alike (paths, class names): eight
// bytes are compared at a time, and those that a group shares only once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rejig::base {

// The places of the texts, in order. At most 2^32 - 1 texts.
std::vector<std::uint32_t> order_of(std::span<const std::string_view> texts);

}  // namespace rejig::base
