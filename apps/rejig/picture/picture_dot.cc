// SPDX-License-Identifier: Apache-2.0
// The same picture for Graphviz, and as text.
#include "apps/rejig/picture/picture.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

namespace {

std::string_view dot_shape(Shape shape) {
  switch (shape) {
    case Shape::kEnd: return "box\", style=\"rounded,filled";
    case Shape::kRaise:
    case Shape::kDispatch: return "hexagon";
    case Shape::kReturn: return "ellipse";
    case Shape::kCatch: return "invtrapezium";
    case Shape::kExternal: return "parallelogram";
    case Shape::kField: return "cylinder";
    case Shape::kMade: return "note";
    case Shape::kError: return "octagon";
    case Shape::kClass: return "component";
    case Shape::kRun:
    case Shape::kCall: break;
  }
  return shape == Shape::kCall ? "box\", peripheries=\"2" : "box";
}

std::string_view dot_color(Shape shape) {
  switch (shape) {
    case Shape::kCall: return "#ddf4ff";
    case Shape::kEnd:
    case Shape::kReturn: return "#e6e9ed";
    case Shape::kRaise: return "#fff1e5";
    case Shape::kCatch: return "#ffe9cc";
    case Shape::kDispatch: return "#e7dcff";
    case Shape::kExternal: return "#e9f7ec";
    case Shape::kField: return "#fff8c5";
    case Shape::kClass: return "#eef1f4";
    case Shape::kMade: return "#ffe5f1";
    case Shape::kError: return "#ffd7d5";
    case Shape::kRun: break;
  }
  return "#ffffff";
}

std::string node_label(const std::vector<std::string>& lines, unsigned line) {
  std::string out;
  for (const auto& one : lines) out += one + "\n";
  if (line != 0) out += "line " + std::to_string(line);
  return out;
}

std::string name(std::size_t s, std::size_t m, std::size_t i) {
  return "n" + std::to_string(s) + "_" + std::to_string(m) + "_" + std::to_string(i);
}

std::string box(const std::string& id, Shape shape, const std::string& label,
                NodeState state) {
  std::string out = "    " + id + " [shape=\"" + std::string(dot_shape(shape)) +
                    "\", fillcolor=\"" + std::string(dot_color(shape)) +
                    "\", label=" + dot_string(label);
  if (state == NodeState::kOther) out += ", color=\"#c8102e\"";
  if (state == NodeState::kBehind) out += ", fontcolor=\"#8c959f\"";
  return out + "];\n";
}

std::string_view edge_style(const PictureEdge& edge) {
  return edge.style == EdgeStyle::kFlow ? "solid"
         : edge.style == EdgeStyle::kPath ? "dotted"
                                          : "dashed";
}

}  // namespace

std::string picture_dot(const Picture& picture) {
  std::string out =
      "digraph rejig {\n  node [style=filled, fontsize=10, "
      "fontname=\"monospace\"];\n  edge [fontsize=9];\n  label=" +
      dot_string(picture.title) + ";\n";
  for (std::size_t s = 0; s < picture.sides.size(); ++s) {
    const auto& side = picture.sides[s];
    for (std::size_t m = 0; m < side.methods.size(); ++m) {
      const auto& method = side.methods[m];
      out += "  subgraph cluster_" + std::to_string(s) + "_" + std::to_string(m) +
             " {\n    label=" +
             dot_string((picture.sides.size() > 1 ? (s == 0 ? "OLD " : "NEW ") : "") +
                        method.title) +
             ";\n";
      std::string edges;
      for (std::size_t i = 0; i < method.nodes.size(); ++i) {
        const auto& node = method.nodes[i];
        const auto id = name(s, m, i);
        out += box(id, node.shape, node_label(node.lines, node.source_line), node.state);
        for (std::size_t t = 0; t < node.targets.size(); ++t) {
          const auto& target = node.targets[t];
          const auto its = id + "t" + std::to_string(t);
          out += box(its, target.shape, node_label(target.lines, 0), NodeState::kAlone);
          edges += "    " + id + " -> " + its + " [style=dashed";
          if (!target.danger.empty()) {
            edges += ", color=red, fontcolor=red, label=" + dot_string(target.danger);
          }
          edges += "];\n";
        }
      }
      for (const auto& edge : method.edges) {
        edges += "    " + name(s, m, edge.from) + " -> " + name(s, m, edge.to) +
                 " [style=" + std::string(edge_style(edge)) + ", label=" +
                 dot_string(edge.label + (edge.danger.empty() ? "" : " " + edge.danger));
        if (!edge.danger.empty()) edges += ", color=red, fontcolor=red, penwidth=2";
        edges += "];\n";
      }
      out += edges + "  }\n";
    }
  }
  return out + "}\n";
}

std::string picture_text(const Picture& picture) {
  std::string out = one_line(picture.title) + "\n";
  for (std::size_t s = 0; s < picture.sides.size(); ++s) {
    for (const auto& method : picture.sides[s].methods) {
      out += std::string(picture.sides.size() > 1 ? (s == 0 ? "OLD " : "NEW ") : "") +
             one_line(method.title) + "  " + one_line(method.file) + "\n";
      for (std::size_t i = 0; i < method.nodes.size(); ++i) {
        const auto& node = method.nodes[i];
        const char mark = node.state == NodeState::kOther    ? '!'
                          : node.state == NodeState::kBehind ? '~'
                                                             : ' ';
        out += std::string(1, mark) + " " + std::to_string(i) + " " + node.kind;
        for (std::size_t k = 0; k < node.lines.size(); ++k) {
          out += (k == 0 ? "  " : "; ") + one_line(node.lines[k]);
        }
        if (node.source_line != 0) out += "  line " + std::to_string(node.source_line);
        out += "\n";
        for (const auto& target : node.targets) {
          out += "      asks";
          for (const auto& line : target.lines) out += " " + one_line(line) + ";";
          if (!target.danger.empty()) out += "  dangerous: " + target.danger;
          out += "\n";
        }
        for (const auto& edge : method.edges) {
          if (edge.from != i) continue;
          out += "      " + (edge.label.empty() ? std::string() : one_line(edge.label) + " ") +
                 "-> " + std::to_string(edge.to);
          if (edge.style == EdgeStyle::kException) out += "  exception";
          if (!edge.danger.empty()) out += "  dangerous: " + edge.danger;
          out += "\n";
        }
      }
    }
  }
  for (const auto& danger : picture.dangers) out += one_line(danger) + "\n";
  return out;
}

}  // namespace rejig::app
