// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/picture/layout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "apps/rejig/report/ink.h"

namespace rejig::app {

namespace {

constexpr int kMargin = 16;
constexpr int kPad = 6;         // inside a box
constexpr int kGap = 16;        // between rows
constexpr int kLane = 11;
constexpr int kNodeWidth = 330;
constexpr int kSmallWidth = 136;
constexpr int kTargetWidth = 268;
constexpr int kTargetGap = 26;
constexpr int kCharWidth = 7;   // of the 11 px letters, rounded up
constexpr std::size_t kNodeLines = 9;
constexpr std::size_t kTargetLines = 4;
constexpr std::size_t kTargets = 6;

std::vector<std::string> shown(const std::vector<std::string>& lines,
                               std::size_t most, int width) {
  const auto columns =
      static_cast<std::size_t>((width - 2 * kPad) / kCharWidth);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() > most && i == most - 1) {
      out.push_back("… " + std::to_string(lines.size() - i) + " more");
      break;
    }
    out.push_back(cut(lines[i], columns));
  }
  return out;
}

int height_of(std::size_t lines) {
  return static_cast<int>(lines) * kLineHeight + 2 * kPad;
}

bool is_small(const PictureNode& node) {
  return node.shape == Shape::kReturn || node.shape == Shape::kEnd ||
         node.shape == Shape::kRaise;
}

// Dangerous ones first; the others as they come.
std::vector<PictureTarget> shown_targets(const PictureNode& node) {
  auto out = node.targets;
  std::stable_partition(
      out.begin(), out.end(), [](const auto& one) { return !one.danger.empty(); });
  if (out.size() <= kTargets) return out;
  const auto left = out.size() - (kTargets - 1);
  out.resize(kTargets - 1);
  PictureTarget more;
  more.lines = {"… " + std::to_string(left) + " more"};
  out.push_back(std::move(more));
  return out;
}

// Which lane leads to which node: by where they end, no two over the same rows.
class Lanes {
 public:
  explicit Lanes(const PictureMethod& method) {
    struct Span {
      std::size_t first;
      std::size_t last;
      bool exception;
    };
    std::map<std::pair<std::size_t, bool>, Span> spans;
    for (const auto& edge : method.edges) {
      if (is_straight(method, edge)) continue;
      const bool exception = edge.style == EdgeStyle::kException;
      const auto a = method.nodes[edge.from].row;
      const auto b = method.nodes[edge.to].row;
      const auto [at, fresh] = spans.try_emplace(
          {edge.to, exception}, Span{std::min(a, b), std::max(a, b), exception});
      if (!fresh) {
        at->second.first = std::min({at->second.first, a, b});
        at->second.last = std::max({at->second.last, a, b});
      }
    }
    // Short ones stand next to the nodes, exceptions outside.
    std::vector<std::pair<std::pair<std::size_t, bool>, Span>> order(
        spans.begin(), spans.end());
    std::ranges::stable_sort(order, [](const auto& x, const auto& y) {
      return std::pair(x.second.exception, x.second.last - x.second.first) <
             std::pair(y.second.exception, y.second.last - y.second.first);
    });
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> taken;
    for (const auto& [key, its] : order) {
      const Span& span = its;
      std::size_t lane = 0;
      const auto clashes = [&](const auto& rows) {
        return std::ranges::any_of(rows, [&](const auto& one) {
          return span.first <= one.second && one.first <= span.last;
        });
      };
      while (lane < taken.size() && clashes(taken[lane])) ++lane;
      if (lane == taken.size()) taken.emplace_back();
      taken[lane].push_back({span.first, span.last});
      lanes_[key] = static_cast<int>(lane);
    }
    count_ = static_cast<int>(taken.size());
  }

  static bool is_straight(const PictureMethod& method, const PictureEdge& edge) {
    return edge.to == edge.from + 1 && edge.style != EdgeStyle::kException &&
           method.nodes[edge.to].row > method.nodes[edge.from].row;
  }
  int of(const PictureEdge& edge) const {
    return lanes_.at({edge.to, edge.style == EdgeStyle::kException});
  }
  int count() const { return count_; }

 private:
  std::map<std::pair<std::size_t, bool>, int> lanes_;
  int count_ = 0;
};

