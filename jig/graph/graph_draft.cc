// SPDX-License-Identifier: Apache-2.0
// Named nodes are found again by kind and label, so they come in the order in
// which they are first met; finish() gives them their final ids, sorts their
// edges by source, and puts the code nodes, which came in order, behind them. Code
// nodes have provisional ids (kCode) until then.
#include "jig/graph/graph_draft.h"

#include <algorithm>

#include "classfile/words/entity.h"

namespace rejig::jig {

namespace {

std::uint64_t pair_key(std::uint64_t a, std::uint64_t b) { return a << 32 | b; }

}  // namespace

GraphBuilder::GraphBuilder(const World& world, const ClassHierarchy& hierarchy)
    : world_(world),
      hierarchy_(hierarchy),
      symbols_(std::make_unique<Symbols>()) {
  node(NodeKind::kEcn, "ECN");
}

Jig::Edge GraphBuilder::packed(NodeId to, EdgeKind kind, SymbolId label) {
  Jig::Edge edge{};
  edge.target = to;
  edge.kind = static_cast<std::uint32_t>(kind) & 0x1f;
  edge.label = label & 0x7ffffff;
  return edge;
}

NodeId GraphBuilder::node(NodeKind kind, std::string_view label) {
  const SymbolId symbol = symbols_->of(label);
  const auto next = static_cast<NodeId>(nodes_.size());
  const auto [id, added] = ids_.try_emplace(
      pair_key(static_cast<std::uint64_t>(kind), symbol), next);
  if (added) {
    Jig::Node made{};
    made.kind = static_cast<std::uint32_t>(kind) & 0x3f;
    made.label = symbol & 0x3ffffff;
    nodes_.push_back(made);
  }
  return *id;
}

NodeId GraphBuilder::member_node(NodeKind kind, Name owner, Name name,
                                 Name descriptor, bool* added) {
  MemberName member;
  member.owner = symbols_->of(owner);
  member.name = symbols_->of(name);
  member.descriptor = symbols_->of(descriptor);
  // A number for (owner, name), then one for that and the descriptor.
  const auto number = [&](std::uint64_t key) {
    const auto next = static_cast<std::uint32_t>(member_ids_.size() + 1);
    return *member_ids_.try_emplace(key, next).first;
  };
  constexpr std::uint64_t kSecond = std::uint64_t{1} << 63;
  const std::uint32_t first = number(pair_key(member.owner, member.name));
  const std::uint32_t whole =
      number(kSecond | pair_key(first, member.descriptor));
  const auto next = static_cast<NodeId>(nodes_.size());
  const auto [id, is_new] = ids_.try_emplace(
      pair_key(static_cast<std::uint64_t>(kind), whole), next);
  if (added != nullptr) *added = is_new;
  if (!is_new) return *id;
  Jig::Node made{};
  made.kind = static_cast<std::uint32_t>(kind) & 0x3f;
  made.label = static_cast<std::uint32_t>(members_.size()) & 0x3ffffff;
  members_.push_back(member);
  nodes_.push_back(made);
  return next;
}

void GraphBuilder::edge(NodeId from, NodeId to, EdgeKind kind,
                        std::string_view label) {
  late_.push_back({from, packed(to, kind, symbols_->of(label))});
}

void GraphBuilder::declare_methods(const ClassNode& cls) {
  const SymbolId owner = symbols_->of(cls.name);
  for (const MethodShell& method : cls.shell->methods) {
    MethodRow row;
    row.owner = owner;
    row.name = symbols_->of(method.name);
    row.descriptor = symbols_->of(method.descriptor);
    const auto index = static_cast<std::uint32_t>(methods_.size());
    const auto signature = static_cast<std::uint32_t>(symbols_->of(
        std::string(method.name) + std::string(method.descriptor)));
    if (!row_of_.try_emplace(pair_key(owner, signature), index).second) {
      continue;
    }
    methods_.push_back(row);
    entries_.push_back(static_cast<NodeId>(nodes_.size()));
    for (const NodeKind kind : {NodeKind::kEntry, NodeKind::kExit,
                                NodeKind::kExceptionalExit}) {
      Jig::Node made{};
      made.kind = static_cast<std::uint32_t>(kind) & 0x3f;
      made.label = index & 0x3ffffff;
      nodes_.push_back(made);
      if (!method.has_code && kind == NodeKind::kExit) break;
    }
    // What runs in a native method is not ours to see.
    if (method.is(classfile::kAccNative)) {
      edge(entries_.back(), entries_.back() + 1, EdgeKind::kPath, "native");
    }
  }
}

std::size_t GraphBuilder::row_of(Name owner, Name name,
                                 Name descriptor) const {
  auto* symbols = symbols_.get();
  const auto signature =
      symbols->of(std::string(name) + std::string(descriptor));
  const auto* row = row_of_.find(pair_key(symbols->of(owner), signature));
  return row == nullptr ? methods_.size() : *row;
}

NodeId GraphBuilder::entry_of(Name owner, Name name, Name descriptor) {
  const std::size_t row = row_of(owner, name, descriptor);
  return row < entries_.size()
             ? entries_[row]
             : node(NodeKind::kUnknown,
                    classfile::method_entity(owner, name, descriptor));
}

// The collapsed graph of an external method: entry, path, exit.
NodeId GraphBuilder::external(Name owner, Name name, Name descriptor) {
  bool added = false;
  const NodeId entry =
      member_node(NodeKind::kExternalEntry, owner, name, descriptor, &added);
  if (added) {
    edge(entry,
         member_node(NodeKind::kExternalExit, owner, name, descriptor),
         EdgeKind::kPath);
  }
  return entry;
}

NodeId GraphBuilder::target_of(const MethodAnswer& answer) {
  if (!answer.unknown.empty()) {
    return node(NodeKind::kUnknown,
                classfile::dotted(answer.unknown) + rest_of(answer));
  }
  if (!answer.found()) return node(NodeKind::kError, name_of(answer.error));
  const Name owner = answer.holder->name;
  const MethodShell& method = *answer.method;
  return answer.holder->internal
             ? entry_of(owner, method.name, method.descriptor)
             : external(owner, method.name, method.descriptor);
}

NodeId GraphBuilder::dispatch(const MethodAnswer& resolved,
                              bool by_interface) {
  const bool checked =
      by_interface && !resolved.method->is(classfile::kAccPublic);
  std::string descriptor(resolved.method->descriptor);
  if (checked) descriptor += " by interface";
  bool added = false;
  const NodeId id = member_node(NodeKind::kDispatch, resolved.holder->name,
                                resolved.method->name, descriptor, &added);
  if (added) dispatches_.push_back({resolved, checked, id});
  return id;
}

NodeId GraphBuilder::init_node(Name name) {
  const std::size_t before = nodes_.size();
  const NodeId id = node(NodeKind::kInit, classfile::dotted(name));
  if (nodes_.size() == before) return id;
  const ClassNode* found = world_.find(name);
  if (found != nullptr && !found->internal) return id;  // collapsed
  unsigned place = 0;
  for (const std::string& each : init_sequence(world_, name)) {
    const std::string label = std::to_string(place++);
    if (each.starts_with('?')) {
      edge(id, node(NodeKind::kUnknown, classfile::dotted(each.substr(1))),
           EdgeKind::kInit, label);
      continue;
    }
    const ClassNode* holder = world_.find(each);
    const NodeId to = holder != nullptr && holder->internal
                          ? entry_of(each, "<clinit>", "()V")
                          : node(NodeKind::kInit, classfile::dotted(each));
    edge(id, to, EdgeKind::kInit, label);
  }
  return id;
}

// The paper's globally-qualified class name: every supertype, from the root.
Name GraphBuilder::qualified_name(Name name) {
  if (const auto* known = qualified_.find(name)) {
    return symbols_->text(*known);
  }
  std::string text;
  std::vector<Name> chain;
  for (Name at = name; !at.empty() && chain.size() < 4096;) {
    chain.push_back(at);
    const ClassNode* found = world_.find(at);
    at = found != nullptr && found->readable() ? found->shell->super : Name{};
  }
  base::HashSet<Name> seen;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    seen.insert(*at);
    for (const Name above : world_.supers(*at).names) {
      const ClassNode* found = world_.find(above);
      const bool itf = found == nullptr || !found->readable() ||
                       found->shell->is_interface();
      if (itf && seen.insert(above)) text += classfile::dotted(above) + ':';
    }
    text += classfile::dotted(*at) + ':';
  }
  if (!text.empty()) text.pop_back();
  const SymbolId id = symbols_->of(text);
  qualified_.try_emplace(world_.names().intern(name), id);
  return symbols_->text(id);
}

