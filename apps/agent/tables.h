// SPDX-License-Identifier: Apache-2.0
// How does the recorder find again what it has numbered? Tables of keys with
// numbers, and of names; they only grow. No memory is number 0.
#pragma once

#include <new>

#include "apps/agent/memory.h"

namespace rejig::agent {

inline constexpr std::uint32_t kBuckets = 1 << 14;

inline std::uint32_t hash(std::string_view s, std::uint32_t seed) {
  return hash_of(s, seed) & (kBuckets - 1);
}

// Keys with numbers from 1 on, chained by bucket; a key has a member `next`.
template <class Key>
class Table {
 public:
  ~Table() { std::free(keys_); }
  // Numbers of one bucket, newest first; 0 ends.
  std::uint32_t first(std::uint32_t bucket) const { return heads_[bucket]; }
  Key& operator[](std::uint32_t number) { return keys_[number - 1]; }
  // 0 without memory.
  std::uint32_t add(std::uint32_t bucket, Key key) {
    if (size_ == capacity_) {
      const std::uint32_t wanted = capacity_ == 0 ? 256 : capacity_ * 2;
      void* p = std::realloc(keys_, wanted * sizeof(Key));
      if (p == nullptr) return 0;
      keys_ = static_cast<Key*>(p);
      capacity_ = wanted;
    }
    key.next = heads_[bucket];
    keys_[size_++] = key;
    return heads_[bucket] = size_;
  }
  std::uint32_t number_of(const Key& key) const {
    return static_cast<std::uint32_t>(&key - keys_) + 1;
  }
  std::size_t bytes() const {
    return sizeof *this + std::size_t{capacity_} * sizeof(Key);
  }

 private:
  Key* keys_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t heads_[kBuckets] = {};
};

// Names of classes, each once.
class NameTable {
 public:
  // 0 without memory; `fresh` when nobody asked for it before. A name that
  // lives long enough, `kept`, is not copied.
  std::uint32_t number(std::string_view name, Arena& texts, bool kept,
                       bool& fresh) {
    const std::uint32_t bucket = hash(name, 3);
    fresh = false;
    for (std::uint32_t n = table_.first(bucket); n != 0; n = table_[n].next) {
      if (text(n) == name) return n;
    }
    if (!kept) name = texts.copy(name);
    if (name.data() == nullptr) return 0;
    fresh = true;
    return table_.add(
        bucket, {0, static_cast<std::uint32_t>(name.size()), name.data()});
  }
  std::string_view text(std::uint32_t n) {
    return {table_[n].text, table_[n].size};
  }

 private:
  struct Key {
    std::uint32_t next;
    std::uint32_t size;
    const char* text;
  };
  Table<Key> table_;
};

template <class T>
T* make() {
  void* p = std::calloc(1, sizeof(T));
  return p == nullptr ? nullptr : ::new (p) T;
}

template <class T>
void destroy(T* p) {
  p->~T();
  std::free(p);
}

}  // namespace rejig::agent
