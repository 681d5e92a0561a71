// SPDX-License-Identifier: Apache-2.0
// Is the Jig what Boost.Graph takes for a graph?
#include <gtest/gtest.h>

#include <boost/concept/assert.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/strong_components.hpp>

#include "jig/graph/graph_draft.h"
#include "jig/graph/graph_model.h"
#include "jig/graph/graph_write.h"
#include "tests/unit/jig/world_of.h"

namespace rejig::jig {
namespace {

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Jig>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<Jig>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Jig>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<Jig>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyMapConcept<NodeKindMap, NodeId>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyMapConcept<NodeLabelMap, NodeId>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyMapConcept<EdgeKindMap, EdgeDescriptor>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyMapConcept<EdgeLabelMap, EdgeDescriptor>));

// ECN -> a -> b -> c -> a, b -> d
Jig sample(const World& world, base::ThreadPool& pool) {
  const ClassHierarchy hierarchy(world, {}, pool);
  GraphBuilder draft(world, hierarchy);
  const NodeId a = draft.node(NodeKind::kClass, "a");
  const NodeId b = draft.node(NodeKind::kClass, "b");
  const NodeId c = draft.node(NodeKind::kClass, "c");
  const NodeId d = draft.node(NodeKind::kClass, "d");
  draft.node(NodeKind::kClass, "alone");
  draft.edge(b, c, EdgeKind::kCall, "R");
  draft.edge(draft.ecn(), a, EdgeKind::kExternal, "A");
  draft.edge(a, b, EdgeKind::kPath);
  draft.edge(c, a, EdgeKind::kPath);
  draft.edge(b, d, EdgeKind::kCall, "S");
  EXPECT_EQ(draft.node(NodeKind::kClass, "c"), c);
  return draft.finish();
}

class GraphTest : public testing::Test {
 protected:
  GraphTest() : w_({}), pool_(1), graph_(sample(w_.world, pool_)) {}
  WorldOf w_;
  base::ThreadPool pool_;
  Jig graph_;
};

TEST_F(GraphTest, EdgesComeBySource) {
  std::string got;
  const auto [begin, end] = edges(graph_);
  for (auto at = begin; at != end; ++at) {
    got += graph_.label(source(*at, graph_)) + ">" +
           graph_.label(target(*at, graph_)) + " " +
           get(EdgeLabelMap{&graph_}, *at) + ";";
  }
  EXPECT_EQ(got, "ECN>a A;a>b ;b>c R;b>d S;c>a ;");
  EXPECT_EQ(num_edges(graph_), 5U);
  EXPECT_EQ(num_vertices(graph_), 6U);
}

TEST_F(GraphTest, InEdgesKnowTheirSource) {
  graph_.index_in_edges();
  const NodeId a = 1;
  EXPECT_EQ(in_degree(a, graph_), 2U);
  std::string from;
  const auto [begin, end] = in_edges(a, graph_);
  for (auto at = begin; at != end; ++at) from += graph_.label(at->from) + " ";
  EXPECT_EQ(from, "ECN c ");
}

TEST_F(GraphTest, AlgorithmsOfBoostRunOnIt) {
  const GraphFigures figures = figures_of(graph_);
  EXPECT_EQ(figures.reached_from_outside, 5U);
  EXPECT_EQ(figures.strong_components, 4U);
  EXPECT_EQ(figures.largest_component, 3U);
}

TEST_F(GraphTest, InducedGraphKeepsTheEdgesBetween) {
  const Jig part = graph_.induced({1, 2, 4});
  ASSERT_EQ(part.nodes(), 3U);
  ASSERT_EQ(part.edges(), 2U);
  EXPECT_EQ(part.label(part.target(0)), "b");
  EXPECT_EQ(part.label(part.target(1)), "d");
}

TEST_F(GraphTest, FourByteIds) {
  EXPECT_EQ(sizeof(Jig::Node), 4U);
  EXPECT_EQ(sizeof(Jig::Edge), 8U);
}

}  // namespace
}  // namespace rejig::jig