void GraphBuilder::begin_method(std::size_t row) {
  methods_[row].first = next_code_node();
}

NodeId GraphBuilder::code_node(NodeKind kind, std::uint32_t label) {
  const NodeId id = next_code_node();
  Jig::Node made{};
  made.kind = static_cast<std::uint32_t>(kind) & 0x3f;
  made.label = label & 0x3ffffff;
  code_nodes_.push_back(made);
  code_rows_.push_back(static_cast<EdgeId>(code_edges_.size()));
  return id;
}

void GraphBuilder::code_edge(NodeId to, EdgeKind kind,
                             std::string_view label) {
  code_edges_.push_back(packed(to, kind, symbols_->of(label)));
}

Jig GraphBuilder::finish() {
  Jig out;
  const auto named = static_cast<NodeId>(nodes_.size());
  const auto place = [named](NodeId id) {
    return (id & kCode) != 0 ? (id & ~kCode) + named : id;
  };
  out.rows_.assign(named + 1, 0);
  for (const Late& each : late_) ++out.rows_[each.from + 1];
  for (NodeId i = 0; i < named; ++i) out.rows_[i + 1] += out.rows_[i];
  out.edges_.resize(late_.size());
  auto next = out.rows_;
  for (const Late& each : late_) {
    out.edges_[next[each.from]] = each.edge;
    out.edges_[next[each.from]++].target = place(each.edge.target);
  }
  const auto base = static_cast<EdgeId>(late_.size());
  late_ = {};
  out.nodes_ = std::move(nodes_);
  out.nodes_.insert(out.nodes_.end(), code_nodes_.begin(), code_nodes_.end());
  out.edges_.reserve(base + code_edges_.size());
  for (Jig::Edge each : code_edges_) {
    each.target = place(each.target);
    out.edges_.push_back(each);
  }
  code_edges_ = {};
  out.rows_.reserve(out.nodes_.size() + 1);
  for (std::size_t i = 1; i < code_rows_.size(); ++i) {
    out.rows_.push_back(base + code_rows_[i]);
  }
  if (!code_rows_.empty()) {
    out.rows_.push_back(static_cast<EdgeId>(out.edges_.size()));
  }
  // Methods without code begin where the next one does.
  NodeId first = static_cast<NodeId>(out.nodes_.size());
  for (auto row = methods_.rbegin(); row != methods_.rend(); ++row) {
    if (row->first != 0) first = place(row->first);
    row->first = first;
  }
  out.methods_ = std::move(methods_);
  out.members_ = std::move(members_);
  out.nodes_.shrink_to_fit();
  out.rows_.shrink_to_fit();
  out.edges_.shrink_to_fit();
  out.methods_.shrink_to_fit();
  out.members_.shrink_to_fit();
  compact(out);
  return out;
}

