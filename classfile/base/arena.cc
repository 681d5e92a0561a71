// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/arena.h"

#include <algorithm>
#include <cstdint>

namespace rejig::base {

void* Arena::allocate(std::size_t size, std::size_t align) {
  const auto at = reinterpret_cast<std::uintptr_t>(next_);
  const std::size_t pad = (align - at % align) % align;
  if (next_ == nullptr || left_ < size + pad) {
    const std::size_t want = std::max(block_size_, size + align);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(want));
    next_ = blocks_.back().get();
    left_ = want;
    reserved_ += want;
    block_size_ = std::min(block_size_ * 2, kLargestBlock);
    return allocate(size, align);
  }
  std::byte* out = next_ + pad;
  next_ = out + size;
  left_ -= size + pad;
  return out;
}

}  // namespace rejig::base
