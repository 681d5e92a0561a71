// SPDX-License-Identifier: Apache-2.0
// Which local slots of two bodies are known to hold equal values (the relation E
// of semantics N5)? Pairs, sorted; only a pair that is here may be read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "traversal/code/body_graph.h"

namespace rejig::traversal {

// (old slot << 16 | new slot), sorted.
using Slots = std::vector<std::uint32_t>;

inline std::uint32_t slot_pair(unsigned a, unsigned b) { return a << 16 | b; }

inline bool is_store(classfile::Opcode op) {
  return op >= classfile::Opcode::k_istore && op <= classfile::Opcode::k_astore;
}
inline bool is_wide_local(classfile::Opcode op) {
  return op == classfile::Opcode::k_lstore || op == classfile::Opcode::k_dstore;
}

inline void forget(Slots& slots, unsigned old_slot, unsigned new_slot) {
  std::erase_if(slots, [&](std::uint32_t pair) {
    return pair >> 16 == old_slot || (pair & 0xffff) == new_slot;
  });
}

inline void relate(Slots& slots, unsigned old_slot, unsigned new_slot) {
  const auto pair = slot_pair(old_slot, new_slot);
  slots.insert(std::lower_bound(slots.begin(), slots.end(), pair), pair);
}

// One side writes a value the other has no slot for.
inline void drop_slot(Slots& slots, const BodyNode& store, bool of_old) {
  const unsigned last = store.index + (is_wide_local(store.op) ? 1u : 0u);
  std::erase_if(slots, [&](std::uint32_t pair) {
    const unsigned slot = of_old ? pair >> 16 : pair & 0xffff;
    return slot >= store.index && slot <= last;
  });
}

// Relations by number; a number stays what it is.
class SlotSets {
 public:
  void clear() { count_ = 0; }
  std::uint32_t add(const Slots& slots) {
    if (count_ == sets_.size()) sets_.emplace_back();
    sets_[count_] = slots;
    return count_++;
  }
  const Slots& operator[](std::uint32_t number) const { return sets_[number]; }

  // Both sides write the same value to these slots.
  std::uint32_t stored(std::uint32_t number, unsigned old_slot,
                       unsigned new_slot, unsigned width) {
    if (is_stored(sets_[number], old_slot, new_slot, width)) return number;
    changed_ = sets_[number];
    for (unsigned k = 0; k < width; ++k) {
      forget(changed_, old_slot + k, new_slot + k);
    }
    for (unsigned k = 0; k < width; ++k) {
      relate(changed_, old_slot + k, new_slot + k);
    }
    return add(changed_);
  }
  // One side writes a value the other has no slot for.
  std::uint32_t dropped(std::uint32_t number, const BodyNode& store,
                        bool of_old) {
    changed_ = sets_[number];
    drop_slot(changed_, store, of_old);
    return changed_.size() == sets_[number].size() ? number : add(changed_);
  }
  // One side copies a slot, whose partners then hold what the copy holds.
  std::uint32_t copied(std::uint32_t number, const BodyNode& load,
                       const BodyNode& store, bool of_old) {
    Slots found = sets_[number];
    drop_slot(found, store, of_old);
    const unsigned width = is_wide_local(store.op) ? 2 : 1;
    for (const std::uint32_t pair : sets_[number]) {
      const unsigned mine = of_old ? pair >> 16 : pair & 0xffff;
      const unsigned other = of_old ? pair & 0xffff : pair >> 16;
      const unsigned k = mine - load.index;
      if (k >= width) continue;
      relate(found, of_old ? store.index + k : other,
             of_old ? other : store.index + k);
    }
    return add(found);
  }
  // What both know; the first number if that is all of it.
  std::uint32_t common(std::uint32_t one, std::uint32_t other) {
    if (one == other) return one;
    const Slots& a = sets_[one];
    const Slots& b = sets_[other];
    changed_.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::back_inserter(changed_));
    return changed_.size() == a.size() ? one : add(changed_);
  }

