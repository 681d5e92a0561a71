// SPDX-License-Identifier: Apache-2.0
// Which entry of one pool says the same as an entry of another one? Built once
// for two versions of a class, so that an operand is compared as a number. An
// entry without a partner may still have one: of several with the same content
// one is found. Dynamic constants are taken for the same when their names, types
// and numbers of bootstrap methods are; who relies on that compares the
// bootstrap methods. No renaming: names are compared as they stand.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "classfile/reader/constant_pool.h"

namespace rejig::traversal {

class PoolMap {
 public:
  // The pools are not needed afterwards; memory is used again.
  void build(const classfile::ConstantPool& olds,
             const classfile::ConstantPool& news);

  // 0: none is known.
  std::uint16_t old_of(std::uint16_t new_index) const {
    return new_index < old_of_.size() ? old_of_[new_index] : 0;
  }
  bool same(std::uint16_t old_index, std::uint16_t new_index) const {
    return old_index != 0 && old_of(new_index) == old_index;
  }
  // Where an index may be 0: none and none are the same.
  bool same_or_none(std::uint16_t old_index, std::uint16_t new_index) const {
    return old_index == 0 ? new_index == 0 : same(old_index, new_index);
  }
  // A mark for each entry that has a partner.
  std::span<const std::uint8_t> known_old() const { return known_old_; }
  std::span<const std::uint8_t> known_new() const { return known_new_; }
  // The entries without a partner.
  std::span<const std::uint16_t> only_old() const { return only_old_; }
  std::span<const std::uint16_t> only_new() const { return only_new_; }

 private:
  // Entries are compared after those that they are made of.
  static constexpr std::size_t kTexts = 0;
  static constexpr std::size_t kHandles = 3;
  static constexpr std::size_t kPasses = 4;
  using Lists = std::array<std::vector<std::uint16_t>, kPasses>;

  // What an entry says when those that it is made of are numbers of the old
  // pool.
  struct Content {
    std::uint64_t bits = 0;
    classfile::Tag tag = classfile::Tag::kNone;
    friend bool operator==(const Content&, const Content&) = default;
  };

  static void list(const classfile::ConstantPool& pool, Lists& out);
  // False: made of one without a partner.
  bool content_of(const classfile::ConstantPool& news, std::uint16_t i,
                  Content& out) const;
  static Content own_content(const classfile::ConstantPool& olds,
                             std::uint16_t i);
  void compare_texts(const classfile::ConstantPool& olds,
                     const classfile::ConstantPool& news);
  void compare_others(const classfile::ConstantPool& olds,
                      const classfile::ConstantPool& news, std::size_t pass);
  // Most entries say what the one behind the last found says; the others are
  // looked up. Same: same(place in olds, new entry); hash(…) of either.
  template <class Same, class HashOld, class HashNew>
  void compare(std::span<const std::uint16_t> olds,
               std::span<const std::uint16_t> news, Same&& same,
               HashOld&& hash_old, HashNew&& hash_new);

  std::vector<std::uint16_t> old_of_;
  std::vector<std::uint8_t> known_old_;
  std::vector<std::uint8_t> known_new_;
  std::vector<std::uint16_t> only_old_;
  std::vector<std::uint16_t> only_new_;
  Lists olds_;
  Lists news_;
  std::vector<std::uint16_t> slots_;   // by hash: place plus one
};

}  // namespace rejig::traversal
