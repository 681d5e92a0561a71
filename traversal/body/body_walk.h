// SPDX-License-Identifier: Apache-2.0
// The state of one comparison of two bodies; body_compare.cc has the walk,
// body_steps.cc what one step of it does. Private to these two.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/hash_map.h"
#include "traversal/body/body_compare.h"
#include "traversal/body/body_edges.h"
#include "traversal/body/constant_compare.h"
#include "traversal/code/slot_relation.h"

namespace rejig::traversal {

// What a walk works in, kept for the next one of the thread.
struct WalkMemory {
  // A pair on the way, and the edge of the old body that leads there.
  struct Item {
    std::uint32_t old_node = 0;
    std::uint32_t new_node = 0;
    std::uint32_t slots = 0;  // in slot_sets
    std::uint32_t old_from = 0;
    WayLabel label;
    bool to_handler = false;
    std::uint32_t handler_pc = 0;  // of the old body
  };

  BodyGraph old_body;
  BodyGraph new_body;
  std::vector<Item> todo;
  SlotSets slot_sets;
  base::HashMap<std::uint64_t, std::uint32_t> states;  // in slot_sets
  std::vector<std::vector<EdgeName>> ways;  // by divergence
  std::vector<std::uint32_t> by_text;

  void clear() {
    todo.clear();
    slot_sets.clear();
    if (!states.empty()) states.clear();
    ways.clear();
    by_text.clear();
  }
};

class BodyWalk {
 public:
  BodyWalk(const classfile::ClassView& old_class,
           const classfile::ClassView& new_class, const Renaming& renaming,
           BodyContext& context, WalkMemory& memory)
      : constants_(old_class, new_class, renaming),
        old_class_(old_class),
        new_class_(new_class),
        renaming_(renaming),
        context_(context),
        old_(memory.old_body),
        new_(memory.new_body),
        todo_(memory.todo),
        slots_(memory.slot_sets),
        states_(memory.states),
        ways_(memory.ways),
        by_text_(memory.by_text) {
    memory.clear();
  }

  BodyResult run(const classfile::MemberView& old_method,
                 const classfile::MemberView& new_method,
                 std::uint32_t old_start, std::uint32_t new_start);

 private:
  using Item = WalkMemory::Item;
  using NamedCases = std::map<std::string, std::uint32_t>;

  static constexpr std::size_t kMostDivergences = 64;
  static constexpr std::uint32_t kNoPlace = 0xffffffff;
  static constexpr std::uint64_t kThrown = std::uint64_t{1} << 31;
  static std::uint64_t pair_of(const Item& item) {
    return std::uint64_t{item.old_node} << 32 | item.new_node;
  }

  // body_compare.cc
  void finish();
  bool linear(std::uint32_t old_first, std::uint32_t new_first);
  void push(Item item);
  // Where it stands in the result, made with those texts when it is new;
  // kNoPlace: there are too many.
  using Texts = std::function<std::pair<std::string, std::string>()>;
  std::uint32_t divergence(std::uint64_t key, const Item& item,
                           const Texts& texts);
  void diverge(const Item& item, std::string old_text, std::string new_text);
  void note_way(const Item& item, std::uint32_t place);
  void note_met(std::uint32_t i, std::uint32_t j);
  void visit(const Item& item);
  bool same_text(std::uint32_t i, std::uint32_t j);
  bool same_call(const BodyNode& x, const BodyNode& y);

  // body_steps.cc
  bool same_switch_map(std::uint32_t i, std::uint32_t j);
  bool is_switch_map(const BodyNode& x) const;
  bool skip_dead_store(const Item& item);
  bool other_stack_shape(const Item& item);
  bool copies_alone(std::uint32_t i, std::uint32_t j) const;
  bool skip_copy(const Item& item);
  bool skip_known_branch(const Item& item);
  static bool takes_monitors(const BodyGraph& body);
  bool through_accessor(const Item& item, bool of_old);
  bool after_float_compare(std::uint32_t i, std::uint32_t j) const;
  void push_handlers(const Item& item, const BodyNode& x, const BodyNode& y);
  void push_successors(const Item& item, const BodyNode& x, const BodyNode& y,
                       std::uint32_t after, bool swapped);
  void push_cases(const Item& item, const BodyNode& x, const BodyNode& y,
                  std::uint32_t after);
  void push_named_cases(const Item& item, const BodyNode& x, const BodyNode& y,
                        std::uint32_t after,
                        const std::pair<NamedCases, NamedCases>& named);
  static Item to(std::uint32_t old_node, std::uint32_t new_node,
                 std::uint32_t slots, std::uint32_t from, WayLabel label);

  ConstantCompare constants_;
  const classfile::ClassView& old_class_;
  const classfile::ClassView& new_class_;
  const Renaming& renaming_;
  BodyContext& context_;
  BodyGraph& old_;
  BodyGraph& new_;
  BodyResult result_;
  std::vector<Item>& todo_;
  SlotSets& slots_;
  base::HashMap<std::uint64_t, std::uint32_t>& states_;
  // Pairs at which the bodies part, and where they stand in the result; a pair
  // whose handlers part has a key of its own.
  base::HashMap<std::uint64_t, std::uint32_t> diverged_;
  std::vector<std::vector<EdgeName>>& ways_;
  bool old_names_edges_ = false;  // nodes stand at the pcs of their steps
  std::optional<BodyEdges> edges_;
  bool whole_method_ = false;  // there are more than the result has room for
  bool by_position_only_ = true;
  bool calm_returns_ = false;  // none of them can throw
  std::vector<std::uint32_t>& by_text_;  // pcs of old references
  // Enum switches whose cases are compared by constant name.
  std::map<std::pair<std::uint32_t, std::uint32_t>,
           std::pair<NamedCases, NamedCases>>
      named_;
};

}  // namespace rejig::traversal
