// SPDX-License-Identifier: Apache-2.0
// Vertices are methods, and the questions that an instruction asks (dispatch,
// initialization, lambda sites, class entries), which cost nothing. An edge that
// leaves a method's exit leads to its callers and is no call. First forwards from
// every method of the application, by rapid type analysis: a receiver's edge
// counts once an instance of it may exist. Then from all changed methods at once,
// against the edges that counted, by the length of the way (Dijkstra). Cost: nodes and edges of the graph, twice.
#include "apps/rejig/upgrade/library_reach.h"

#include <algorithm>
#include <map>
#include <set>

#include "coverage/select/adaptor.h"
#include "jig/graph/graph_builder.h"

namespace rejig::app {

namespace {

using jig::EdgeKind;
using jig::NodeId;
using jig::NodeKind;

bool runs_something(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kSubtype:  // says something about types
    case EdgeKind::kLink:
    case EdgeKind::kShell:
    case EdgeKind::kTest:
    case EdgeKind::kArtefact:
    case EdgeKind::kObserve:
    case EdgeKind::kField:
      return false;
    default:
      return true;
  }
}

class Search {
 public:
  explicit Search(const jig::Jig& graph) : graph_(graph) {
    entry_of_.assign(graph.methods().size(), kNone);
    for (NodeId n = 0; n < graph.nodes(); ++n) {
      if (graph.kind(n) != NodeKind::kEntry) continue;
      entry_of_[row_of(n)] = n;
    }
    distance_.assign(graph.nodes(), kNone);
    next_.assign(graph.nodes(), kNone);
    alive_.assign(graph.nodes(), false);
    counts_.assign(graph.edges(), false);
    index_instances();
  }

  // What runs when `entry` does.
  void run_from(NodeId entry) {
    enliven(entry);
    while (!forward_.empty()) {
      const NodeId at = forward_.back();
      forward_.pop_back();
      follow(at);
    }
  }

  void start(NodeId entry) {
    if (!alive_[entry]) return;
    distance_[entry] = 0;
    todo_.insert({0, entry});
  }

  void run() {
    std::multimap<NodeId, NodeId> makers;
    for (const auto& [maker, entry] : callbacks_) makers.emplace(entry, maker);
    while (!todo_.empty()) {
      const auto [far, at] = *todo_.begin();
      todo_.erase(todo_.begin());
      // The platform may call back whoever was made; a call is more likely.
      constexpr std::uint32_t kCallback = 2;
      const auto [begin, end] = makers.equal_range(at);
      for (auto maker = begin; maker != end; ++maker) {
        reach(maker->second, at, kCallback);
      }
      for (const auto e : graph_.in_edges(at)) {
        if (!counts_[e]) continue;
        const NodeId source = graph_.source(e);
        if (graph_.method(source) != nullptr) {
          reach(entry_of_[row_of(source)], at, 1);
        } else {
          reach(source, at, 0);
        }
      }
    }
  }

  bool is_reached(NodeId entry) const { return distance_[entry] != kNone; }

