// SPDX-License-Identifier: Apache-2.0
#include "jig/graph/graph_builder.h"

#include "classfile/words/entity.h"
#include "jig/graph/graph_draft.h"

namespace rejig::jig {

Jig build_graph(const World& world, base::ThreadPool& pool,
                base::Diagnostics& diagnostics) {
  std::vector<Name> names;
  std::vector<const ClassNode*> classes;
  for (const auto& file : world.internal().classes()) {
    const ClassNode* node = world.find(file.name);
    if (node == nullptr || !node->internal) continue;
    classes.push_back(node);
    if (node->readable()) names.push_back(node->name);
  }
  const ClassHierarchy hierarchy(world, names, pool);
  GraphBuilder draft(world, hierarchy);
  for (const ClassNode* node : classes) {
    if (node->readable()) draft.declare_methods(*node);
  }
  for (const ClassNode* node : classes) {
    auto loaded = node->readable()
                      ? world.load(*node)
                      : base::Result<LoadedClass>(base::Error{});
    if (!loaded.ok()) {
      draft.edge(draft.ecn(),
                 draft.node(NodeKind::kUnknown, classfile::dotted(node->name)),
                 EdgeKind::kExternal, classfile::dotted(node->name));
      continue;
    }
    draft.class_members(*loaded->view);
    draft.read_class(*loaded->view);
  }
  draft.fill_dispatch();
  draft.class_entries();
  draft.type_edges();
  draft.artefacts();
  diagnostics.append(world.take_diagnostics());
  return draft.finish();
}

}  // namespace rejig::jig
