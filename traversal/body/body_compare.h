// SPDX-License-Identifier: Apache-2.0
// Are two method bodies the same behaviour? The synchronous walk of Compare()
// inside one method: a bisimulation over the two body graphs with a relation
// between local-variable slots (semantics §2.3), ordered handlers (§2.4) and
// the rewrites N1-N13. Where the graphs part, the edge is recorded (old node,
// label, old and new target) and the walk stops along that path.
// What cannot be decided is different.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traversal/code/accessor.h"
#include "traversal/code/body_graph.h"
#include "traversal/code/renaming.h"
#include "traversal/code/synthetic.h"

namespace rejig::traversal {

// A method of the class at hand, by name and descriptor.
struct MethodName {
  std::string name;
  std::string descriptor;

  friend bool operator==(const MethodName&, const MethodName&) = default;
  friend auto operator<=>(const MethodName&, const MethodName&) = default;
};

struct Divergence {
  std::string label;  // "T", "F", "case 3", "default", "exception java/io/X", ""
  std::uint32_t old_pc = 0;
  std::uint32_t new_pc = 0;
  std::string old_text;
  std::string new_text;
  unsigned old_line = 0;
  unsigned new_line = 0;
  // The edges of the old body (body_edges.h) of which a run that comes by here
  // has taken one. Empty: all of the method's runs may.
  std::vector<std::string> edges;
};

struct SwitchMapPair {
  const SwitchMap* of_old = nullptr;
  const SwitchMap* of_new = nullptr;
};

class PoolPairs;

// Questions that go beyond the two bodies.
class BodyContext {
 public:
  virtual ~BodyContext() = default;
  // What is known of the pools of these two; null: nothing is kept.
  virtual PoolPairs* pool_pairs(const classfile::ClassView&,
                                const classfile::ClassView&) {
    return nullptr;
  }
  // What the accessor that a call names does (N14); nullopt: not known. The
  // answer borrows from its class.
  virtual std::optional<AccessorBody> accessor(
      bool of_old, const classfile::MemberRef& ref) = 0;
  // That instruction, in its own class, and a direct one of `caller` in the
  // other program are the same access.
  virtual bool same_access(bool accessor_of_old, const AccessorBody& body,
                           classfile::Opcode op,
                           const classfile::MemberRef& ref,
                           std::string_view caller) = 0;
  // The bodies of two accessors (access$NNN) behave alike (N7).
  virtual bool same_accessor(const classfile::MemberRef& old_ref,
                             const classfile::MemberRef& new_ref) = 0;
  // invokespecial and invokevirtual of one private method (N13), and calls of
  // Object's public methods through a class or an interface (N11).
  virtual bool same_call_otherwise(classfile::Opcode old_op,
                                   const classfile::MemberRef& old_ref,
                                   classfile::Opcode new_op,
                                   const classfile::MemberRef& new_ref) = 0;
  // The $SwitchMap$ tables of two fields, constant name -> case key (N10);
  // nullptr: not known.
  virtual SwitchMapPair switch_maps(const classfile::MemberRef& old_ref,
                                    const classfile::MemberRef& new_ref) = 0;
};

struct BodyResult {
  bool equal = true;
  std::vector<Divergence> divergences;  // in the order of old pcs; at most 64
  // Of the old body: where a reference was compared by what it comes to, which
  // its text does not say. Sorted.
  std::vector<std::uint32_t> by_use;
  // Every instruction is met by the one at its own pc.
  bool same_pcs = false;
  // Else: the pcs (old, new) of instructions that ask the JVM something and
  // were met by one that asks the same. Sorted. Also of bodies that part
  // elsewhere.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met;
  // Lambda bodies met at the same place (N6): old, new.
  std::vector<std::pair<MethodName, MethodName>> lambdas;
};

// Of bodies with the same instructions: are the operands at these places the same
// by what they stand for? False: not known, and `result` means nothing.
struct OperandPlace;
bool same_operands(const classfile::ClassView& old_class,
                   const classfile::MemberView& old_method,
                   const classfile::ClassView& new_class,
                   const classfile::MemberView& new_method,
                   const Renaming& renaming, BodyContext& context,
                   std::span<const OperandPlace> places, BodyResult& result);

// `old_start`/`new_start`: pc to begin at (behind an assertion prelude).
BodyResult compare_bodies(const classfile::ClassView& old_class,
                          const classfile::MemberView& old_method,
                          const classfile::ClassView& new_class,
                          const classfile::MemberView& new_method,
                          const Renaming& renaming, BodyContext& context,
                          std::uint32_t old_start = 0,
                          std::uint32_t new_start = 0);

}  // namespace rejig::traversal
