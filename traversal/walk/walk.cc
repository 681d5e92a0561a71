// SPDX-License-Identifier: Apache-2.0
// Vertices: pairs (N, N') of nodes of the two graphs. Edges: match(N, e'), to the
// targets if these are equivalent; else the edge of N is dangerous, and the walk
// stops along that path. Entry set: ECN (and through it every class entry,
// shell, magic member, test and fixture), every type with its initialization,
// and every method, since a matrix can name any. It goes in rounds: the pairs of
// a round are compared in parallel, each with a result of its own; the pairs
// they lead to are sorted, and those that have a mark are dropped. So the same
// pairs are compared in the same order at any number of threads.
// Cost: every body once, and for every receiver its methods times its types.
// Safe for the reasons of the paper: an execution of the old program that takes
// no dangerous edge takes the same way through the new graph.
#include "traversal/walk/walk.h"

#include <algorithm>
#include <map>
#include <set>

#include "traversal/answer/answer.h"
#include "traversal/body/class_compare.h"
#include "traversal/code/enum_values.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/session/phases.h"
#include "traversal/shell/debug_facet.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

using jig::EdgeKind;
using jig::NodeId;

namespace {

class Walk {
 public:
  Walk(const Matching& matching, Findings& findings)
      : matching_(matching),
        findings_(findings),
        old_(matching.worlds.old_world, matching.worlds.pool, old_diagnostics_),
        new_(matching.worlds.new_world, matching.worlds.pool,
             new_diagnostics_) {
    for (unsigned i = 0; i < matching_.worlds.pool.workers(); ++i) {
      workers_.push_back(std::make_unique<PairCompare>(matching_, old_, new_));
    }
  }

  void run() {
    lost_classes();
    new_types();
    rounds(entry_set());
    // $values() that did not go into an equal <clinit>, lambda bodies that no
    // equal site leads to: by their names.
    rounds(helpers());
    for (auto next = lambdas_by_name(); !next.empty();
         next = lambdas_by_name()) {
      rounds(std::move(next));
    }
    debug_facets();
    for (const auto* found : {&old_diagnostics_, &new_diagnostics_}) {
      for (const auto& item : found->items()) {
        findings_.widened.push_back({item.what, item.where});
      }
    }
    add_subtype_edges(matching_, old_, std::move(flips_), findings_);
    walk_verification(matching_, std::move(link_changes_), findings_);
    add_external_below(matching_, findings_);
    add_native_callers(matching_, findings_);
  }

 private:
  void take(PairResult&& result) {
    findings_.take(std::move(result.found));
    flips_.insert(flips_.end(), result.flips.begin(), result.flips.end());
    link_changes_.insert(link_changes_.end(), result.link_changes.begin(),
                         result.link_changes.end());
    for (const NodeId entry : result.equal) equal_.insert(entry);
  }

  void rounds(std::vector<NodePair> todo) {
    while (true) {
      std::sort(todo.begin(), todo.end());
      todo.erase(std::unique(todo.begin(), todo.end()), todo.end());
      std::erase_if(todo, [&](const NodePair& pair) {
        const auto mark = std::uint64_t{pair.old_node} << 32 | pair.new_node;
        return !marked_.insert(mark);
      });
      if (todo.empty()) return;
      std::vector<PairResult> results(todo.size());
      matching_.worlds.pool.for_ranges(
          todo.size(), 16,
          [&](unsigned worker, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              results[i] = workers_[worker]->compare(todo[i]);
            }
          });
      std::vector<NodePair> next;
      for (std::size_t i = 0; i < todo.size(); ++i) {
        if (old_.graph().kind(todo[i].old_node) == JigKind::kEntry) {
          entered_.insert(todo[i].old_node);
        }
        next.insert(next.end(), results[i].next.begin(),
                    results[i].next.end());
        take(std::move(results[i]));
      }
      todo = std::move(next);
    }
  }

  // Has the class a partner that can be compared with it?
  bool is_pair(Name old_name) const {
    const ClassNode* partner = matching_.partner(old_name);
    return partner != nullptr && partner->internal &&
           matching_.old_view(old_name) != nullptr &&
           matching_.new_view(partner->name) != nullptr;
  }

  // Equal bytes that nobody can read stay what they are.
  bool unreadable_as_ever(Name old_name) const {
    return matching_.is_equal(old_name);
  }

  void lost_classes() {
    for (const auto& file : matching_.worlds.inputs.old_internal->classes()) {
      if (is_pair(file.name) || unreadable_as_ever(file.name)) continue;
      take(workers_[0]->lost_class(matching_.worlds.names.intern(file.name)));
    }
    const bool changed =
        !matching_.changed.empty() || !matching_.added.empty() ||
        !matching_.removed.empty() || !matching_.external_changed.empty() ||
        !matching_.external_added.empty() ||
        !matching_.external_removed.empty();
    for (const Name name : matching_.equal_sorted) {
      if (!changed || is_pair(name)) continue;
      const auto again = matching_.worlds.old_world.load_internal(name);
      if (!again.ok()) report_unreadable(findings_, name, again.error());
    }
  }

  void new_types() {
    const auto& graph = new_.graph();
    for (NodeId n = 0; n < graph.nodes(); ++n) {
      const JigKind kind = graph.kind(n);
      if (kind != JigKind::kClass && kind != JigKind::kUnknown) continue;
      const std::string before =
          classfile::dotted(matching_.renaming.old_class_name(
              classfile::slashed(graph.label(n))));
      if (old_.find_type(before) != WalkSide::kNone) continue;
      take(workers_[0]->new_type(n));
    }
  }

