// SPDX-License-Identifier: Apache-2.0
// What belongs to this text, for many threads that ask often and add now and
// then? A hash table that only grows: nobody waits for anybody, who comes first
// stays, and pointers and keys live as long as the table. There is no begin(),
// as in hash_map.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "classfile/base/hash.h"

namespace rejig::base {

template <class V>
class AppendTable {
 public:
  // Some 2^bits texts have a place of their own; more of them share.
  explicit AppendTable(unsigned bits)
      : mask_((std::size_t{1} << bits) - 1),
        heads_(new std::atomic<Node*>[mask_ + 1]()) {}
  ~AppendTable() {
    for (std::size_t i = 0; i <= mask_; ++i) {
      for (Node* at = heads_[i].load(); at != nullptr;) {
        Node* const next = at->next;
        release(at);
        at = next;
      }
    }
  }
  AppendTable(const AppendTable&) = delete;
  AppendTable& operator=(const AppendTable&) = delete;

  struct Entry {
    std::string_view key;
    V* value;
  };

  // A null value: not there.
  Entry find(std::string_view key) const { return find(key, hash64(key)); }

  // The entry of the key, with `value` if there was none.
  Entry insert(std::string_view key, V value) {
    const std::uint64_t hash = hash64(key);
    std::atomic<Node*>& head = heads_[hash & mask_];
    // Everything behind `first` has been looked at: only then may an entry stand
    // in front of it.
    Node* first = head.load(std::memory_order_acquire);
    if (const Entry known = find_from(first, key, hash);
        known.value != nullptr) {
      return known;
    }
    Node* const made = make(key, hash, std::move(value));
    while (true) {
      made->next = first;
      if (head.compare_exchange_weak(first, made, std::memory_order_acq_rel)) {
        return entry_of(made);
      }
      for (Node* at = first; at != made->next; at = at->next) {
        if (at->is(key, hash)) {
          release(made);
          return entry_of(at);
        }
      }
    }
  }

 private:
  struct Node {
    Node* next = nullptr;
    std::uint64_t hash;
    std::size_t size;
    V value;

    // The text stands behind the node.
    char* text() { return reinterpret_cast<char*>(this + 1); }
    const char* text() const { return reinterpret_cast<const char*>(this + 1); }
    bool is(std::string_view key, std::uint64_t key_hash) const {
      return hash == key_hash && size == key.size() &&
             std::memcmp(text(), key.data(), size) == 0;
    }
  };

  static Entry entry_of(Node* node) {
    return {std::string_view(node->text(), node->size), &node->value};
  }
  static Node* make(std::string_view key, std::uint64_t hash, V value) {
    void* const room = ::operator new(sizeof(Node) + key.size());
    Node* const node =
        new (room) Node{nullptr, hash, key.size(), std::move(value)};
    if (!key.empty()) std::memcpy(node->text(), key.data(), key.size());
    return node;
  }
  static void release(Node* node) {
    node->~Node();
    ::operator delete(node);
  }

  Entry find(std::string_view key, std::uint64_t hash) const {
    return find_from(heads_[hash & mask_].load(std::memory_order_acquire), key,
                     hash);
  }
  static Entry find_from(Node* at, std::string_view key, std::uint64_t hash) {
    for (; at != nullptr; at = at->next) {
      if (at->is(key, hash)) return entry_of(at);
    }
    return {{}, nullptr};
  }

  std::size_t mask_;
  std::unique_ptr<std::atomic<Node*>[]> heads_;
};

}  // namespace rejig::base
