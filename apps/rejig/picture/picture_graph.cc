// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/picture/picture_graph.h"

#include "classfile/words/entity.h"
#include "jig/graph/graph_write.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using jig::EdgeId;
using jig::EdgeKind;
using jig::Jig;
using jig::NodeId;
using jig::NodeKind;

std::string entity_of(const Jig& graph, const jig::MethodRow& row) {
  const auto& symbols = graph.symbols();
  return classfile::dotted(symbols.text(row.owner)) + "." +
         symbols.text(row.name) + symbols.text(row.descriptor);
}

Drawing::Drawing(const DrawnGraph& from) : from_(from) {
  const jig::GraphWriter writer(*from.world, *from.graph);
  texts_ = writer.descriptions();
  const Jig& graph = *from.graph;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const auto* row = graph.method(n);
    if (row != nullptr) by_method_[entity_of(graph, *row)].push_back(n);
  }
}

Drawn Drawing::method(const std::string& entity) const {
  const Jig& graph = *from_.graph;
  Drawn out;
  out.from = &from_;
  const auto at = by_method_.find(entity);
  if (at == by_method_.end()) return out;
  out.nodes = in_order(reached(at->second));
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    out.place[out.nodes[i]] = i;
  }
  for (const NodeId n : out.nodes) {
    out.texts.push_back(text_of(n));
    auto& inner = out.inner.emplace_back();
    auto& asked = out.asked.emplace_back();
    for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
      (out.place.count(graph.target(e)) != 0 ? inner : asked).push_back(e);
    }
  }
  return out;
}

std::string Drawing::text_of(NodeId n) const {
  const Jig& graph = *from_.graph;
  const auto kind = graph.kind(n);
  const std::string kind_text(jig::name_of(kind));
  if (kind == NodeKind::kInstruction || kind == NodeKind::kCall) {
    const std::string& text = texts_[n];
    const std::string head = graph.label(n) + ": ";
    return traversal::java_text(
        text.starts_with(head) ? text.substr(head.size()) : text);
  }
  if (graph.method(n) != nullptr) return kind_text;
  return kind_text + " " + traversal::java_text(texts_[n]);
}

std::set<std::string> Drawing::runs(NodeId n) const {
  const Jig& graph = *from_.graph;
  std::set<std::string> out;
  if (graph.kind(n) != NodeKind::kDispatch) return out;
  for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
    const auto* row = graph.method(graph.target(e));
    if (row != nullptr) out.insert(entity_of(graph, *row));
  }
  return out;
}

std::string Drawing::target_text(NodeId n) const {
  const Jig& graph = *from_.graph;
  std::string out = text_of(n);
  if (graph.method(n) != nullptr) {
    out += " " + traversal::java_method(entity_of(graph, *graph.method(n)));
  }
  if (graph.kind(n) != NodeKind::kDispatch) return out;
  for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
    const NodeId t = graph.target(e);
    out += "; " + traversal::java_text(graph.edge_label(e)) + " runs " +
           (graph.method(t) != nullptr
                ? traversal::java_method(entity_of(graph, *graph.method(t)))
                : traversal::java_text(graph.label(t)));
  }
  return out;
}

// Without an exit that nothing leads to.
std::vector<NodeId> Drawing::reached(
    const std::vector<NodeId>& nodes) const {
  const Jig& graph = *from_.graph;
  std::set<NodeId> targets;
  for (const NodeId n : nodes) {
    for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
      targets.insert(graph.target(e));
    }
  }
  std::vector<NodeId> out;
  for (const NodeId n : nodes) {
    const auto kind = graph.kind(n);
    const bool is_exit =
        kind == NodeKind::kExit || kind == NodeKind::kExceptionalExit;
    if (!is_exit || targets.count(n) != 0) out.push_back(n);
  }
  return out;
}

// By the place in the code: ends last, a return behind its call, a catch in
// front of its handler.
std::vector<NodeId> Drawing::in_order(
    const std::vector<NodeId>& nodes) const {
  const Jig& graph = *from_.graph;
  std::map<NodeId, std::pair<std::uint64_t, unsigned>> keys;
  constexpr std::uint64_t kLast = std::uint64_t{1} << 40;
  for (const NodeId n : nodes) {
    switch (graph.kind(n)) {
      case NodeKind::kEntry:
        keys[n] = {0, 0};
        break;
      case NodeKind::kExit:
        keys[n] = {kLast, 1};
        break;
      case NodeKind::kExceptionalExit:
        keys[n] = {kLast, 2};
        break;
      case NodeKind::kCatch: {
        std::uint64_t handler = kLast - 1;
        for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
          if (graph.edge_kind(e) == EdgeKind::kCaught) {
            handler = std::uint64_t{graph.pc(graph.target(e))} + 1;
          }
        }
        keys[n] = {handler, 0};
        break;
      }
      default:
        keys[n] = {std::uint64_t{graph.pc(n)} + 1,
                   graph.kind(n) == NodeKind::kReturn ? 3U : 2U};
    }
  }
  std::vector<NodeId> out = nodes;
  std::ranges::stable_sort(
      out, [&](NodeId a, NodeId b) { return keys[a] < keys[b]; });
  return out;
}

}  // namespace rejig::app
