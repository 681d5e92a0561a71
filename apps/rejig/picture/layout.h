// SPDX-License-Identifier: Apache-2.0
// Where does each thing of a picture stand? Methods below each other, nodes of a
// method in one column in the order of the code, what they ask to the right of
// them, and jumps to the left in lanes: one lane leads to one node, and two lanes
// cross no rows of each other. Both sides share the rows. In pixels.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/picture/picture.h"

namespace rejig::app {

struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int bottom() const { return y + height; }
  int middle() const { return y + height / 2; }
};

struct PlacedTarget {
  Box box;
  std::vector<std::string> lines;  // cut
};

struct PlacedNode {
  Box box;
  std::vector<std::string> lines;
  std::vector<PlacedTarget> targets;
};

struct PlacedEdge {
  std::size_t edge = 0;  // of the method
  bool straight = false;  // down to the next node
  int lane = 0;           // x
};

struct PlacedMethod {
  Box box;  // of the cluster
  std::vector<PlacedNode> nodes;
  std::vector<PlacedEdge> edges;
};

struct PlacedSide {
  Box box;
  std::vector<PlacedMethod> methods;
};

struct Layout {
  std::vector<PlacedSide> sides;
  int width = 0;
  int height = 0;
};

inline constexpr int kLineHeight = 14;
inline constexpr int kTitleHeight = 24;

Layout layout_of(const Picture& picture);

}  // namespace rejig::app
