// SPDX-License-Identifier: Apache-2.0
// Which numbers of one row file were met? Each once, in the order they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rejig::coverage {

// Numbers seen once, in the order they came; cleared at once.
class Marks {
 public:
  explicit Marks(std::size_t size) : seen_(size, 0) {}
  void add(const std::vector<std::uint32_t>& from) {
    for (const auto n : from) add(n);
  }
  // True when it is new.
  bool add(std::uint32_t n) {
    if (seen_[n] == round_) return false;
    seen_[n] = round_;
    list_.push_back(n);
    return true;
  }
  bool has(std::uint32_t n) const { return seen_[n] == round_; }
  const std::vector<std::uint32_t>& list() const { return list_; }
  void clear() {
    list_.clear();
    ++round_;
  }

 private:
  std::vector<std::uint32_t> seen_;
  std::vector<std::uint32_t> list_;
  std::uint32_t round_ = 1;
};

}  // namespace rejig::coverage