 private:
  // Each is the other's only partner already.
  static bool is_stored(const Slots& slots, unsigned old_slot,
                        unsigned new_slot, unsigned width) {
    unsigned found = 0;
    for (const std::uint32_t pair : slots) {
      const unsigned a = (pair >> 16) - old_slot;
      const unsigned b = (pair & 0xffff) - new_slot;
      if (a >= width && b >= width) continue;
      if (a != b) return false;
      ++found;
    }
    return found == width;
  }

  std::vector<Slots> sets_;
  std::uint32_t count_ = 0;
  Slots changed_;
};

inline bool reads_slot(const BodyGraph& body, std::uint16_t slot) {
  return std::any_of(
      body.nodes().begin(), body.nodes().end(), [&](const BodyNode& node) {
        return node.index == slot &&
               (node.kind == NodeKind::kIncrement ||
                (node.kind == NodeKind::kLocal && !is_store(node.op)));
      });
}

inline constexpr unsigned kLoadToStore =
    static_cast<unsigned>(classfile::Opcode::k_istore) -
    static_cast<unsigned>(classfile::Opcode::k_iload);

// `store s; load s` or `dup; store s`: the store, when the value stays on the
// stack as well.
inline const BodyNode* kept_copy(const BodyGraph& body, std::uint32_t at) {
  const auto nodes = body.nodes();
  if (at + 1 >= nodes.size()) return nullptr;
  const BodyNode& a = nodes[at];
  const BodyNode& b = nodes[at + 1];
  using classfile::Opcode;
  if (a.kind == NodeKind::kLocal && is_store(a.op)) {
    const bool same_slot = b.kind == NodeKind::kLocal && b.index == a.index &&
                           static_cast<unsigned>(b.op) + kLoadToStore ==
                               static_cast<unsigned>(a.op);
    return same_slot ? &a : nullptr;
  }
  if (b.kind != NodeKind::kLocal || !is_store(b.op)) return nullptr;
  return a.op == (is_wide_local(b.op) ? Opcode::k_dup2 : Opcode::k_dup) ? &b
                                                                       : nullptr;
}

// `store s`, jumps, `load s`: the load; kNowhere: something else.
inline std::uint32_t load_of_stored(const BodyGraph& body, std::uint32_t at) {
  const auto nodes = body.nodes();
  if (at + 1 >= nodes.size() || nodes[at].kind != NodeKind::kLocal ||
      !is_store(nodes[at].op)) {
    return BodyGraph::kNowhere;
  }
  const std::uint32_t load = body.settle(at + 1);
  const bool same = load != BodyGraph::kNowhere &&
                    nodes[load].kind == NodeKind::kLocal &&
                    nodes[load].index == nodes[at].index &&
                    static_cast<unsigned>(nodes[load].op) + kLoadToStore ==
                        static_cast<unsigned>(nodes[at].op);
  return same ? load : BodyGraph::kNowhere;
}

// The value is where it was before these. Where it goes on; kNowhere: something
// else, or a way back (a loop is not nothing).
inline std::uint32_t behind_copy(const BodyGraph& body, std::uint32_t at) {
  const std::uint32_t load = load_of_stored(body, at);
  if (load == BodyGraph::kNowhere || load <= at) return BodyGraph::kNowhere;
  const std::uint32_t next = body.settle(load + 1);
  return next == BodyGraph::kNowhere || next <= at ? BodyGraph::kNowhere : next;
}

// `a` pops one value, `b` stores it.
inline bool drops_value(const BodyNode& a, const BodyNode& b) {
  using classfile::Opcode;
  return b.kind == NodeKind::kLocal && is_store(b.op) &&
         a.op == (is_wide_local(b.op) ? Opcode::k_pop2 : Opcode::k_pop);
}

inline bool stores_constant(const BodyGraph& body, std::uint32_t at) {
  const auto nodes = body.nodes();
  if (at + 1 >= nodes.size() || nodes[at + 1].kind != NodeKind::kLocal ||
      !is_store(nodes[at + 1].op)) {
    return false;
  }
  const BodyNode& node = nodes[at];
  return node.kind == NodeKind::kIntConst ||
         node.kind == NodeKind::kLongConst ||
         node.kind == NodeKind::kFloatConst ||
         node.kind == NodeKind::kDoubleConst ||
         (node.kind == NodeKind::kPoolConst && !node.throws);
}

}  // namespace rejig::traversal
