// SPDX-License-Identifier: Apache-2.0
// Compare(N, N') for one marked pair: which edges leaving N have no equal partner
// leaving N', and which pairs of targets are to be compared next? One file for
// each sort of nodes: walk_methods.cc (entries), walk_questions.cc (what an
// instruction asks), walk_receivers.cc (class entries, dispatch), walk_types.cc
// (classes, initialization), walk_shells.cc. Private to the walk.
// An object is for one thread and one pair after the other; it only reads the
// shared state.
#pragma once

#include <compare>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jig/lookup/resolve.h"
#include "traversal/body/body_compare.h"
#include "traversal/session/findings.h"
#include "traversal/session/matching.h"
#include "traversal/walk/walk_side.h"

namespace rejig::traversal {

// A node of the old graph and one of the new graph.
struct NodePair {
  jig::NodeId old_node = WalkSide::kNone;
  jig::NodeId new_node = WalkSide::kNone;
  friend bool operator==(const NodePair&, const NodePair&) = default;
  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

// A type test that has another verdict: is R an X? Old names, dotted.
struct Flip {
  std::string receiver;  // R
  std::string type;      // X
  bool gained = false;
  friend auto operator<=>(const Flip&, const Flip&) = default;
};

// What one comparison found.
struct PairResult {
  Findings found;
  std::vector<NodePair> next;
  std::vector<Flip> flips;
  std::vector<Name> link_changes;    // old classes
  std::vector<jig::NodeId> equal;    // old entries whose bodies are equal
};

class PairCompare {
 public:
  using EdgeId = jig::EdgeId;
  using NodeId = jig::NodeId;

  PairCompare(const Matching& matching, const WalkSide& old_side,
              const WalkSide& new_side);

  PairResult compare(const NodePair& pair);
  // An old class without partner, or of which only one side can be read.
  PairResult lost_class(Name old_name);
  // A type that only the new graph knows has new subtypes.
  PairResult new_type(NodeId new_node);

 private:
  using Rule = classfile::Rule;
  using Channel = classfile::Channel;
  using Delta = classfile::Delta;
  using ClassView = classfile::ClassView;
  using MemberView = classfile::MemberView;

  // walk_pairs.cc: match and NodesEquiv.
  void external_code(const NodePair& pair);
  void same_named_targets(const NodePair& pair, jig::EdgeKind kind);
  // The k-th edge of N' with that kind and label, as k-th as `e` is of N.
  EdgeId match(EdgeId e, NodeId old_node, NodeId new_node) const;
  bool nodes_equivalent(NodeId old_node, NodeId new_node) const;
  std::string renamed_label(NodeId old_node) const;
  std::string renamed_class(std::string_view dotted) const;
  bool same_entry(NodeId old_entry, NodeId new_entry) const;
  bool is_internal(const WalkSide& side, std::string_view dotted) const;
  std::string shown(const WalkSide& side, NodeId node) const;

  // walk_methods.cc
  void entries(const NodePair& pair);
  void deleted_method(NodeId entry, std::string_view with_class);
  void deleted_class(Name name);
  void unreadable_class(Name name);
  Delta method_delta(NodeId entry) const;
  std::pair<const ClassView*, const MemberView*> method_of(
      const WalkSide& side, NodeId entry) const;
  unsigned line_at(std::uint32_t pc) const;
  void bodies(const NodePair& pair);

  // walk_questions.cc
  void questions(const BodyResult& body);
  void question(std::uint32_t old_pc, std::uint32_t new_pc);
  void target(EdgeId e, EdgeId e2, const std::string& what, bool by_site);
  void call_target(NodeId t, NodeId t2, const std::string& what, bool by_site);
  void field_target(NodeId t, NodeId t2, const std::string& what, bool reads);
  void class_target(NodeId t, NodeId t2, const std::string& what);
  void boot(NodeId old_boot, NodeId new_boot);
  void lambda(std::uint32_t old_pc, std::uint32_t new_pc);
  void handlers();
  bool compared_by_use(NodeId old_entry) const;
  Delta site_delta(Rule rule, Channel channel, const std::string& what,
                   std::string before, std::string after) const;
  void report_target(Rule rule, const std::string& what, NodeId t, NodeId t2);

  // walk_receivers.cc
  void class_entries(const NodePair& pair);
  void dispatches(const NodePair& pair);
  void selection(Name receiver, const std::string& label, NodeId t, NodeId t2);
  void callers_of_nobody(const ClassNode& receiver, const ClassNode& partner);
  void select_one(const ClassNode& receiver, const ClassNode& partner,
                  Name owner, Name name, Name descriptor);
  void report_selection(const ClassNode& receiver, const jig::MethodAnswer& a,
                        const jig::MethodAnswer& b, Name name, Name descriptor);
  bool same_answer(const jig::MethodAnswer& a,
                   const jig::MethodAnswer& b) const;

  // walk_types.cc
  void classes(const NodePair& pair);
  void linking(Name name, const NodePair& pair);
  void initialization(Name name);
  std::vector<std::string> old_names_of(const std::string& new_name) const;

  // walk_shells.cc
  void shells(const NodePair& pair);

  const Matching& matching_;
  const WalkSide& old_;
  const WalkSide& new_;
  std::unique_ptr<BodyContext> context_;
  PairResult out_;

  // The methods at hand, while their bodies are walked.
  NodeId entry_ = WalkSide::kNone;
  NodeId new_entry_ = WalkSide::kNone;
  const ClassView* cls_ = nullptr;
  const ClassView* new_cls_ = nullptr;
  const MemberView* method_ = nullptr;
  const MemberView* new_method_ = nullptr;
  std::uint32_t pc_ = 0;
  // Selections reported for the receiver at hand.
  std::set<std::pair<std::string, std::string>> reported_;
  std::set<std::string> reported_signatures_;
  // What the signature at hand was resolved to, through the types so far.
  std::set<std::pair<const jig::MethodShell*, const jig::MethodShell*>> asked_;
};

// walk_types.cc: what the flips, the linking of others and libraries below
// internal classes mean, when all pairs are done.
void add_subtype_edges(const Matching& matching, const WalkSide& old_side,
                       std::vector<Flip> flips, Findings& findings);
void walk_verification(const Matching& matching,
                       std::vector<Name> link_changes, Findings& findings);
void add_external_below(const Matching& matching, Findings& findings);

}  // namespace rejig::traversal
