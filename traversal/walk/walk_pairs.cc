// SPDX-License-Identifier: Apache-2.0
#include "traversal/walk/walk_pairs.h"

#include "traversal/body/body_context.h"

namespace rejig::traversal {

using jig::EdgeKind;

PairCompare::PairCompare(const Matching& matching, const WalkSide& old_side,
                         const WalkSide& new_side)
    : matching_(matching),
      old_(old_side),
      new_(new_side),
      context_(make_body_context(matching)) {}

PairResult PairCompare::compare(const NodePair& pair) {
  out_ = {};
  entry_ = new_entry_ = WalkSide::kNone;
  switch (old_.graph().kind(pair.old_node)) {
    case JigKind::kEcn:
      external_code(pair);
      break;
    case JigKind::kEntry:
      entries(pair);
      break;
    case JigKind::kClassEntry:
      class_entries(pair);
      break;
    case JigKind::kDispatch:
      dispatches(pair);
      break;
    case JigKind::kClass:
    case JigKind::kUnknown:
      classes(pair);
      break;
    case JigKind::kShell:
      shells(pair);
      break;
    case JigKind::kMagic:
    case JigKind::kTest:
    case JigKind::kFixture:
      same_named_targets(pair, EdgeKind::kCall);
      break;
    default:
      break;  // code nodes are walked with their method
  }
  return std::move(out_);
}

// ECN calls whatever it can hold an object of, and what it finds by name.
void PairCompare::external_code(const NodePair& pair) {
  const auto& graph = old_.graph();
  for (EdgeId e = graph.out_begin(pair.old_node);
       e != graph.out_end(pair.old_node); ++e) {
    const NodeId t = graph.target(e);
    const JigKind kind = graph.kind(t);
    if (kind != JigKind::kClassEntry && kind != JigKind::kShell &&
        kind != JigKind::kMagic && kind != JigKind::kTest &&
        kind != JigKind::kFixture) {
      continue;  // lambdas are met at their sites, files by artefacts.cc
    }
    const NodeId t2 = new_.find(kind, renamed_label(t));
    if (t2 != WalkSide::kNone) {
      out_.next.push_back({t, t2});
      continue;
    }
    const std::string name = graph.label(t);
    const ClassNode* partner = kind == JigKind::kClassEntry
                                   ? matching_.partner(classfile::slashed(name))
                                   : nullptr;
    if (partner == nullptr || !partner->readable()) continue;
    // There can be no instances of it any more.
    Delta d;
    d.rule = Rule::kD8;
    d.channel = Channel::kSelection;
    d.entity = name;
    d.label = name;
    d.old_fact = "has instances";
    d.new_fact = "cannot be instantiated";
    d.receivers.push_back(name);
    d.why = "there can be no instances of `" + name + "` any more";
    out_.found.edges.push_back(std::move(d));
  }
}

// A node whose edges lead to entries under the same names.
void PairCompare::same_named_targets(const NodePair& pair, EdgeKind kind) {
  const auto& graph = old_.graph();
  for (EdgeId e = graph.out_begin(pair.old_node);
       e != graph.out_end(pair.old_node); ++e) {
    if (graph.edge_kind(e) != kind) continue;
    const EdgeId e2 = match(e, pair.old_node, pair.new_node);
    if (e2 == WalkSide::kNone) continue;
    const NodeId t2 = new_.graph().target(e2);
    if (nodes_equivalent(graph.target(e), t2)) {
      out_.next.push_back({graph.target(e), t2});
    }
  }
}

namespace {

// What of a label an edge is known by among those of its node.
std::string key_of(const jig::Jig& graph, EdgeKind kind, jig::EdgeId e,
                   const Renaming* renaming) {
  const std::string label = graph.edge_label(e);
  switch (kind) {
    case EdgeKind::kNew:
    case EdgeKind::kTrigger:
    case EdgeKind::kLambda:
      return {};
    case EdgeKind::kCall:
    case EdgeKind::kExternal:
      return renaming == nullptr
                 ? label
                 : classfile::dotted(
                       renaming->class_name(classfile::slashed(label)));
    case EdgeKind::kOverride: {
      const auto open = label.find('(');
      if (renaming == nullptr || open == std::string::npos) break;
      return label.substr(0, open) + renaming->descriptor(label.substr(open));
    }
    default:
      break;
  }
  return label;
}

}  // namespace

jig::EdgeId PairCompare::match(EdgeId e, NodeId old_node,
                               NodeId new_node) const {
  const Renaming* renaming =
      matching_.renaming.is_identity() ? nullptr : &matching_.renaming;
  const auto& old_graph = old_.graph();
  const auto& new_graph = new_.graph();
  const EdgeKind kind = old_graph.edge_kind(e);
  const std::string key = key_of(old_graph, kind, e, renaming);
  unsigned place = 0;
  for (EdgeId other = old_graph.out_begin(old_node); other != e; ++other) {
    if (old_graph.edge_kind(other) == kind &&
        key_of(old_graph, kind, other, renaming) == key) {
      ++place;
    }
  }
  for (EdgeId other = new_graph.out_begin(new_node);
       other != new_graph.out_end(new_node); ++other) {
    if (new_graph.edge_kind(other) == kind &&
        key_of(new_graph, kind, other, nullptr) == key && place-- == 0) {
      return other;
    }
  }
  return WalkSide::kNone;
}

std::string PairCompare::renamed_class(std::string_view dotted) const {
  if (matching_.renaming.is_identity()) return std::string(dotted);
  return classfile::dotted(
      matching_.renaming.class_name(classfile::slashed(dotted)));
}

std::string PairCompare::renamed_label(NodeId old_node) const {
  std::string label = old_.graph().label(old_node);
  if (matching_.renaming.is_identity()) return label;
  switch (old_.graph().kind(old_node)) {
    case JigKind::kClass:
    case JigKind::kClassEntry:
    case JigKind::kDefault:
    case JigKind::kInit:
    case JigKind::kShell:
    case JigKind::kUnknown:
      return renamed_class(label);
    default:
      break;
  }
  // "a.b.C.m(I)V", "a.b.C.f:I"
  const auto type = label.find_first_of("(:");
  const auto dot = label.rfind('.', type);
  if (type == std::string::npos || dot == std::string::npos) return label;
  const bool field = label[type] == ':';
  return renamed_class(std::string_view(label).substr(0, dot)) +
         label.substr(dot, type - dot) + (field ? ":" : "") +
         matching_.renaming.descriptor(
             std::string_view(label).substr(type + (field ? 1 : 0)));
}

bool PairCompare::is_internal(const WalkSide& side,
                              std::string_view dotted) const {
  const ClassNode* node = side.world().find(classfile::slashed(dotted));
  return node != nullptr && node->internal;
}

bool PairCompare::same_entry(NodeId old_entry, NodeId new_entry) const {
  return old_.name(old_entry) == new_.name(new_entry) &&
         matching_.renaming.same_class(old_.owner(old_entry),
                                       new_.owner(new_entry)) &&
         matching_.renaming.same_descriptor(old_.descriptor(old_entry),
                                            new_.descriptor(new_entry));
}

// NodesEquiv: equal kinds and labels under the renaming. Bodies behind entries
// are compared as a pair of their own.
bool PairCompare::nodes_equivalent(NodeId old_node, NodeId new_node) const {
  const JigKind kind = old_.graph().kind(old_node);
  if (kind != new_.graph().kind(new_node)) return false;
  if (kind == JigKind::kEntry) return same_entry(old_node, new_node);
  const std::string label = renamed_label(old_node);
  if (label != new_.graph().label(new_node)) return false;
  if (kind != JigKind::kClass && kind != JigKind::kField) return true;
  const std::string old_label = old_.graph().label(old_node);
  const auto holder_of = [&](const std::string& text) {
    return kind == JigKind::kClass
               ? text
               : text.substr(0, text.rfind('.', text.find(':')));
  };
  return is_internal(old_, holder_of(old_label)) ==
         is_internal(new_, holder_of(label));
}

std::string PairCompare::shown(const WalkSide& side, NodeId node) const {
  if (node == WalkSide::kNone) return "nothing";
  const std::string label = side.graph().label(node);
  return side.graph().kind(node) == JigKind::kUnknown
             ? "a class that is not there: " + label
             : label;
}

}  // namespace rejig::traversal
