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
#include <utility>
#include <vector>

#include "classfile/base/arena.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/hash_map.h"
#include "classfile/program/program.h"
#include "jig/world/names.h"

namespace rejig::jig {

// Lists live in the arena that it was made with.
struct Glance {
  Name super;  // empty for java/lang/Object
  std::span<const Name> interfaces;
  // Places of these in the program that it was read for; kNoClass: elsewhere.
  std::uint32_t super_place = classfile::Program::kNoClass;
  std::span<const std::uint32_t> interface_places;
  bool is_annotation = false;
  // It or a member of it has an annotation that is kept at run time.
  bool has_visible_annotations = false;
  // A text begins with "test"; no member's name does if there is none.
  bool says_test = false;
  // mention_of() every class of the pool, also of those in descriptors. In no
  // order; some more than once.
  std::span<const std::uint32_t> mentions;
};

// Reads one class file after another, each as far as it has to. Members are not
// looked at.
class GlanceReader {
 public:
  // `without_platform`: nobody will ask for classes of java/….
  GlanceReader(const classfile::Program& program, Names& names,
               bool without_platform)
      : program_(program), names_(names), without_platform_(without_platform) {}

  void begin(Name name);
  // Given the first bytes: how many it wants in all; 0: it has seen enough.
  std::size_t more(base::Bytes first);
  // Null: not understood (yet), or the class calls itself something else. Until
  // the next class.
  const Glance* seen() const { return state_ == State::kDone ? &out_ : nullptr; }
  // The same on its own.
  std::optional<Glance> glance(base::Arena& arena) const;

 private:
  enum class State : std::uint8_t { kBegin, kPool, kHeader, kDone, kOdd };

  bool read_begin();
  bool index_pool();
  bool read_header();
  bool mention_classes();
  void look_at_texts();
  void mention_descriptor(Name text);
  void mention(Name name);
  std::pair<Name, std::uint32_t> placed(Name name);
  unsigned u2_at(std::size_t at) const;
  Name text_at(std::size_t offset) const;
  Name utf8(unsigned i) const;
  Name class_name(unsigned i) const;

  const classfile::Program& program_;
  Names& names_;
  bool without_platform_;
  Name name_;
  State state_ = State::kOdd;
  base::Bytes bytes_;  // as many as there are
  std::size_t count_ = 0;
  std::size_t next_ = 0;  // entry
  std::size_t pos_ = 0;   // of it
  std::size_t wanted_ = 0;
  std::size_t class_count_ = 0;
  std::size_t text_count_ = 0;
  Glance out_;
  std::vector<std::uint32_t> offsets_;  // of the tag; 0: no entry
  std::vector<std::uint32_t> classes_;  // offsets
  std::vector<std::uint32_t> texts_;
  std::vector<std::uint32_t> found_;
  std::vector<Name> interfaces_;
  std::vector<std::uint32_t> interface_places_;
  Name last_outsider_;
};

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
