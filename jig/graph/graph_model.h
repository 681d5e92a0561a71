// SPDX-License-Identifier: Apache-2.0
// How do Boost.Graph's algorithms and writers see a Jig? As a directed graph
// that models VertexListGraph, EdgeListGraph, IncidenceGraph and, once
// Jig::index_in_edges() was called, BidirectionalGraph; parallel edges allowed.
// Vertex descriptors are dense (vertex_index is the identity). Property maps:
// NodeKindMap, EdgeKindMap, EdgeLabelMap. The only header with Boost in it.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

#include "jig/graph/graph.h"

namespace rejig::jig {

struct EdgeDescriptor {
  NodeId from = 0;
  EdgeId id = 0;
  friend bool operator==(const EdgeDescriptor& a, const EdgeDescriptor& b) {
    return a.id == b.id;
  }
  friend bool operator<(const EdgeDescriptor& a, const EdgeDescriptor& b) {
    return a.id < b.id;
  }
};

class OutEdgeIterator
    : public boost::iterator_facade<OutEdgeIterator, EdgeDescriptor,
                                    boost::random_access_traversal_tag,
                                    EdgeDescriptor, std::ptrdiff_t> {
 public:
  OutEdgeIterator() = default;
  explicit OutEdgeIterator(EdgeDescriptor at) : at_(at) {}

 private:
  friend class boost::iterator_core_access;
  EdgeDescriptor dereference() const { return at_; }
  bool equal(const OutEdgeIterator& other) const { return at_ == other.at_; }
  void increment() { ++at_.id; }
  void decrement() { --at_.id; }
  void advance(std::ptrdiff_t n) {
    at_.id = static_cast<EdgeId>(static_cast<std::ptrdiff_t>(at_.id) + n);
  }
  std::ptrdiff_t distance_to(const OutEdgeIterator& other) const {
    return static_cast<std::ptrdiff_t>(other.at_.id) -
           static_cast<std::ptrdiff_t>(at_.id);
  }
  EdgeDescriptor at_;
};

class InEdgeIterator
    : public boost::iterator_facade<InEdgeIterator, EdgeDescriptor,
                                    boost::forward_traversal_tag,
                                    EdgeDescriptor, std::ptrdiff_t> {
 public:
  InEdgeIterator() = default;
  InEdgeIterator(const Jig* graph, const EdgeId* at) : graph_(graph), at_(at) {}

 private:
  friend class boost::iterator_core_access;
  EdgeDescriptor dereference() const { return {graph_->source(*at_), *at_}; }
  bool equal(const InEdgeIterator& other) const { return at_ == other.at_; }
  void increment() { ++at_; }
  const Jig* graph_ = nullptr;
  const EdgeId* at_ = nullptr;
};

// All edges, by source.
class EdgeIterator
    : public boost::iterator_facade<EdgeIterator, EdgeDescriptor,
                                    boost::forward_traversal_tag,
                                    EdgeDescriptor, std::ptrdiff_t> {
 public:
  EdgeIterator() = default;
  EdgeIterator(const Jig* graph, EdgeDescriptor at) : graph_(graph), at_(at) {
    settle();
  }

 private:
  friend class boost::iterator_core_access;
  EdgeDescriptor dereference() const { return at_; }
  bool equal(const EdgeIterator& other) const { return at_ == other.at_; }
  void increment() {
    ++at_.id;
    settle();
  }
  void settle() {
    while (at_.id < graph_->edges() && graph_->out_end(at_.from) <= at_.id) {
      ++at_.from;
    }
  }
  const Jig* graph_ = nullptr;
  EdgeDescriptor at_;
};

}  // namespace rejig::jig

