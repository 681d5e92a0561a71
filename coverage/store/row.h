// SPDX-License-Identifier: Apache-2.0
// What does a row of the coverage matrix say about one test, apart from its
// atoms? Which test of which suite it is, how far the row can be trusted, how
// the test ended, and which kinds of atoms its recorder recorded at all: a kind
// that was not recorded is unknown, not absent, and is read on the safe side.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "classfile/base/ids.h"
#include "classfile/words/entity.h"

namespace rejig::coverage {

// Rows are numbered in the order of (suite, test), bytewise.
using RowId = base::Id<struct RowTag>;
// Atoms are numbered in the order of (kind, text), bytewise.
using AtomId = base::Id<struct AtomTag>;

// From the best to the worst: a row that was seen twice keeps the worst.
// `partial` is worse than `lower-bound`, because a user may allow the latter.
enum class Grade : std::uint8_t {
  kComplete,
  kShared,      // overlapped another test, could not be told apart
  kLowerBound,  // the source is not entry-true
  kPartial,     // aborted, crashed, killed, skipped
  kForeign,     // recorded on other bytes
};
inline constexpr std::size_t kGrades = 5;
std::string_view name_of(Grade grade);  // "complete", "lower-bound", …
std::optional<Grade> grade_of(std::string_view name);

// From the best to the worst.
enum class Outcome : std::uint8_t { kPass, kUnknown, kSkip, kFail, kError };
inline constexpr std::size_t kOutcomes = 5;
std::string_view name_of(Outcome outcome);  // "pass", "skip", "fail", …
std::optional<Outcome> outcome_of(std::string_view name);

// A set of atom kinds.
class Facts {
 public:
  constexpr Facts() = default;
  static constexpr Facts from_bits(std::uint16_t bits) {
    Facts out;
    out.bits_ = static_cast<std::uint16_t>(bits & kAll);
    return out;
  }
  static constexpr Facts all() { return from_bits(kAll); }

  constexpr std::uint16_t bits() const { return bits_; }
  constexpr bool has(classfile::AtomKind kind) const {
    return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0;
  }
  constexpr Facts with(classfile::AtomKind kind) const {
    return from_bits(
        static_cast<std::uint16_t>(bits_ | 1U << static_cast<unsigned>(kind)));
  }
  constexpr Facts without(classfile::AtomKind kind) const {
    return from_bits(
        static_cast<std::uint16_t>(bits_ & ~(1U << static_cast<unsigned>(kind))));
  }
  constexpr Facts operator|(Facts other) const {
    return from_bits(static_cast<std::uint16_t>(bits_ | other.bits_));
  }
  constexpr Facts operator&(Facts other) const {
    return from_bits(static_cast<std::uint16_t>(bits_ & other.bits_));
  }
  friend constexpr bool operator==(Facts, Facts) = default;

 private:
  static constexpr std::uint16_t kAll = (1U << classfile::kAtomKinds) - 1;
  std::uint16_t bits_ = 0;
};

// Views live as long as the matrix that returned the row.
struct Row {
  std::string_view suite;
  std::string_view test;
  Grade grade = Grade::kComplete;
  Outcome result = Outcome::kPass;
  std::uint64_t ms = 0;
  Facts facts;

  // Recorded: an atom of that kind which the row lacks did not happen.
  bool recorded(classfile::AtomKind kind) const { return facts.has(kind); }
  // May this row be a reason to skip its test? Grades beyond `shared` and
  // results other than `pass` never are; `lower-bound` only if the user said
  // so.
  bool justifies_skip(bool allow_lower_bound = false) const {
    return result == Outcome::kPass &&
           (grade == Grade::kComplete || grade == Grade::kShared ||
            (grade == Grade::kLowerBound && allow_lower_bound));
  }
  // "a.b.FooTest" of "a.b.FooTest#one()".
  std::string_view test_class() const { return test.substr(0, test.find('#')); }
};

}  // namespace rejig::coverage