PlacedNode measured(const PictureNode& node) {
  PlacedNode out;
  out.lines = shown(node.lines, kNodeLines, kNodeWidth);
  // The line of the source stands in the corner.
  constexpr std::size_t kCorner = 6;
  if (node.source_line != 0 && !out.lines.empty()) {
    out.lines[0] = cut(out.lines[0], (kNodeWidth - 2 * kPad) / kCharWidth - kCorner);
  }
  out.box.width = is_small(node) ? kSmallWidth : kNodeWidth;
  out.box.height = height_of(out.lines.size());
  for (const auto& target : shown_targets(node)) {
    PlacedTarget one;
    one.lines = shown(target.lines, kTargetLines, kTargetWidth);
    one.box.width = kTargetWidth;
    one.box.height = height_of(one.lines.size());
    out.targets.push_back(std::move(one));
  }
  return out;
}

int height_of(const PlacedNode& node) {
  int targets = 0;
  for (const auto& one : node.targets) targets += one.box.height + 4;
  return std::max(node.box.height, targets - 4);
}

}  // namespace

Layout layout_of(const Picture& picture) {
  Layout out;
  std::size_t methods = 0;
  for (const auto& side : picture.sides) {
    out.sides.emplace_back();
    methods = std::max(methods, side.methods.size());
  }
  // A gutter for the lanes of each side.
  std::vector<int> gutters(picture.sides.size(), 0);
  for (std::size_t s = 0; s < picture.sides.size(); ++s) {
    for (const auto& method : picture.sides[s].methods) {
      gutters[s] = std::max(gutters[s], Lanes(method).count() * kLane + 24);
    }
  }
  int y = kMargin + 2 * kTitleHeight;
  for (std::size_t m = 0; m < methods; ++m) {
    std::vector<int> heights;
    for (std::size_t s = 0; s < picture.sides.size(); ++s) {
      const auto& method = picture.sides[s].methods[m];
      auto& placed = out.sides[s].methods.emplace_back();
      heights.resize(std::max(heights.size(), method.rows), 0);
      for (const auto& node : method.nodes) {
        placed.nodes.push_back(measured(node));
        heights[node.row] =
            std::max(heights[node.row], height_of(placed.nodes.back()));
      }
    }
    std::vector<int> tops;
    int bottom = y + kTitleHeight + kPad;
    for (const int height : heights) {
      tops.push_back(bottom);
      bottom += height + kGap;
    }
    int x = kMargin;
    for (std::size_t s = 0; s < picture.sides.size(); ++s) {
      const auto& method = picture.sides[s].methods[m];
      auto& placed = out.sides[s].methods[m];
      const int column = x + gutters[s];
      const int width =
          gutters[s] + kNodeWidth + kTargetGap + kTargetWidth + 2 * kPad;
      placed.box = {x, y, width, bottom - y};
      for (std::size_t i = 0; i < method.nodes.size(); ++i) {
        auto& node = placed.nodes[i];
        node.box.x = column;
        node.box.y = tops[method.nodes[i].row];
        int target_y = node.box.y;
        for (auto& target : node.targets) {
          target.box.x = column + kNodeWidth + kTargetGap;
          target.box.y = target_y;
          target_y += target.box.height + 4;
        }
      }
      const Lanes lanes(method);
      for (std::size_t e = 0; e < method.edges.size(); ++e) {
        const auto& edge = method.edges[e];
        const bool straight = Lanes::is_straight(method, edge);
        placed.edges.push_back(
            {e, straight,
             straight ? 0 : column - 16 - lanes.of(edge) * kLane});
      }
      out.sides[s].box = {x, kMargin, width, 0};
      x += width + 2 * kMargin;
      out.width = std::max(out.width, x - kMargin);
    }
    y = bottom + kMargin;
  }
  out.height = y;
  return out;
}

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::kEnd: return "end";
    case Shape::kRaise: return "raise";
    case Shape::kRun: return "run";
    case Shape::kCall: return "call";
    case Shape::kReturn: return "return";
    case Shape::kCatch: return "catch";
    case Shape::kDispatch: return "dispatch";
    case Shape::kExternal: return "external";
    case Shape::kField: return "field";
    case Shape::kClass: return "class";
    case Shape::kMade: return "made";
    case Shape::kError: return "error";
  }
  return "run";
}

}  // namespace rejig::app