namespace boost {
template <>
struct graph_traits<rejig::jig::Jig> {
  struct traversal_category : public virtual vertex_list_graph_tag,
                              public virtual edge_list_graph_tag,
                              public virtual bidirectional_graph_tag {};
  using directed_category = bidirectional_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using vertex_descriptor = rejig::jig::NodeId;
  using edge_descriptor = rejig::jig::EdgeDescriptor;
  using vertex_iterator = counting_iterator<vertex_descriptor>;
  using edge_iterator = rejig::jig::EdgeIterator;
  using out_edge_iterator = rejig::jig::OutEdgeIterator;
  using in_edge_iterator = rejig::jig::InEdgeIterator;
  using adjacency_iterator = void;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return 0xffffffff; }
};

template <>
struct property_map<rejig::jig::Jig, vertex_index_t> {
  using type = typed_identity_property_map<rejig::jig::NodeId>;
  using const_type = type;
};
}  // namespace boost

namespace rejig::jig {

using JigTraits = boost::graph_traits<Jig>;

inline std::pair<JigTraits::vertex_iterator, JigTraits::vertex_iterator>
vertices(const Jig& g) {
  return {JigTraits::vertex_iterator(0),
          JigTraits::vertex_iterator(static_cast<NodeId>(g.nodes()))};
}
inline std::size_t num_vertices(const Jig& g) { return g.nodes(); }
inline std::pair<EdgeIterator, EdgeIterator> edges(const Jig& g) {
  const auto n = static_cast<EdgeId>(g.edges());
  return {EdgeIterator(&g, {0, 0}), EdgeIterator(&g, {0, n})};
}
inline std::size_t num_edges(const Jig& g) { return g.edges(); }
inline NodeId source(const EdgeDescriptor& e, const Jig&) { return e.from; }
inline NodeId target(const EdgeDescriptor& e, const Jig& g) {
  return g.target(e.id);
}
inline std::pair<OutEdgeIterator, OutEdgeIterator> out_edges(NodeId n,
                                                             const Jig& g) {
  return {OutEdgeIterator({n, g.out_begin(n)}),
          OutEdgeIterator({n, g.out_end(n)})};
}
inline std::size_t out_degree(NodeId n, const Jig& g) {
  return g.out_end(n) - g.out_begin(n);
}
inline std::pair<InEdgeIterator, InEdgeIterator> in_edges(NodeId n,
                                                          const Jig& g) {
  const auto all = g.in_edges(n);
  return {InEdgeIterator(&g, all.data()),
          InEdgeIterator(&g, all.data() + all.size())};
}
inline std::size_t in_degree(NodeId n, const Jig& g) {
  return g.in_edges(n).size();
}
inline std::size_t degree(NodeId n, const Jig& g) {
  return in_degree(n, g) + out_degree(n, g);
}
inline boost::typed_identity_property_map<NodeId> get(boost::vertex_index_t,
                                                      const Jig&) {
  return {};
}
inline NodeId get(boost::vertex_index_t, const Jig&, NodeId n) { return n; }

// A property of nodes or edges as a readable property map.
template <class Key, class Value, Value (*kGet)(const Jig&, const Key&)>
struct JigPropertyMap {
  using key_type = Key;
  using value_type = Value;
  using reference = Value;
  using category = boost::readable_property_map_tag;
  const Jig* graph = nullptr;
  friend Value get(const JigPropertyMap& map, const Key& key) {
    return kGet(*map.graph, key);
  }
};
inline NodeKind node_kind_of(const Jig& g, const NodeId& n) {
  return g.kind(n);
}
inline EdgeKind edge_kind_of(const Jig& g, const EdgeDescriptor& e) {
  return g.edge_kind(e.id);
}
inline std::string edge_label_of(const Jig& g, const EdgeDescriptor& e) {
  return g.edge_label(e.id);
}
inline std::string node_label_of(const Jig& g, const NodeId& n) {
  return g.label(n);
}
using NodeKindMap = JigPropertyMap<NodeId, NodeKind, node_kind_of>;
using NodeLabelMap = JigPropertyMap<NodeId, std::string, node_label_of>;
using EdgeKindMap = JigPropertyMap<EdgeDescriptor, EdgeKind, edge_kind_of>;
using EdgeLabelMap = JigPropertyMap<EdgeDescriptor, std::string, edge_label_of>;

}  // namespace rejig::jig