  // The methods behind `entry`, up to the changed one.
  std::vector<std::string> path(NodeId entry) const {
    std::vector<std::string> out;
    for (NodeId at = next_[entry]; at != kNone; at = next_[at]) {
      if (graph_.kind(at) == NodeKind::kEntry) out.push_back(graph_.label(at));
    }
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // Which node makes an instance of what, and which edge asks for one.
  void index_instances() {
    for (NodeId n = 0; n < graph_.nodes(); ++n) {
      switch (graph_.kind(n)) {
        case NodeKind::kEntry: {
          const std::string entity = graph_.label(n);
          if (entity.find(".<init>(") != std::string::npos) {
            makes_.emplace(n,
                           class_of(coverage::class_of_method(entity)));
          }
          break;
        }
        case NodeKind::kLambda:
          makes_.emplace(n, class_of(graph_.label(n)));
          break;
        case NodeKind::kClassEntry:
          class_entry_.emplace(class_of(graph_.label(n)), n);
          break;
        default:
          break;
      }
    }
    made_.assign(classes_.size(), false);
  }

  std::size_t class_of(std::string_view name) {
    return classes_.try_emplace(std::string(name), classes_.size())
        .first->second;
  }

  void enliven(NodeId node) {
    if (alive_[node]) return;
    alive_[node] = true;
    forward_.push_back(node);
    const auto made = makes_.find(node);
    if (made == makes_.end() || made_[made->second]) return;
    made_[made->second] = true;
    if (const auto entry = class_entry_.find(made->second);
        entry != class_entry_.end()) {
      enliven(entry->second);
      callbacks_.emplace_back(node, entry->second);
    }
    const auto waiting = waiting_.find(made->second);
    if (waiting == waiting_.end()) return;
    for (const auto e : waiting->second) {
      counts_[e] = true;
      enliven(graph_.target(e));
    }
  }

  void follow(NodeId node) {
    const NodeKind kind = graph_.kind(node);
    if (kind == NodeKind::kExit || kind == NodeKind::kExceptionalExit ||
        kind == NodeKind::kEcn) {
      return;
    }
    for (auto e = graph_.out_begin(node); e < graph_.out_end(node); ++e) {
      if (!runs_something(graph_.edge_kind(e))) continue;
      if (kind == NodeKind::kDispatch) {
        const std::string receiver = graph_.edge_label(e);
        const auto known = receiver == "*" ? classes_.end()
                                           : classes_.find(receiver);
        if (known != classes_.end() && !made_[known->second]) {
          waiting_[known->second].push_back(e);
          continue;
        }
      }
      counts_[e] = true;
      enliven(graph_.target(e));
    }
  }

  std::size_t row_of(NodeId n) const {
    return static_cast<std::size_t>(graph_.method(n) - graph_.methods().data());
  }

  void reach(NodeId node, NodeId from, std::uint32_t cost) {
    const std::uint32_t far = distance_[from] + cost;
    if (node == kNone || distance_[node] <= far) return;
    todo_.erase({distance_[node], node});
    distance_[node] = far;
    next_[node] = from;
    todo_.insert({far, node});
  }

  const jig::Jig& graph_;
  std::map<std::string, std::size_t, std::less<>> classes_;
  std::map<NodeId, std::size_t> makes_;
  std::map<std::size_t, NodeId> class_entry_;
  std::map<std::size_t, std::vector<jig::EdgeId>> waiting_;  // by class
  std::vector<std::pair<NodeId, NodeId>> callbacks_;  // maker, class entry
  std::vector<bool> made_;                            // by class
  std::vector<bool> alive_;                           // by node
  std::vector<bool> counts_;                          // by edge
  std::vector<NodeId> forward_;
  std::vector<NodeId> entry_of_;  // by method row
  std::vector<std::uint32_t> distance_;
  std::vector<NodeId> next_;
  std::set<std::pair<std::uint32_t, NodeId>> todo_;  // the nearest first
};

}  // namespace

std::vector<LibraryWay> ways_into(
    const jig::World& world, base::ThreadPool& pool,
    const std::function<bool(std::string_view)>& is_application,
    const std::function<bool(const std::string&)>& is_changed) {
  base::Diagnostics diagnostics;
  jig::Jig graph = jig::build_graph(world, pool, diagnostics);
  graph.index_in_edges();
  Search search(graph);
  std::vector<std::pair<NodeId, std::string>> mine;
  std::vector<NodeId> changed;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (graph.kind(n) != NodeKind::kEntry) continue;
    std::string method = graph.label(n);
    if (is_application(coverage::class_of_method(method))) {
      mine.emplace_back(n, std::move(method));
    } else if (is_changed(method)) {
      changed.push_back(n);
    }
  }
  for (const auto& [entry, method] : mine) search.run_from(entry);
  for (const NodeId entry : changed) search.start(entry);
  search.run();
  std::vector<LibraryWay> out;
  for (auto& [entry, method] : mine) {
    if (!search.is_reached(entry)) continue;
    auto path = search.path(entry);
    if (path.empty() || is_application(coverage::class_of_method(path.front()))) {
      continue;
    }
    out.push_back({std::move(method), std::move(path)});
  }
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::pair(a.path.size(), std::string_view(a.method)) <
           std::pair(b.path.size(), std::string_view(b.method));
  });
  return out;
}

}  // namespace rejig::app
