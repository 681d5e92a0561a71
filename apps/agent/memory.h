// SPDX-License-Identifier: Apache-2.0
// Where does the agent's memory come from, without the C++ library? Arena hands
// out blocks that live until it dies; Buffer is a growing run of bytes. Both
// fail softly: no memory means nullptr or failed(), and the caller gives up
// what it was doing and leaves the program as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "classfile/base/byte_reader.h"

namespace rejig::agent {

using base::ByteReader;
using base::Bytes;

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (chunk_ != nullptr) {
      Chunk* next = chunk_->next;
      std::free(chunk_);
      chunk_ = next;
    }
  }

  // Takes everything back, and keeps a block for what comes next.
  void clear() {
    while (chunk_ != nullptr &&
           (chunk_->next != nullptr || chunk_->size > kChunk)) {
      Chunk* next = chunk_->next;
      std::free(chunk_);
      chunk_ = next;
    }
    if (chunk_ != nullptr) chunk_->used = 0;
  }

  template <class T>
  T* array(std::size_t n) {
    if (n > kLargest / sizeof(T)) return nullptr;
    auto* p = static_cast<T*>(allocate(n * sizeof(T)));
    if (p != nullptr) std::memset(static_cast<void*>(p), 0, n * sizeof(T));
    return p;
  }

  // A copy that ends with a zero byte; data() is nullptr without memory.
  std::string_view copy(std::string_view text) {
    char* p = array<char>(text.size() + 1);
    if (p == nullptr) return {};
    std::memcpy(p, text.data(), text.size());
    return {p, text.size()};
  }

 private:
  struct Chunk {
    Chunk* next;
    std::size_t size;
    std::size_t used;
    std::size_t unused;
  };
  static constexpr std::size_t kChunk = std::size_t{64} * 1024;
  static constexpr std::size_t kLargest = std::size_t{1} << 30;

  void* allocate(std::size_t n) {
    n = (n + 15) & ~std::size_t{15};
    if (chunk_ == nullptr || chunk_->size - chunk_->used < n) {
      const std::size_t size = n > kChunk ? n : kChunk;
      auto* fresh = static_cast<Chunk*>(std::malloc(sizeof(Chunk) + size));
      if (fresh == nullptr) return nullptr;
      *fresh = {chunk_, size, 0, 0};
      chunk_ = fresh;
    }
    void* p = reinterpret_cast<char*>(chunk_ + 1) + chunk_->used;
    chunk_->used += n;
    return p;
  }

  Chunk* chunk_ = nullptr;
};

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  bool failed() const { return failed_; }
  std::size_t size() const { return size_; }
  const unsigned char* data() const { return data_; }
  void clear() { size_ = 0; }
  // clear() that gives back what is large.
  void drop(std::size_t large) {
    size_ = 0;
    if (capacity_ <= large) return;
    std::free(data_);
    data_ = nullptr;
    capacity_ = 0;
  }
  void swap(Buffer& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(failed_, other.failed_);
  }
  // Room for n bytes in all, asked for at once.
  void reserve(std::size_t n) {
    if (n > capacity_) need(n - size_);
  }
  void truncate(std::size_t n) {
    if (n < size_) size_ = n;
  }

  void u1(unsigned v) {
    if (need(1)) data_[size_++] = static_cast<unsigned char>(v);
  }
  void u2(unsigned v) {
    if (!need(2)) return;
    size_ += 2;
    put_u2(size_ - 2, v);
  }
  void u4(std::uint32_t v) {
    if (!need(4)) return;
    size_ += 4;
    put_u2(size_ - 4, v >> 16);
    put_u2(size_ - 2, v);
  }
  void u8(std::uint64_t v) {
    u4(static_cast<std::uint32_t>(v >> 32));
    u4(static_cast<std::uint32_t>(v));
  }
  void varint(std::uint32_t v) {
    while (v >= 0x80) {
      u1(v | 0x80);
      v >>= 7;
    }
    u1(v);
  }
  // Signed values near zero in few bytes: 0, -1, 1, -2 … become 0, 1, 2, 3 …
  void zigzag(std::int32_t v) {
    varint(static_cast<std::uint32_t>(v) << 1 ^
           static_cast<std::uint32_t>(v >> 31));
  }
  void bytes(const void* p, std::size_t n) {
    if (n == 0 || !need(n)) return;
    std::memcpy(data_ + size_, p, n);
    size_ += n;
  }
  void bytes(Bytes b) { bytes(b.data(), b.size()); }
  void bytes(const Buffer& other) {
    if (other.failed_) failed_ = true;
    bytes(other.data_, other.size_);
  }
  // u2 length and the bytes; longer text is cut.
  void text(std::string_view s) {
    const std::size_t n = s.size() < 0xffff ? s.size() : 0xffff;
    u2(static_cast<unsigned>(n));
    bytes(s.data(), n);
  }
  void set_u2(std::size_t at, unsigned v) {
    if (at + 2 <= size_) put_u2(at, v);
  }
  void set_u4(std::size_t at, std::uint32_t v) {
    set_u2(at, v >> 16);
    set_u2(at + 2, v & 0xffff);
  }

 private:
  void put_u2(std::size_t at, unsigned v) {
    data_[at] = static_cast<unsigned char>(v >> 8);
    data_[at + 1] = static_cast<unsigned char>(v);
  }
  bool need(std::size_t n) {
    if (failed_) return false;
    if (capacity_ - size_ >= n) return true;
    return grow(n);
  }
  __attribute__((noinline)) bool grow(std::size_t n) {
    std::size_t wanted = capacity_ < 256 ? 256 : capacity_ * 2;
    while (wanted - size_ < n) wanted *= 2;
    auto* p = static_cast<unsigned char*>(std::realloc(data_, wanted));
    if (p == nullptr) {
      failed_ = true;
      return false;
    }
    data_ = p;
    capacity_ = wanted;
    return true;
  }

  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool failed_ = false;
};

