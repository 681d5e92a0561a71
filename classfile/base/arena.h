// SPDX-License-Identifier: Apache-2.0
// Where do many small things of one phase live? In a monotonic arena: bytes are
// handed out from growing blocks and freed together with the arena.
// Only trivially destructible types; pointers live as long as the arena
// (moving the arena keeps them valid).
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rejig::base {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* allocate(std::size_t size, std::size_t align);

  template <class T>
  std::span<T> make_array(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    static_assert(std::is_trivially_default_constructible_v<T> ||
                  std::is_nothrow_default_constructible_v<T>);
    if (n == 0) return {};
    T* p = static_cast<T*>(allocate(n * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(p, n);
    return {p, n};
  }
  template <class T>
  std::span<T> copy(std::span<const T> from) {
    auto to = make_array<T>(from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  }
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* p = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(p, text.data(), text.size());
    return {p, text.size()};
  }
  std::size_t bytes_reserved() const { return reserved_; }

 private:
  static constexpr std::size_t kFirstBlock = 4096;
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 20;

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t block_size_ = kFirstBlock;
  std::size_t reserved_ = 0;
};

}  // namespace rejig::base
