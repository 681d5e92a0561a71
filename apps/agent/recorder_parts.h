// SPDX-License-Identifier: Apache-2.0
// What the recorder is made of; for recorder.cc and recorder_scopes.cc only.
#pragma once

#include <new>

#include "apps/agent/recorder.h"

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
  // 0 without memory; `fresh` when nobody asked for it before.
  std::uint32_t number(std::string_view name, Arena& texts, bool& fresh) {
    const std::uint32_t bucket = hash(name, 3);
    fresh = false;
    for (std::uint32_t n = table_.first(bucket); n != 0; n = table_[n].next) {
      if (text(n) == name) return n;
    }
    const std::string_view kept = texts.copy(name);
    if (kept.data() == nullptr) return 0;
    fresh = true;
    return table_.add(
        bucket, {0, static_cast<std::uint32_t>(kept.size()), kept.data()});
  }
  std::string_view text(std::uint32_t n) {
    return {table_[n].text, table_[n].size};
  }
  std::size_t bytes() const { return table_.bytes(); }

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

struct Recorder::Scope {
  Scope* next = nullptr;
  std::uint32_t number = 0;
  std::uint32_t parent = 0;
  ScopeKind kind = ScopeKind::kContainer;
  Result result = Result::kPass;
  bool overlapped = false;
  unsigned inner_tests = 0;
  Thread thread = nullptr;
  std::uint32_t id_hash = 0;
  Work work;
};

struct Recorder::Init {
  Init* next = nullptr;
  Thread thread = nullptr;
  void* cls = nullptr;
  std::uint32_t class_number = 0;
  unsigned char* seen = nullptr;  // methods already in the row, a bit each
  Work work;
  ~Init() { std::free(seen); }
  // False when the method is in the row.
  bool first_time(std::uint32_t method) {
    if (seen == nullptr) {
      seen = static_cast<unsigned char*>(std::calloc(kMaxMethods / 8, 1));
    }
    if (seen == nullptr || method >= kMaxMethods) return true;
    const auto bit = static_cast<unsigned char>(1u << (method % 8));
    const bool fresh = (seen[method / 8] & bit) == 0;
    seen[method / 8] = static_cast<unsigned char>(seen[method / 8] | bit);
    return fresh;
  }
};

// By name. A class is known by the first half of its digest.
struct Recorder::ClassKey {
  std::uint32_t next = 0;
  std::uint32_t name = 0;
  unsigned char digest[16] = {};
  std::uint32_t first_method = 0;
  bool external = false;
};

struct Recorder::ReceiverKey {
  std::uint32_t next = 0;
  std::uint32_t method = 0;
  std::uint32_t name = 0;
  std::uint32_t told = 0;  // epoch in which the open scopes got it
};

struct Recorder::FactKey {
  FactKey* next = nullptr;
  std::string_view text;
  unsigned kind = 0;
  std::uint32_t number = 0;
  std::uint32_t told = 0;  // epoch in which the open scopes got it
};

class Recorder::Locked {
 public:
  explicit Locked(Recorder& r) : r_(r) { pthread_mutex_lock(&r.mutex_); }
  ~Locked() { pthread_mutex_unlock(&r_.mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Recorder& r_;
};

}  // namespace rejig::agent
