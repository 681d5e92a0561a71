// SPDX-License-Identifier: Apache-2.0
// Which methods of one class behave differently (channels C1, C2)? Methods are
// paired by name and descriptor, lambda bodies by the place that makes them
// (N6); every pair is compared as a body. Differences are reported at the
// method whose coverage tells who is affected.
#pragma once

#include <map>

#include "traversal/session/matching.h"

namespace rejig::traversal {

struct ClassResult {
  std::vector<classfile::Delta> edges;
  std::vector<classfile::Delta> facets;
  std::vector<std::uint16_t> equal_methods;  // indices in the old class
  // Of these: pcs of references that were compared by what they come to.
  std::map<std::uint16_t, std::vector<std::uint32_t>> by_use;
  // Methods whose bodies part at known edges: old pcs of the references on the
  // ways that they share. A run that takes none of the edges meets these.
  std::map<std::uint16_t, std::vector<std::uint32_t>> shared;
  // Accessors and switch tables that differ under their own names: users with
  // equal bytes must be compared too.
  bool synthetic_interface_changed = false;
};

ClassResult compare_class(const Matching& matching, const ClassPair& pair);

}  // namespace rejig::traversal
