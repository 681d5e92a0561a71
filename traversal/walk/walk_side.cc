// SPDX-License-Identifier: Apache-2.0
#include "traversal/walk/walk_side.h"

#include <algorithm>

#include "classfile/words/entity.h"
#include "jig/graph/graph_builder.h"

namespace rejig::traversal {

using jig::EdgeId;
using jig::EdgeKind;
using jig::Name;
using jig::NodeId;

namespace {

bool of_code(JigKind kind) {
  return kind == JigKind::kInstruction || kind == JigKind::kCall ||
         kind == JigKind::kReturn || kind == JigKind::kCatch;
}

}  // namespace

WalkSide::WalkSide(const jig::World& world, base::ThreadPool& pool,
                   base::Diagnostics& diagnostics)
    : world_(&world),
      graph_(jig::build_graph(world, pool, diagnostics)),
      named_(jig::kNodeKinds) {
  graph_.index_in_edges();
  const auto& symbols = graph_.symbols();
  for (const auto& row : graph_.methods()) {
    methods_.push_back({labels_.intern(symbols.text(row.owner)),
                        labels_.intern(symbols.text(row.name)),
                        labels_.intern(symbols.text(row.descriptor))});
  }
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    const JigKind kind = graph_.kind(n);
    if (of_code(kind) || kind == JigKind::kExit ||
        kind == JigKind::kExceptionalExit) {
      continue;
    }
    named_[static_cast<std::size_t>(kind)].try_emplace(
        labels_.intern(graph_.label(n)), n);
  }
}

NodeId WalkSide::find(JigKind kind, std::string_view label) const {
  const auto* found = named_[static_cast<std::size_t>(kind)].find(label);
  return found == nullptr ? kNone : *found;
}

NodeId WalkSide::find_type(std::string_view dotted) const {
  const NodeId known = find(JigKind::kClass, dotted);
  return known != kNone ? known : find(JigKind::kUnknown, dotted);
}

NodeId WalkSide::entry(Name owner, std::string_view name,
                       std::string_view descriptor) const {
  return find(JigKind::kEntry,
              classfile::method_entity(owner, name, descriptor));
}

std::pair<NodeId, NodeId> WalkSide::code_of(NodeId entry) const {
  const auto& rows = graph_.methods();
  const auto* row = graph_.method(entry);
  const auto end = static_cast<NodeId>(graph_.nodes());
  const bool last = row == &rows.back();
  return {row->first, last ? end : (row + 1)->first};
}

NodeId WalkSide::question_at(NodeId entry, std::uint32_t pc) const {
  const auto [begin, end] = code_of(entry);
  NodeId found = kNone;
  for (NodeId n = begin; n < end; ++n) {
    const JigKind kind = graph_.kind(n);
    if (kind != JigKind::kInstruction && kind != JigKind::kCall) continue;
    if (graph_.pc(n) > pc) break;
    found = n;
  }
  return found;
}

std::vector<NodeId> WalkSide::catches(NodeId entry) const {
  const auto [begin, end] = code_of(entry);
  std::vector<NodeId> out;
  for (NodeId n = begin; n < end; ++n) {
    if (graph_.kind(n) == JigKind::kCatch) out.push_back(n);
  }
  return out;
}

std::string WalkSide::caught(NodeId catch_node) const {
  const auto method =
      classfile::method_entity(owner(catch_node), name(catch_node),
                               descriptor(catch_node));
  return graph_.label(catch_node).substr(method.size() + 1);
}

std::vector<std::string> WalkSide::methods_of(
    const std::vector<NodeId>& sources) const {
  std::vector<std::string> out;
  for (const NodeId source : sources) {
    if (of_code(graph_.kind(source))) {
      out.push_back(classfile::method_entity(owner(source), name(source),
                                             descriptor(source)));
    } else if (graph_.kind(source) == JigKind::kBoot) {
      for (auto& each : methods_into(source, [](EdgeId) { return true; })) {
        out.push_back(std::move(each));
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace rejig::traversal
