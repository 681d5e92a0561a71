// SPDX-License-Identifier: Apache-2.0
// Which anonymous or local class of the new program is the old Outer$1? javac
// renumbers them, so they are matched by structure (N8): equal content apart
// from the numbers first, then the same name. A wrong match cannot hide a
// change: matched classes are compared in full under the renaming.
#pragma once

#include <vector>

#include "traversal/session/matching.h"

namespace rejig::traversal {

// Classes in memory, by name: those in both programs with other bytes.
struct ChangedClasses {
  std::vector<Name> names;  // sorted
  std::vector<jig::LoadedClass> olds;
  std::vector<jig::LoadedClass> news;
  std::vector<SameCode> same_code;

  // nullptr: not one of them.
  jig::LoadedClass* of_old(Name name) { return at(olds, name); }
  jig::LoadedClass* of_new(Name name) { return at(news, name); }

  SameCode same_code_of(Name name) const;

 private:
  jig::LoadedClass* at(std::vector<jig::LoadedClass>& all, Name name) const;
};

// Adds to `matching.renaming`; its added and removed classes are still
// complete.
void match_anonymous_classes(Matching& matching, ChangedClasses& changed);

}  // namespace rejig::traversal
