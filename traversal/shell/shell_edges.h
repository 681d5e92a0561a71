// SPDX-License-Identifier: Apache-2.0
// Where do two shells part: what reflection, serialization and readers of
// annotations see of one class (D15, D16, D17)?
#pragma once

#include <vector>

#include "traversal/session/session.h"

namespace rejig::traversal {

struct ShellPair {
  Name old_name;
  Name new_name;
  const classfile::ClassView& old_class;
  const classfile::ClassView& new_class;
};

struct ShellEdges {
  std::vector<classfile::Delta> edges;
  std::vector<classfile::Delta> facets;
  std::vector<Widened> widened;
};

// The class has other notes of its compiler for other compilers (alike.h).
classfile::Delta metadata_facet(const classfile::ClassView& old_class);

ShellEdges compare_shell(const Session& session, const ShellPair& pair);

}  // namespace rejig::traversal
