// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "apps/rejig/picture/layout.h"
#include "apps/rejig/picture/picture.h"
#include "apps/rejig/report/ink.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

namespace {

constexpr std::string_view kStyle = R"(
svg { --back: #ffffff; --text: #1b1f24; --dim: #57606a; --line: #6e7781; --cluster: #f6f8fa; --rim: #d0d7de;
  --danger: #c8102e; --run: #ffffff; --call: #ddf4ff; --end: #e6e9ed; --raise: #fff1e5; --catch: #ffe9cc;
  --dispatch: #e7dcff; --external: #e9f7ec; --field: #fff8c5; --class: #eef1f4; --made: #ffe5f1; --error: #ffd7d5;
  --other: #c8102e; background: var(--back); }
.text { font: 11px 'DejaVu Sans Mono', 'Liberation Mono', monospace; fill: var(--text); white-space: pre; }
.dim { fill: var(--dim); } .small { font-size: 10px; }
.title { font: bold 13px 'DejaVu Sans', 'Liberation Sans', sans-serif; fill: var(--text); }
.name { font: bold 12px 'DejaVu Sans', 'Liberation Sans', sans-serif; fill: var(--text); }
.cluster { fill: var(--cluster); stroke: var(--rim); }
.box { stroke: var(--line); stroke-width: 1; }
.run { fill: var(--run); } .call { fill: var(--call); } .end, .return { fill: var(--end); } .raise { fill: var(--raise); }
.catch { fill: var(--catch); } .dispatch { fill: var(--dispatch); } .external { fill: var(--external); }
.field { fill: var(--field); } .class { fill: var(--class); } .made { fill: var(--made); } .error { fill: var(--error); }
.behind { opacity: .55; } .other > .own { stroke: var(--other); stroke-width: 1.6; stroke-dasharray: 5 2; }
.edge { fill: none; stroke: var(--line); stroke-width: 1.1; } .path { stroke-dasharray: 2 3; }
.exception { stroke-dasharray: 5 4; stroke: #9a6700; } .danger { stroke: var(--danger); stroke-width: 2.4; stroke-dasharray: none; }
.rule { font: bold 11px 'DejaVu Sans', 'Liberation Sans', sans-serif; fill: var(--danger); paint-order: stroke;
  stroke: var(--back); stroke-width: 3px; }
.label { paint-order: stroke; stroke: var(--cluster); stroke-width: 3px; }
)";

constexpr std::string_view kDark = R"(
@media (prefers-color-scheme: dark) { svg { --back: #0d1117; --text: #e6edf3; --dim: #9da7b3; --line: #8b949e; --cluster: #161b22;
  --rim: #30363d; --danger: #ff7b72; --other: #ff7b72; --run: #0d1117; --call: #0c2d4d; --end: #2d333b; --raise: #3d2a14;
  --catch: #4a2f0f; --dispatch: #2e2350; --external: #12331d; --field: #3b3410; --class: #22272e; --made: #46203a; --error: #56201f; } }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string n(int number) { return std::to_string(number); }

class Svg {
 public:
  void text(int x, int y, std::string_view words, std::string_view cls,
            std::string_view more = "") {
    out += "<text class=\"" + std::string(cls) + "\" x=\"" + n(x) + "\" y=\"" +
           n(y) + "\"" + std::string(more) + ">" + escaped(words) + "</text>\n";
  }
  void path(const std::string& d, std::string_view cls,
            std::string_view more = "") {
    out += "<path class=\"" + std::string(cls) + "\" d=\"" + d + "\"" +
           std::string(more) + "/>\n";
  }
  std::string out;
};

// Each kind has an outline of its own: colour alone says nothing.
std::string outline(Shape shape, const Box& b) {
  const int x = b.x;
  const int y = b.y;
  const int r = b.x + b.width;
  const int e = b.bottom();
  const auto polygon = [](std::initializer_list<std::pair<int, int>> points) {
    std::string d;
    for (const auto& [px, py] : points) {
      d += (d.empty() ? "M" : "L") + n(px) + " " + n(py);
    }
    return d + "Z";
  };
  const auto rounded = [&](int radius) {
    radius = std::min({radius, b.height / 2, b.width / 2});
    const std::string a = "A" + n(radius) + " " + n(radius) + " 0 0 1 ";
    return "M" + n(x + radius) + " " + n(y) + "H" + n(r - radius) + a + n(r) +
           " " + n(y + radius) + "V" + n(e - radius) + a + n(r - radius) + " " +
           n(e) + "H" + n(x + radius) + a + n(x) + " " + n(e - radius) + "V" +
           n(y + radius) + a + n(x + radius) + " " + n(y) + "Z";
  };
  switch (shape) {
    case Shape::kEnd:
      return rounded(b.height / 2);
    case Shape::kRaise:
      return polygon({{x + 8, y}, {r - 8, y}, {r, b.middle()}, {r - 8, e}, {x + 8, e}, {x, b.middle()}});
    case Shape::kRun:
      return polygon({{x, y}, {r, y}, {r, e}, {x, e}});
    case Shape::kCall:
      return polygon({{x, y}, {r, y}, {r, e}, {x, e}}) + "M" + n(x + 4) + " " +
             n(y) + "V" + n(e) + "M" + n(r - 4) + " " + n(y) + "V" + n(e);
    case Shape::kReturn:
      return rounded(4);
    case Shape::kCatch:
      return polygon({{x, y}, {r, y}, {r - 12, e}, {x + 12, e}});
    case Shape::kDispatch:
      return polygon({{x + 9, y}, {r - 9, y}, {r, b.middle()}, {r - 9, e}, {x + 9, e}, {x, b.middle()}});
    case Shape::kExternal:
      return polygon({{x + 9, y}, {r, y}, {r - 9, e}, {x, e}});
    case Shape::kField:
      return rounded(9);
    case Shape::kMade:
      return polygon({{x, y}, {r - 10, y}, {r, y + 10}, {r, e}, {x, e}});
    case Shape::kError:
      return polygon({{x + 8, y}, {r - 8, y}, {r, y + 8}, {r, e - 8}, {r - 8, e}, {x + 8, e}, {x, e - 8}, {x, y + 8}});
    case Shape::kClass:
      break;
  }
  return polygon({{x + 6, y}, {r, y}, {r, e}, {x, e}, {x, y + 6}});
}

std::string_view state_class(NodeState state) {
  switch (state) {
    case NodeState::kBehind: return " behind";
    case NodeState::kOther: return " other";
    default: return "";
  }
}

std::string_view state_words(NodeState state) {
  switch (state) {
    case NodeState::kMatched: return "the same in both versions";
    case NodeState::kBehind: return "the same, behind a dangerous edge";
    case NodeState::kOther: return "other, or in this version only";
    case NodeState::kAlone: break;
  }
  return "";
}

void write_lines(Svg& svg, const Box& box, const std::vector<std::string>& lines,
                 int inset) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    svg.text(box.x + inset, box.y + 16 + static_cast<int>(i) * kLineHeight,
             lines[i], "text");
  }
}

void write_node(Svg& svg, const PictureNode& node, const PlacedNode& placed) {
  const Box& b = placed.box;
  svg.out += "<g class=\"node" + std::string(state_class(node.state)) + "\">";
  std::string said = node.kind;
  if (node.source_line != 0) said += ", line " + std::to_string(node.source_line);
  for (const auto& line : node.lines) said += "\n" + line;
  if (node.state != NodeState::kAlone) said += "\n" + std::string(state_words(node.state));
  svg.out += "<title>";
  for (std::size_t at = 0; at <= said.size();) {
    const auto end = std::min(said.find('\n', at), said.size());
    svg.out += (at == 0 ? "" : "\n") + escaped(said.substr(at, end - at));
    at = end + 1;
  }
  svg.out += "</title>";
  svg.path(outline(node.shape, b),
           "box " + std::string(name_of(node.shape)) + " own");
  write_lines(svg, b, placed.lines, node.shape == Shape::kCatch ? 18 : 9);
  if (node.source_line != 0) {
    svg.text(b.x + b.width - 5, b.y + 12, "L" + std::to_string(node.source_line),
             "text dim small label", " text-anchor=\"end\"");
  }
  std::vector<PictureTarget> targets = node.targets;
  std::stable_partition(
      targets.begin(), targets.end(), [](const auto& one) { return !one.danger.empty(); });
  for (std::size_t i = 0; i < placed.targets.size(); ++i) {
    const Box& t = placed.targets[i].box;
    const bool more = i + 1 == placed.targets.size() && targets.size() > placed.targets.size();
    const Shape shape = more ? Shape::kClass : targets[i].shape;
    const std::string danger = more ? "" : targets[i].danger;
    svg.path("M" + n(b.x + b.width) + " " + n(std::min(b.middle(), t.middle() + 200)) + "C" +
                 n(b.x + b.width + 14) + " " + n(b.middle()) + " " + n(t.x - 14) + " " + n(t.middle()) +
                 " " + n(t.x) + " " + n(t.middle()),
             danger.empty() ? "edge" : "edge danger",
             danger.empty() ? "" : " marker-end=\"url(#red)\"");
    svg.path(outline(shape, t), "box " + std::string(name_of(shape)));
    write_lines(svg, t, placed.targets[i].lines, 13);
    if (!danger.empty()) {
      svg.text(t.x + t.width - 4, t.y - 1, danger, "rule", " text-anchor=\"end\"");
    }
  }
  svg.out += "</g>\n";
}

void write_edge(Svg& svg, const PictureEdge& edge, const PlacedEdge& placed,
                const PlacedMethod& method) {
  const Box& a = method.nodes[edge.from].box;
  const Box& b = method.nodes[edge.to].box;
  std::string cls = "edge";
  if (edge.style == EdgeStyle::kPath) cls += " path";
  if (edge.style == EdgeStyle::kException) cls += " exception";
  const bool danger = !edge.danger.empty();
  if (danger) cls += " danger";
  const std::string marker =
      danger ? " marker-end=\"url(#red)\"" : " marker-end=\"url(#arrow)\"";
  if (placed.straight) {
    const int x = a.x + 40;
    svg.path("M" + n(x) + " " + n(a.bottom()) + "V" + n(b.y - 1), cls, marker);
    if (!edge.label.empty()) {
      svg.text(x + 6, a.bottom() + 12, cut(edge.label, 28), "text dim small label");
    }
    if (danger) {
      svg.text(x + 90, std::min((a.bottom() + b.y) / 2 + 4, a.bottom() + 20),
               edge.danger, "rule");
    }
    return;
  }
  const int lane = placed.lane;
  const int from = a.bottom() - std::min(9, a.height / 2);
  const int to = b.y + std::min(9, b.height / 2);
  svg.path("M" + n(a.x) + " " + n(from) + "H" + n(lane + 4) + "Q" + n(lane) +
               " " + n(from) + " " + n(lane) + " " + n(from + (to > from ? 4 : -4)) +
               "V" + n(to + (to > from ? -4 : 4)) + "Q" + n(lane) + " " + n(to) + " " +
               n(lane + 4) + " " + n(to) + "H" + n(b.x - 1),
           cls, marker);
  if (!edge.label.empty()) {
    svg.text(a.x - 3, from - 3, cut(edge.label, 14), "text dim small label",
             " text-anchor=\"end\"");
  }
  if (danger) {
    svg.text(a.x - 3, from + 12, edge.danger, "rule", " text-anchor=\"end\"");
  }
}

void write_legend(Svg& svg, const Picture& picture, int y, int width) {
  struct Entry {
    Shape shape;
    std::string_view words;
  };
  static constexpr std::array<Entry, 12> kEntries = {{
      {Shape::kEnd, "entry, exit"}, {Shape::kRun, "instructions"},
      {Shape::kCall, "call"}, {Shape::kReturn, "return"},
      {Shape::kCatch, "catch"}, {Shape::kRaise, "by an exception"},
      {Shape::kDispatch, "dispatch"}, {Shape::kExternal, "external code"},
      {Shape::kField, "field"}, {Shape::kClass, "class"},
      {Shape::kMade, "bootstrap, lambda"}, {Shape::kError, "error, unknown"}}};
  int x = 16;
  for (const auto& entry : kEntries) {
    if (x + 150 > width) {
      x = 16;
      y += 24;
    }
    svg.path(outline(entry.shape, {x, y, 26, 14}),
             "box " + std::string(name_of(entry.shape)));
    svg.text(x + 32, y + 11, entry.words, "text");
    x += 150;
  }
  if (picture.sides.size() > 1) {
    y += 24;
    svg.out += "<g class=\"other\">";
    svg.path(outline(Shape::kRun, {16, y, 26, 14}), "box run own");
    svg.out += "</g>";
    svg.text(48, y + 11, "other, or in one version only", "text");
    svg.out += "<g class=\"behind\">";
    svg.path(outline(Shape::kRun, {266, y, 26, 14}), "box run");
    svg.text(298, y + 11, "the same, behind a dangerous edge", "text");
    svg.out += "</g>";
    svg.path("M" + n(566) + " " + n(y + 7) + "H" + n(594), "edge danger",
             " marker-end=\"url(#red)\"");
    svg.text(604, y + 11, "dangerous edge, with its number and rule", "text");
  }
}

constexpr int kLegendHeight = 110;

}  // namespace

std::string picture_svg(const Picture& picture, bool dark_too) {
  const Layout layout = layout_of(picture);
  const int width = std::max(layout.width + 16, 940);
  const int dangers = static_cast<int>(picture.dangers.size()) * 16;
  const int height = layout.height + dangers + kLegendHeight;
  Svg svg;
  svg.out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" +
            n(width) + "\" height=\"" + n(height) + "\" viewBox=\"0 0 " +
            n(width) + " " + n(height) + "\">\n<title>" +
            escaped(picture.title) + "</title>\n<style>" + std::string(kStyle) +
            (dark_too ? std::string(kDark) : "") + "</style>\n<defs>";
  for (const auto& [id, color] :
       {std::pair("arrow", "var(--line)"), std::pair("red", "var(--danger)")}) {
    svg.out += "<marker id=\"" + std::string(id) +
               "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
               "markerUnits=\"userSpaceOnUse\" markerWidth=\"9\" "
               "markerHeight=\"9\" orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\" "
               "fill=\"" +
               std::string(color) + "\"/></marker>";
  }
  svg.out += "</defs>\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"var(--back)\"/>\n";
  svg.text(16, 30, picture.title, "title");
  for (std::size_t s = 0; s < picture.sides.size(); ++s) {
    const auto& side = picture.sides[s];
    const auto& placed = layout.sides[s];
    if (picture.sides.size() > 1) {
      svg.text(placed.box.x, 54, (s == 0 ? "OLD  " : "NEW  ") + side.title, "name");
    }
    for (std::size_t m = 0; m < side.methods.size(); ++m) {
      const auto& method = side.methods[m];
      const auto& at = placed.methods[m];
      svg.out += "<g>";
      svg.path(outline(Shape::kReturn, at.box), "cluster");
      svg.text(at.box.x + 10, at.box.y + 17, method.title, "name");
      if (!method.file.empty()) {
        svg.text(at.box.x + at.box.width - 8, at.box.y + 16, method.file,
                 "text dim small", " text-anchor=\"end\"");
      }
      if (method.nodes.empty()) {
        svg.text(at.box.x + 10, at.box.y + 40, "not in this version", "text dim");
      }
      // What is dangerous lies on top.
      for (const bool danger : {false, true}) {
        for (const auto& edge : at.edges) {
          const auto& its = method.edges[edge.edge];
          if (its.danger.empty() == danger) continue;
          write_edge(svg, its, edge, at);
        }
        if (danger) continue;
        for (std::size_t i = 0; i < method.nodes.size(); ++i) {
          write_node(svg, method.nodes[i], at.nodes[i]);
        }
      }
      svg.out += "</g>\n";
    }
  }
  int y = layout.height + 8;
  for (const auto& danger : picture.dangers) {
    svg.text(16, y, cut(danger, static_cast<std::size_t>(width / 7)), "text");
    y += 16;
  }
  if (picture.left_out != 0) {
    svg.text(16, y, std::to_string(picture.left_out) + " methods are not drawn (--max-nodes)", "text dim");
  }
  write_legend(svg, picture, y + 12, width);
  return svg.out + "</svg>\n";
}

std::string picture_html(const Picture& picture) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
         "charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width\">\n<meta "
         "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'\">\n<title>" +
         escaped(picture.title) +
         "</title>\n<style>body{margin:0;background:#fff}@media"
         "(prefers-color-scheme:dark){body{background:#0d1117}}</style>\n"
         "</head>\n<body>\n" +
         picture_svg(picture, true) + "</body>\n</html>\n";
}

}  // namespace rejig::app