// Most texts were needed to find things again; the graph keeps those that a label
// names.
void GraphBuilder::compact(Jig& graph) const {
  constexpr SymbolId kUnused = 0xffffffff;
  std::vector<SymbolId> to(symbols_->size(), kUnused);
  to[0] = 0;
  const auto each = [&](auto&& visit) {
    for (Jig::Node& node : graph.nodes_) {
      const auto kind = static_cast<NodeKind>(node.kind);
      const bool text = !Jig::of_method(kind) && !Jig::of_member(kind) &&
                        (!Jig::of_code(kind) || kind == NodeKind::kCatch);
      if (!text) continue;
      SymbolId id = node.label;
      visit(id);
      node.label = id & 0x3ffffff;
    }
    for (Jig::Edge& edge : graph.edges_) {
      SymbolId id = edge.label;
      visit(id);
      edge.label = id & 0x7ffffff;
    }
    for (MethodRow& row : graph.methods_) {
      visit(row.owner);
      visit(row.name);
      visit(row.descriptor);
    }
    for (MemberName& member : graph.members_) {
      visit(member.owner);
      visit(member.name);
      visit(member.descriptor);
    }
  };
  each([&](SymbolId& id) { to[id] = 0; });
  std::vector<std::pair<Name, SymbolId>> used;
  for (SymbolId id = 0; id < to.size(); ++id) {
    if (to[id] != kUnused) used.emplace_back(symbols_->text(id), id);
  }
  std::sort(used.begin(), used.end());
  std::vector<Name> texts;
  texts.reserve(used.size());
  for (const auto& [text, id] : used) {
    to[id] = static_cast<SymbolId>(texts.size());  // the empty one stays 0
    texts.push_back(text);
  }
  each([&](SymbolId& id) { id = to[id]; });
  graph.symbols_ = std::make_shared<const Texts>(texts);
}

}  // namespace rejig::jig
