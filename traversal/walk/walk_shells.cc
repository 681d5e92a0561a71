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
      before == nullptr ? nullptr : s_.partner(before->name);
  if (after == nullptr) return;
  const ClassView* old_class = s_.old_view(before->name);
  const ClassView* new_class = s_.new_view(after->name);
  if (old_class == nullptr || new_class == nullptr) return;
  auto found = compare_shell(
      s_, {before->name, after->name, *old_class, *new_class});
  for (auto& edge : found.edges) out_.edges.push_back(std::move(edge));
  for (auto& facet : found.facets) out_.facets.push_back(std::move(facet));
  for (auto& note : found.widened) out_.widened.push_back(std::move(note));
}

}  // namespace rejig::traversal
