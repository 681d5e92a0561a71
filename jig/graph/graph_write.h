// SPDX-License-Identifier: Apache-2.0
// How does a person or another program see a graph? Text, Graphviz, GraphML and
// NDJSON, nodes and edges in the order of their ids; instruction nodes show what
// the class file says there. Also what is asked of a whole graph: the slice
// around a method, and the figures of --stats.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jig/graph/graph.h"
#include "jig/world/world.h"

namespace rejig::jig {

// The nodes of the methods that `name` means ("a.b.C", "a.b.C.m",
// "a.b.C.m(I)V"), what their edges lead to (through dispatch nodes), and what
// leads to their entries. Sorted; empty: no such method. Needs in-edges.
std::vector<NodeId> slice_around(const Jig& graph, std::string_view name);

struct GraphFigures {
  std::vector<std::pair<std::string, std::size_t>> nodes;  // by kind
  std::vector<std::pair<std::string, std::size_t>> edges;
  std::size_t reached_from_outside = 0;  // from ECN
  std::size_t strong_components = 0;
  std::size_t largest_component = 0;
};
GraphFigures figures_of(const Jig& graph);

class GraphWriter {
 public:
  // `world` gives the texts of instructions.
  GraphWriter(const World& world, const Jig& graph);

  using Write = std::function<void(std::string_view)>;
  void text(const Write& write) const;
  void dot(const Write& write) const;
  void graphml(const Write& write) const;
  void ndjson(const Write& write) const;
  // Of every node: its label, and of instructions what they do.
  std::vector<std::string> descriptions() const;

 private:
  const World& world_;
  const Jig& graph_;
};

// Of every node that an entry reaches inside its method: the node that every way
// there passes last (the paper's dominance); its own id where there is none.
// Needs in-edges.
std::vector<NodeId> immediate_dominators(const Jig& graph);

}  // namespace rejig::jig
