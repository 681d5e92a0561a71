// SPDX-License-Identifier: Apache-2.0
// Where do two shells part: what reflection, serialization and readers of
// annotations see of one class (D15, D16, D17)?
#pragma once

#include "traversal/session/findings.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

struct ShellPair {
  Name old_name;
  Name new_name;
  const classfile::ClassView& old_class;
  const classfile::ClassView& new_class;
};

// The class has other notes of its compiler for other compilers (alike.h).
classfile::Delta metadata_facet(const classfile::ClassView& old_class);

Findings compare_shell(const Matching& matching, const ShellPair& pair);

}  // namespace rejig::traversal
