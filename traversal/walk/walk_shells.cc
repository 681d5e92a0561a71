// SPDX-License-Identifier: Apache-2.0
// Shell(C) and Shell(C'): their facets are labels; NodesEquiv reads them from the
// class files.
#include "traversal/shell/shell_edges.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

void PairCompare::shells(const NodePair& pair) {
  const std::string name = old_.graph().label(pair.old_node);
  const ClassNode* before = old_.world().find(classfile::slashed(name));
  const ClassNode* after =
      before == nullptr ? nullptr : matching_.partner(before->name);
  if (after == nullptr) return;
  const ClassView* old_class = matching_.old_view(before->name);
  const ClassView* new_class = matching_.new_view(after->name);
  if (old_class == nullptr || new_class == nullptr) return;
  out_.found.take(compare_shell(
      matching_, {before->name, after->name, *old_class, *new_class}));
}

}  // namespace rejig::traversal
