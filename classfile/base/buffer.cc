// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/buffer.h"

#include <algorithm>
#include <cstring>

namespace rejig::base {

std::byte* KeptBytes::room(std::size_t n) {
  if (left_ < n) {
    const std::size_t size = std::max(n, kBlock);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    next_ = blocks_.back().get();
    left_ = size;
    reserved_ += size;
  }
  return next_;
}

Bytes KeptBytes::keep(Bytes bytes) {
  const std::size_t taken = bytes.size() + 1;
  std::byte* const at = room(taken);
  if (bytes.data() != at) {
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    at[bytes.size()] = std::byte{0};
  }
  next_ += taken;
  left_ -= taken;
  return {at, bytes.size()};
}

std::byte* Buffer::room(std::size_t n) {
  if (kept_ != nullptr) return kept_->room(n);
  if (size_ < n) {
    // A buffer that is used again grows by more than is asked for.
    constexpr std::size_t kMostMore = std::size_t{4} << 20;
    const std::size_t more = own_ ? std::min(n / 2, kMostMore) : 0;
    own_.reset();
    size_ = 0;
    own_ = std::make_unique_for_overwrite<std::byte[]>(n + more);
    size_ = n + more;
  }
  return own_.get();
}

}  // namespace rejig::base
