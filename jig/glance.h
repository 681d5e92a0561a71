// SPDX-License-Identifier: Apache-2.0
// What does a glance at a class file tell? What it stands below and which
// classes its pool mentions: enough to know that a change elsewhere cannot
// concern it. Nothing is checked but the bounds; whatever a glance does not
// understand is no answer, and the class is then read as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classfile/base/arena.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/hash_map.h"
#include "jig/names.h"

namespace rejig::jig {

// Lists live in the arena that it was made with.
struct Glance {
  Name super;  // empty for java/lang/Object
  std::span<const Name> interfaces;
  bool is_annotation = false;
  // It or a member of it has an annotation that is kept at run time.
  bool has_visible_annotations = false;
  // A text begins with "test"; no member's name does if there is none.
  bool says_test = false;
  // mention_of() every class of the pool, also of those in descriptors. In no
  // order; some more than once.
  std::span<const std::uint32_t> mentions;
};

// nullopt: not understood, or the class calls itself something else. Members are
// not looked at. `without_platform`: nobody will ask for classes of java/….
std::optional<Glance> glance_at(base::Bytes class_file, Name name, Names& names,
                                bool without_platform, base::Arena& arena);

// 32 bits of a hash: different names may have the same.
std::uint32_t mention_of(Name class_name);

// Some of the mentions, and which classes have one of them. Most have none: a
// bit for a part of each says so first.
class MentionSet {
 public:
  bool empty() const { return all_.empty(); }
  void insert(std::uint32_t mention);
  bool contains(std::uint32_t mention) const {
    const std::uint32_t bit = mention & kMask;
    return !bits_.empty() && (bits_[bit / 64] >> (bit % 64) & 1) != 0 &&
           all_.contains(mention);
  }
  bool any_in(const Glance& glance) const;

 private:
  static constexpr std::uint32_t kMask = (1u << 18) - 1;
  std::vector<std::uint64_t> bits_;
  base::HashSet<std::uint32_t> all_;
};

}  // namespace rejig::jig
