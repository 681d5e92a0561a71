// SPDX-License-Identifier: Apache-2.0
// What does a method do that it did not do before? The calls, fields, constants,
// types and exceptions of both bodies, told apart as multisets: what a reviewer
// wants to know before the instructions. Lambda bodies count where they are
// made. For people; the comparison decides by other means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "classfile/reader/class_view.h"

namespace rejig::traversal {

// In the order of importance: whoever has room for a few shows the first.
enum class FactKind : std::uint8_t {
  kCall,       // "URI.getScheme", "new URI"
  kThrow,      // "throw IOException"
  kCatch,      // "catch IOException"
  kText,       // "\"ldap\""
  kField,      // "Config.limit"
  kType,       // "instanceof List", "(Foo)"
  kNumber,     // "20"
  kHumdrum,    // boxing, string building, iterators
};

struct Fact {
  FactKind kind = FactKind::kCall;
  std::string text;

  friend bool operator==(const Fact&, const Fact&) = default;
  friend auto operator<=>(const Fact&, const Fact&) = default;
};

struct BodyFacts {
  std::vector<Fact> facts;  // in the order of the code, as often as they are
  unsigned instructions = 0;
  unsigned branches = 0;
  unsigned monitors = 0;
  bool is_synchronized = false;
};

BodyFacts body_facts(const classfile::ClassView& cls,
                     const classfile::MemberView& method);

struct BodyChange {
  // By kind, then in the order of the new (the old) code; each once.
  std::vector<Fact> gained;
  std::vector<Fact> lost;
  unsigned old_size = 0;  // instructions
  unsigned new_size = 0;
  int branches = 0;  // more (fewer) of them
  bool became_synchronized = false;
  bool was_synchronized = false;  // and is not any more

  // Numbers, boxing and the like, or nothing, came and went.
  bool says_little() const;
};

BodyChange change_of(const BodyFacts& before, const BodyFacts& after);

// "+ URI.getScheme, "ldap"", "− Context.lookup", "now synchronized", "8 → 142
// instructions": at most `most` facts of each sort, then "3 more".
std::vector<std::string> words_of(const BodyChange& change, std::size_t most);

}  // namespace rejig::traversal
