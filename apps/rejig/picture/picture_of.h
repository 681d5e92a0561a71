// SPDX-License-Identifier: Apache-2.0
// From graphs to a picture. Of two versions the picture shows Compare(N, N') of
// the paper inside one method: from both entries, edge by edge, to equal nodes; an
// edge whose targets differ is where the walk ends. What is dangerous, and by
// which rule, says the comparison: a difference that it does not call an edge is
// shown as other, and not in red.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/picture/picture.h"
#include "classfile/words/delta.h"
#include "jig/graph/graph.h"
#include "jig/world/world.h"

namespace rejig::app {

struct DrawnGraph {
  const jig::World* world = nullptr;
  const jig::Jig* graph = nullptr;
  std::string title;
};

struct NamedDelta {
  std::string id;  // "E12"
  const classfile::Delta* delta = nullptr;
};

struct PictureAsks {
  std::string method;                 // a.b.C, a.b.C.m or a.b.C.m(I)V; or as
                                      // Java has it: C.m(int), m; empty: all
  std::size_t most_nodes = 2000;
};

// The entities ("a.b.C.m()V") of the graph that a word means, sorted.
std::vector<std::string> methods_meant(const jig::Jig& graph,
                                       const std::string& word);

Picture picture_of(const DrawnGraph& graph, const PictureAsks& asks);
Picture picture_of(const DrawnGraph& before, const DrawnGraph& after,
                   const std::vector<NamedDelta>& edges,
                   const PictureAsks& asks);

}  // namespace rejig::app