// A growing list of numbers.
class Ids {
 public:
  ~Ids() { std::free(data_); }
  Ids() = default;
  Ids(const Ids&) = delete;
  Ids& operator=(const Ids&) = delete;
  bool add(std::uint32_t v) {
    if (size_ == capacity_) {
      const std::size_t wanted = capacity_ == 0 ? 64 : capacity_ * 2;
      void* p = std::realloc(data_, wanted * sizeof *data_);
      if (p == nullptr) return false;
      data_ = static_cast<std::uint32_t*>(p);
      capacity_ = wanted;
    }
    data_[size_++] = v;
    return true;
  }
  void clear() { size_ = 0; }
  bool has(std::uint32_t v) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (data_[i] == v) return true;
    }
    return false;
  }
  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t i) const { return data_[i]; }
  void set(std::size_t i, std::uint32_t v) { data_[i] = v; }

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Of equal texts equal numbers, eight bytes at a time.
inline std::uint32_t hash_of(std::string_view s, std::uint32_t seed) {
  std::uint64_t h = (s.size() + seed + 1) * 0x9e3779b97f4a7c15u;
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  };
  std::uint64_t word = 0;
  while (s.size() >= sizeof word) {
    std::memcpy(&word, s.data(), sizeof word);
    mix(word);
    s.remove_prefix(sizeof word);
  }
  word = 0;
  for (const char c : s) word = word << 8 | static_cast<unsigned char>(c);
  mix(word);
  return static_cast<std::uint32_t>(h);
}

inline bool ends_with(std::string_view s, std::string_view tail) {
  return s.size() >= tail.size() &&
         std::memcmp(s.data() + s.size() - tail.size(), tail.data(),
                     tail.size()) == 0;
}

inline bool starts_with(std::string_view s, std::string_view head) {
  return s.size() >= head.size() &&
         std::memcmp(s.data(), head.data(), head.size()) == 0;
}

}  // namespace rejig::agent
