// SPDX-License-Identifier: Apache-2.0
// The nodes of a method as a picture has them, and the synchronous walk over those
// of two versions. Private to picture/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apps/rejig/picture/picture_of.h"

namespace rejig::app {

// "a.b.C.m()V"
std::string entity_of(const jig::Jig& graph, const jig::MethodRow& row);
inline bool is_code(jig::NodeKind kind) {
  return kind == jig::NodeKind::kInstruction || kind == jig::NodeKind::kCall;
}

// Of one method: its nodes as they are drawn, and what they say.
struct Drawn {
  const DrawnGraph* from = nullptr;
  std::vector<jig::NodeId> nodes;  // from top to bottom
  std::map<jig::NodeId, std::size_t> place;
  std::vector<std::string> texts;          // equal: the same node for the walk
  std::vector<std::vector<jig::EdgeId>> inner;  // edges inside the method, by place
  std::vector<std::vector<jig::EdgeId>> asked;  // edges to what is outside
};

class Drawing {
 public:
  explicit Drawing(const DrawnGraph& from);

  Drawn method(const std::string& entity) const;
  // What the node says, without where it is.
  std::string text_of(jig::NodeId n) const;
  // What a dispatch leads to.
  std::set<std::string> runs(jig::NodeId n) const;
  std::string target_text(jig::NodeId n) const;

 private:
  std::vector<jig::NodeId> reached(const std::vector<jig::NodeId>& nodes) const;
  std::vector<jig::NodeId> in_order(const std::vector<jig::NodeId>& nodes) const;

  const DrawnGraph& from_;
  std::vector<std::string> texts_;
  std::map<std::string, std::vector<jig::NodeId>> by_method_;
};

// Verdicts on the elements of one side.
struct Marks {
  std::vector<NodeState> nodes;
  std::set<jig::EdgeId> other;  // edges whose targets differ, or without partner
  // Of calls: the methods that only one version runs.
  std::map<jig::EdgeId, std::set<std::string>> runs;
};

// Compare(N, N') inside one method.
class Walk {
 public:
  Walk(const Drawing& old_drawing, const Drawn& before,
       const Drawing& new_drawing, const Drawn& after)
      : old_drawing_(old_drawing),
        new_drawing_(new_drawing),
        before_(before),
        after_(after) {
    old_marks.nodes.assign(before.nodes.size(), NodeState::kOther);
    new_marks.nodes.assign(after.nodes.size(), NodeState::kOther);
    if (before.nodes.empty() || after.nodes.empty()) return;
    meet(0, 0);
    while (!open_.empty()) {
      const auto [i, j] = open_.back();
      open_.pop_back();
      compare(i, j);
    }
    align();
  }

  Marks old_marks;
  Marks new_marks;
  // By place; both sides.
  std::vector<std::pair<std::size_t, std::size_t>> rows;

 private:
  void meet(std::size_t i, std::size_t j) {
    if (!met_.insert({i, j}).second) return;
    old_marks.nodes[i] = NodeState::kMatched;
    new_marks.nodes[j] = NodeState::kMatched;
    open_.push_back({i, j});
  }

  // Of edges of one kind and label the first belongs to the first.
  template <class F>
  void pairs(const jig::Jig& a, const std::vector<jig::EdgeId>& from, const jig::Jig& b,
             const std::vector<jig::EdgeId>& to, F&& both) {
    std::vector<bool> taken(to.size(), false);
    for (const jig::EdgeId e : from) {
      bool found = false;
      for (std::size_t k = 0; k < to.size() && !found; ++k) {
        if (taken[k] || a.edge_kind(e) != b.edge_kind(to[k]) ||
            a.edge_label(e) != b.edge_label(to[k])) {
          continue;
        }
        taken[k] = found = true;
        both(e, to[k]);
      }
      if (!found) old_marks.other.insert(e);
    }
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (!taken[k]) new_marks.other.insert(to[k]);
    }
  }

  void compare(std::size_t i, std::size_t j) {
    const jig::Jig& a = *before_.from->graph;
    const jig::Jig& b = *after_.from->graph;
    pairs(a, before_.inner[i], b, after_.inner[j], [&](jig::EdgeId e, jig::EdgeId f) {
      const auto x = before_.place.at(a.target(e));
      const auto y = after_.place.at(b.target(f));
      if (before_.texts[x] == after_.texts[y]) {
        meet(x, y);
      } else {
        old_marks.other.insert(e);
        new_marks.other.insert(f);
      }
    });
    pairs(a, before_.asked[i], b, after_.asked[j], [&](jig::EdgeId e, jig::EdgeId f) {
      if (old_drawing_.target_text(a.target(e)) !=
          new_drawing_.target_text(b.target(f))) {
        old_marks.other.insert(e);
        new_marks.other.insert(f);
        const auto was = old_drawing_.runs(a.target(e));
        const auto is = new_drawing_.runs(b.target(f));
        std::set<std::string> only;
        std::ranges::set_symmetric_difference(
            was, is, std::inserter(only, only.end()));
        old_marks.runs[e] = only;
        new_marks.runs[f] = std::move(only);
      }
    });
  }

  // Longest common subsequence: first of what the walk matched, behind a
  // dangerous edge of what says the same.
  void align() {
    const std::size_t n = before_.nodes.size();
    const std::size_t m = after_.nodes.size();
    const auto weight = [&](std::size_t i, std::size_t j) -> std::uint32_t {
      if (met_.count({i, j}) != 0) return 1000;
      const bool free = old_marks.nodes[i] == NodeState::kOther &&
                        new_marks.nodes[j] == NodeState::kOther;
      return free && before_.texts[i] == after_.texts[j] ? 1 : 0;
    };
    constexpr std::size_t kMostCells = 40'000'000;
    if (n * m > kMostCells) return;
    std::vector<std::uint32_t> best((n + 1) * (m + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return best[i * (m + 1) + j];
    };
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;) {
        const auto w = weight(i, j);
        at(i, j) = std::max({at(i + 1, j), at(i, j + 1),
                             w == 0 ? 0 : w + at(i + 1, j + 1)});
      }
    }
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
      const auto w = weight(i, j);
      if (w != 0 && at(i, j) == w + at(i + 1, j + 1)) {
        rows.push_back({i, j});
        if (w == 1) {
          old_marks.nodes[i] = NodeState::kBehind;
          new_marks.nodes[j] = NodeState::kBehind;
        }
        ++i;
        ++j;
      } else if (at(i, j) == at(i + 1, j)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  const Drawing& old_drawing_;
  const Drawing& new_drawing_;
  const Drawn& before_;
  const Drawn& after_;
  std::set<std::pair<std::size_t, std::size_t>> met_;
  std::vector<std::pair<std::size_t, std::size_t>> open_;
};

}  // namespace rejig::app