  std::vector<NodePair> entry_set() const {
    const auto& graph = old_.graph();
    std::vector<NodePair> out = {{0, 0}};  // ECN
    Name last;
    bool compared = false;
    for (NodeId n = 0; n < graph.nodes(); ++n) {
      const JigKind kind = graph.kind(n);
      if (kind == JigKind::kClass || kind == JigKind::kUnknown) {
        const std::string label = graph.label(n);
        if (old_.find_type(label) != n) continue;  // what it calls is unknown
        out.push_back({n, new_.find_type(renamed(label))});
      } else if (kind == JigKind::kEntry) {
        const Name owner = old_.owner(n);
        if (owner != last) {
          last = owner;
          compared = is_pair(owner);
        }
        if (compared && !is_lambda(n) && !is_helper(n)) out.push_back(by_name(n));
      }
    }
    return out;
  }

  std::string renamed(const std::string& dotted) const {
    if (matching_.renaming.is_identity()) return dotted;
    return classfile::dotted(
        matching_.renaming.class_name(classfile::slashed(dotted)));
  }

  NodePair by_name(NodeId entry) const {
    const ClassNode* partner = matching_.partner(old_.owner(entry));
    return {entry,
            new_.entry(partner->name, old_.name(entry),
                       matching_.renaming.descriptor(old_.descriptor(entry)))};
  }

  const classfile::MemberView* method(NodeId entry) const {
    const auto* cls = matching_.old_view(old_.owner(entry));
    return cls == nullptr ? nullptr
                          : find_method(*cls, old_.name(entry),
                                        old_.descriptor(entry));
  }
  bool is_lambda(NodeId entry) const {
    if (!old_.name(entry).starts_with("lambda$")) return false;
    const auto* found = method(entry);
    return found != nullptr && is_lambda_name(*found);
  }
  bool is_helper(NodeId entry) const {
    if (old_.name(entry) != kValuesHelper) return false;
    const auto* cls = matching_.old_view(old_.owner(entry));
    return cls != nullptr && values_helper(*cls) == method(entry);
  }

  template <class Wanted>
  std::vector<NodePair> entries(Wanted&& wanted) const {
    std::vector<NodePair> out;
    for (NodeId n = 0; n < old_.graph().nodes(); ++n) {
      if (old_.graph().kind(n) != JigKind::kEntry) continue;
      if (wanted(n) && is_pair(old_.owner(n))) out.push_back(by_name(n));
    }
    return out;
  }

  std::vector<NodePair> helpers() {
    return entries([&](NodeId n) {
      if (!is_helper(n)) return false;
      const NodeId clinit = old_.entry(old_.owner(n), "<clinit>", "()V");
      const bool said = clinit != WalkSide::kNone && equal_.contains(clinit) &&
                        by_name(n).new_node == WalkSide::kNone;
      return !said;
    });
  }

  // The first one of each class: it may lead to the others.
  std::vector<NodePair> lambdas_by_name() const {
    std::set<Name> classes;
    return entries([&](NodeId n) {
      return is_lambda(n) && !entered_.contains(n) &&
             classes.insert(old_.owner(n)).second;
    });
  }

  void debug_facets() {
    std::map<Name, std::vector<NodeId>> by_class;
    for (const NodeId entry : equal_.sorted()) {
      by_class[old_.owner(entry)].push_back(entry);
    }
    for (const auto& [name, equal] : by_class) {
      const ClassNode* partner = matching_.partner(name);
      const auto* before = matching_.old_view(name);
      const auto* after =
          partner == nullptr ? nullptr : matching_.new_view(partner->name);
      if (before == nullptr || after == nullptr) continue;
      std::vector<std::uint16_t> places;
      for (const NodeId entry : equal) {
        const auto place = method(entry) - before->methods().data();
        places.push_back(static_cast<std::uint16_t>(place));
      }
      std::sort(places.begin(), places.end());
      if (auto facet = debug_facet_of(matching_, *before, *after,
                                      source_path(*before), places)) {
        findings_.facets.push_back(std::move(*facet));
      }
    }
  }

  const Matching& matching_;
  Findings& findings_;
  base::Diagnostics old_diagnostics_;
  base::Diagnostics new_diagnostics_;
  WalkSide old_;
  WalkSide new_;
  std::vector<std::unique_ptr<PairCompare>> workers_;
  base::HashSet<std::uint64_t> marked_;
  base::HashSet<NodeId> entered_;  // old entries that stand in a pair
  base::HashSet<NodeId> equal_;
  std::vector<Flip> flips_;
  std::vector<Name> link_changes_;
};

}  // namespace

base::Result<Comparison> compare_by_walk(const CompareInputs& inputs) {
  auto done = std::make_shared<Compared>(inputs);
  Findings findings;
  const auto phase = [&](const char* name, auto&& step) {
    if (inputs.timer == nullptr) return step();
    const auto scope = inputs.timer->scope(name);
    step();
  };
  phase("match classes", [&] {
    done->matching =
        match_classes(done->worlds, Alike::kLikeChanged, findings);
  });
  const Matching& matching = *done->matching;
  // C9 and C11 have no code to walk: contents and names of files. No body is
  // known to be equal yet.
  Bodies none;
  none.of_changed.resize(matching.changed.size());
  phase("left state", [&] { find_left_state(matching, none, findings); });
  phase("artefacts", [&] { compare_artefacts(matching, findings); });
  phase("modules", [&] { compare_modules(done->worlds, findings); });
  phase("walk", [&] { Walk(matching, findings).run(); });
  return answer_of(std::move(done), std::move(findings), NewTests::kAll);
}

}  // namespace rejig::traversal
