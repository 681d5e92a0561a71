// SPDX-License-Identifier: Apache-2.0
// What does the verifier of a class ask of other classes (JVMS §4.10.1)? The
// type checker follows the stack map frames of each method; wherever a value of
// one class is used as another, and wherever a protected member of a superclass
// is used, the answer depends on classes that may have changed although this
// one did not. Names are copies. What cannot be followed - old class files
// without frames, jsr - is said to be inexact, and the caller takes every type
// for every other one.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <utility>

#include "classfile/reader/class_view.h"
#include "jig/world/world.h"

namespace rejig::traversal {

// A member that is named through `owner`, on a value of class `on`.
struct MemberUse {
  std::string owner;
  std::string name;
  std::string descriptor;
  std::string on;
  bool field = false;
  friend auto operator<=>(const MemberUse&, const MemberUse&) = default;
};

struct VerifierChecks {
  // A value of the first class is used as the second; classes, not arrays, and
  // never the same or Object.
  std::set<std::pair<std::string, std::string>> assignments;
  std::set<MemberUse> uses;
};

// Adds those of one method that has code. False: not all of them are known.
bool add_verifier_checks(const classfile::ClassView& cls,
                         const classfile::MemberView& method,
                         VerifierChecks& out);

// What a world says to such a check.
enum class Verdict : std::uint8_t { kYes, kNo, kNobodyKnows };
Verdict is_assignable(const jig::World& world, jig::Name from, jig::Name to);
// A protected member that a superclass in another package declares may only be
// used on values of the class itself.
Verdict may_use(const jig::World& world, jig::Name user, const MemberUse& use);

}  // namespace rejig::traversal
