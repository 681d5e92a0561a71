// SPDX-License-Identifier: Apache-2.0
// What does the graph of a method look like, alone or beside that of the other
// version? Plain data for whoever draws: methods as clusters, their nodes in rows,
// what an instruction asks beside it, edges with what makes them dangerous. All
// text may come from archives; each form escapes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rejig::app {

// How a node is drawn; several kinds of the graph share a shape.
enum class Shape : std::uint8_t {
  kEnd,          // entry, exit
  kRaise,        // exceptional exit
  kRun,          // instructions
  kCall,
  kReturn,
  kCatch,
  kDispatch,
  kExternal,
  kField,
  kClass,        // class, shell, init
  kMade,         // boot, lambda
  kError,        // error, unknown
};

enum class NodeState : std::uint8_t {
  kAlone,    // one version only is drawn
  kMatched,  // the walk came to both, and they are equal
  kBehind,   // behind a dangerous edge: the walk does not go there
  kOther,    // differs, or the other version has none
};

// What an instruction asks the JVM: a dispatch, a field, a class …
struct PictureTarget {
  Shape shape = Shape::kClass;
  std::string kind;
  std::vector<std::string> lines;
  std::string danger;  // "E3 D4"; empty: not dangerous
};

struct PictureNode {
  Shape shape = Shape::kRun;
  std::string kind;
  std::vector<std::string> lines;
  unsigned source_line = 0;
  NodeState state = NodeState::kAlone;
  std::size_t row = 0;  // of its method, the same for what is aligned
  std::vector<PictureTarget> targets;
};

enum class EdgeStyle : std::uint8_t { kFlow, kPath, kException };

struct PictureEdge {
  std::size_t from = 0;  // indexes of nodes
  std::size_t to = 0;
  std::string label;
  EdgeStyle style = EdgeStyle::kFlow;
  std::string danger;
};

struct PictureMethod {
  std::string title;  // "JndiManager.lookup(String)"
  std::string file;
  std::vector<PictureNode> nodes;  // from top to bottom
  std::vector<PictureEdge> edges;
  std::size_t rows = 0;
};

struct PictureSide {
  std::string title;  // the artefact
  std::vector<PictureMethod> methods;
};

struct Picture {
  std::string title;
  // One, or OLD and NEW: the n-th methods of both stand beside each other.
  std::vector<PictureSide> sides;
  std::vector<std::string> dangers;  // "E3 D1 …", as sentences
  std::size_t left_out = 0;          // methods
};

// The same picture gives the same bytes.
std::string picture_svg(const Picture& picture, bool dark_too = false);
std::string picture_html(const Picture& picture);
std::string picture_dot(const Picture& picture);
std::string picture_text(const Picture& picture);

std::string_view name_of(Shape shape);

}  // namespace rejig::app
