// SPDX-License-Identifier: Apache-2.0
// One version of the program as the walk sees it: its world, its Java Interclass
// Graph, and the ways to find a node by what it stands for. Immutable after the
// constructor, so any thread may ask. Borrows the World.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/diagnostics.h"
#include "classfile/base/parallel.h"
#include "jig/graph/graph.h"
#include "jig/world/world.h"

namespace rejig::traversal {

// The word NodeKind is taken by the nodes of one body.
using JigKind = jig::NodeKind;

class WalkSide {
 public:
  static constexpr jig::NodeId kNone = 0xffffffff;

  WalkSide(const jig::World& world, base::ThreadPool& pool,
           base::Diagnostics& diagnostics);

  const jig::World& world() const { return *world_; }
  const jig::Jig& graph() const { return graph_; }

  // Named nodes by kind and label ("a.b.C", "a.b.C.f:I"); kNone: there is none.
  jig::NodeId find(JigKind kind, std::string_view label) const;
  // A type, whether it is in the world or not.
  jig::NodeId find_type(std::string_view dotted) const;
  jig::NodeId entry(jig::Name owner, std::string_view name,
                    std::string_view descriptor) const;
  // Of the method that the node belongs to.
  jig::Name owner(jig::NodeId node) const { return method(node).owner; }
  jig::Name name(jig::NodeId node) const { return method(node).name; }
  jig::Name descriptor(jig::NodeId node) const {
    return method(node).descriptor;
  }

  // The node of that method whose run of instructions asks its question at `pc`.
  jig::NodeId question_at(jig::NodeId entry, std::uint32_t pc) const;
  // The catch nodes of a method.
  std::vector<jig::NodeId> catches(jig::NodeId entry) const;
  // "a.b.X" of one of them, "any".
  std::string caught(jig::NodeId catch_node) const;

  // The methods with an edge into a node for which `wanted` holds, directly or
  // through the linkage of a call site. Sorted.
  template <class Wanted>
  std::vector<std::string> methods_into(jig::NodeId node,
                                        Wanted&& wanted) const {
    std::vector<jig::NodeId> sources;
    for (const jig::EdgeId e : graph_.in_edges(node)) {
      if (wanted(e)) sources.push_back(graph_.source(e));
    }
    return methods_of(sources);
  }

 private:
  std::vector<std::string> methods_of(
      const std::vector<jig::NodeId>& sources) const;
  std::pair<jig::NodeId, jig::NodeId> code_of(jig::NodeId entry) const;

  struct Method {
    jig::Name owner;
    jig::Name name;
    jig::Name descriptor;
  };
  const Method& method(jig::NodeId node) const {
    return methods_[static_cast<std::size_t>(graph_.method(node) -
                                             graph_.methods().data())];
  }

  const jig::World* world_;
  jig::Jig graph_;
  jig::Names labels_;
  std::vector<Method> methods_;
  // By kind: label -> node.
  std::vector<base::HashMap<jig::Name, jig::NodeId>> named_;
};

}  // namespace rejig::traversal
