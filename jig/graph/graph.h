// SPDX-License-Identifier: Apache-2.0
// Which way can this program go? The Java Interclass Graph: nodes for what runs
// (method entries, straight runs of instructions, calls and returns, handlers,
// exits), for what may call from outside (ECN, class entries), and for the
// questions that an instruction asks the JVM (dispatch, field, class,
// initialization, bootstrap, shell, artefact). README.md lists every kind with
// its place in the paper.
// Compressed sparse rows: 4 bytes each for a node's row and its label, 4 bytes
// each for an edge's target and its label; edges into a node are indexed when
// asked for. Immutable. Nodes and edges are numbered alike on every run. What
// could not be resolved is an error or unknown node, never a missing edge.
// graph_model.h makes it a Boost.Graph model. The texts of labels are the
// graph's own: it needs neither the World nor what was used to build it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/hash_map.h"
#include "jig/world/names.h"

namespace rejig::jig {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;
using SymbolId = std::uint32_t;  // 0: no label

enum class NodeKind : std::uint8_t {
#define REJIG_NODE_KIND(name, text) k##name,
#include "jig/graph/graph_kinds.def"
#undef REJIG_NODE_KIND
};
enum class EdgeKind : std::uint8_t {
#define REJIG_EDGE_KIND(name, text) k##name,
#include "jig/graph/graph_kinds.def"
#undef REJIG_EDGE_KIND
};
inline constexpr std::size_t kNodeKinds = 0
#define REJIG_NODE_KIND(name, text) +1
#include "jig/graph/graph_kinds.def"
#undef REJIG_NODE_KIND
    ;
inline constexpr std::size_t kEdgeKinds = 0
#define REJIG_EDGE_KIND(name, text) +1
#include "jig/graph/graph_kinds.def"
#undef REJIG_EDGE_KIND
    ;
std::string_view name_of(NodeKind kind);
std::string_view name_of(EdgeKind kind);

// Texts of labels, each once, while a graph is built.
class Symbols {
 public:
  Symbols() : texts_(1) {}
  SymbolId of(std::string_view text);
  Name text(SymbolId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  Names names_;
  base::HashMap<Name, SymbolId> ids_;
  std::vector<Name> texts_;
};

// Those that a finished graph uses, in their order: names of one package and one
// class stand together, so each says only where it parts from the one before.
class Texts {
 public:
  Texts() = default;
  explicit Texts(const std::vector<Name>& sorted);
  std::string text(SymbolId id) const;
  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    return bytes_.capacity() + begin_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kBlock = 16;  // the first of each is whole
  std::uint32_t number(std::size_t& at) const;
  std::string bytes_;  // each: shared bytes, own bytes, these
  std::vector<std::uint32_t> begin_;  // of blocks
  std::size_t size_ = 0;
};

// An internal method, and where its instructions begin.
struct MethodRow {
  SymbolId owner = 0;
  SymbolId name = 0;
  SymbolId descriptor = 0;
  NodeId first = 0;  // its run of instruction nodes; ends where the next begins
};

// A member that a dispatch, external or field node stands for.
struct MemberName {
  SymbolId owner = 0;
  SymbolId name = 0;
  SymbolId descriptor = 0;
  friend bool operator==(const MemberName&, const MemberName&) = default;
};

class Jig {
 public:
  struct Node {
    std::uint32_t kind : 6;
    // Symbol; method row (entries and exits); member; pc.
    std::uint32_t label : 26;
  };
  struct Edge {
    NodeId target;
    std::uint32_t kind : 5;
    std::uint32_t label : 27;  // symbol
  };
  static_assert(sizeof(Node) == 4 && sizeof(Edge) == 8);

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t edges() const { return edges_.size(); }
  NodeKind kind(NodeId n) const { return static_cast<NodeKind>(nodes_[n].kind); }
  EdgeKind edge_kind(EdgeId e) const {
    return static_cast<EdgeKind>(edges_[e].kind);
  }
  std::string edge_label(EdgeId e) const {
    return symbols_->text(edges_[e].label);
  }
  bool has_label(EdgeId e) const { return edges_[e].label != 0; }
  NodeId target(EdgeId e) const { return edges_[e].target; }
  EdgeId out_begin(NodeId n) const { return rows_[n]; }
  EdgeId out_end(NodeId n) const { return rows_[n + 1]; }

  // The method of an entry, exit or instruction node; nullptr for others.
  const MethodRow* method(NodeId n) const;
  // Of an instruction, call, return node: where its run begins.
  std::uint32_t pc(NodeId n) const { return nodes_[n].label; }
  // "a.b.C.m()V", "a.b.C.f:I", "*"; methods are dotted entities.
  std::string label(NodeId n) const;
  const std::vector<MethodRow>& methods() const { return methods_; }
  const Texts& symbols() const { return *symbols_; }

  // Edges into every node, for what walks backwards.
  void index_in_edges();
  bool has_in_edges() const { return !in_rows_.empty(); }
  std::span<const EdgeId> in_edges(NodeId n) const {
    return std::span(in_edges_).subspan(in_rows_[n],
                                        in_rows_[n + 1] - in_rows_[n]);
  }
  NodeId source(EdgeId e) const;

  // All that is resident: rows, nodes, edges, methods, members, texts.
  std::size_t bytes() const;
  std::size_t in_edge_bytes() const {
    return 4 * (in_rows_.size() + in_edges_.size());
  }

  // The graph of these nodes (sorted) and the edges between them.
  Jig induced(const std::vector<NodeId>& keep) const;

 private:
  friend class GraphBuilder;
  static bool of_method(NodeKind kind);
  static bool of_code(NodeKind kind);
  static bool of_member(NodeKind kind);

  std::shared_ptr<const Texts> symbols_;
  std::vector<MethodRow> methods_;
  std::vector<MemberName> members_;
  std::vector<Node> nodes_;
  std::vector<EdgeId> rows_;  // one more than nodes
  std::vector<Edge> edges_;
  std::vector<EdgeId> in_rows_;
  std::vector<EdgeId> in_edges_;
  std::vector<std::uint32_t> method_of_;  // of induced graphs only
};

}  // namespace rejig::jig
