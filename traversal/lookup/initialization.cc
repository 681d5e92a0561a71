// SPDX-License-Identifier: Apache-2.0
// Which initializers run now, and in which order (channel C6)?
#include "jig/lookup/resolve.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

void compare_initialization(const Structure& structure,
                            Findings& findings) {
  for (const Name name : structure.doubtful_sorted) {
    const ClassNode* a = structure.worlds.old_world.find(name);
    const ClassNode* b = structure.matching.partner(name);
    if (a == nullptr || b == nullptr || !a->internal) continue;
    auto before = jig::init_procedure(structure.worlds.old_world, name);
    const auto after = jig::init_procedure(structure.worlds.new_world, b->name);
    auto renamed = before;
    for (auto& one : renamed) {
      one = one.starts_with('?') ? one
                                 : structure.matching.renaming.class_name(one);
    }
    if (renamed == after) continue;
    findings.edges.push_back(initialization_delta(name, before, after));
  }
}

}  // namespace rejig::traversal
