// SPDX-License-Identifier: Apache-2.0
// Is this key known, and what belongs to it? Open addressing with linear
// probing. There is deliberately no begin(): the order of a hash table must
// never reach an id, a file or the output. sorted_keys() is the explicit way.
// Pointers to values are valid until the next insertion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/base/ids.h"

namespace rejig::base {

template <class K, class = void>
struct HashOf {
  std::uint64_t operator()(const K& key) const {
    return mix64(static_cast<std::uint64_t>(std::hash<K>()(key)));
  }
};
template <class K>
struct HashOf<K, std::enable_if_t<std::is_convertible_v<K, std::string_view>>> {
  std::uint64_t operator()(std::string_view key) const { return hash64(key); }
};
template <class A, class B>
struct HashOf<std::pair<A, B>> {
  std::uint64_t operator()(const std::pair<A, B>& key) const {
    return mix64(HashOf<A>()(key.first) * 31 + HashOf<B>()(key.second));
  }
};

template <class K, class V, class Hash = HashOf<K>>
class HashMap {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void reserve(std::size_t n) {
    std::size_t want = kSmallest;
    while (want * 3 / 4 < n) want *= 2;
    if (want > slots_.size()) rehash(want);
  }
  void clear() {
    slots_.clear();
    used_.clear();
    size_ = 0;
  }

  template <class Q>
  const V* find(const Q& key) const {
    if (size_ == 0) return nullptr;
    const std::size_t i = locate(key);
    return used_[i] ? &slots_[i].second : nullptr;
  }
  template <class Q>
  V* find(const Q& key) {
    return const_cast<V*>(std::as_const(*this).find(key));
  }
  template <class Q>
  bool contains(const Q& key) const {
    return find(key) != nullptr;
  }

  // The value of key and whether it was added now.
  std::pair<V*, bool> try_emplace(K key, V value = V()) {
    if ((size_ + 1) * 4 > slots_.size() * 3) {
      rehash(std::max(kSmallest, slots_.size() * 2));
    }
    const std::size_t i = locate(key);
    if (used_[i]) return {&slots_[i].second, false};
    slots_[i] = {std::move(key), std::move(value)};
    used_[i] = 1;
    ++size_;
    return {&slots_[i].second, true};
  }
  V& operator[](K key) { return *try_emplace(std::move(key)).first; }

  std::vector<K> sorted_keys() const {
    std::vector<K> keys;
    keys.reserve(size_);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (used_[i]) keys.push_back(slots_[i].first);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  static constexpr std::size_t kSmallest = 16;

  template <class Q>
  std::size_t locate(const Q& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = Hash()(key) & mask;
    while (used_[i] && !(slots_[i].first == key)) i = (i + 1) & mask;
    return i;
  }
  void rehash(std::size_t capacity) {
    std::vector<std::pair<K, V>> old_slots(capacity);
    std::vector<std::uint8_t> old_used(capacity, 0);
    old_slots.swap(slots_);
    old_used.swap(used_);
    for (std::size_t i = 0; i < old_slots.size(); ++i) {
      if (!old_used[i]) continue;
      // Each differs from all others.
      std::size_t to = Hash()(old_slots[i].first) & (capacity - 1);
      while (used_[to]) to = (to + 1) & (capacity - 1);
      slots_[to] = std::move(old_slots[i]);
      used_[to] = 1;
    }
  }

  std::vector<std::pair<K, V>> slots_;
  std::vector<std::uint8_t> used_;
  std::size_t size_ = 0;
};

template <class K, class Hash = HashOf<K>>
class HashSet {
 public:
  std::size_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  void clear() { map_.clear(); }
  void reserve(std::size_t n) { map_.reserve(n); }
  template <class Q>
  bool contains(const Q& key) const {
    return map_.contains(key);
  }
  // True if key was not in the set before.
  bool insert(K key) { return map_.try_emplace(std::move(key)).second; }
  std::vector<K> sorted() const { return map_.sorted_keys(); }

 private:
  struct Nothing {};
  HashMap<K, Nothing, Hash> map_;
};

}  // namespace rejig::base
