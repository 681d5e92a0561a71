// SPDX-License-Identifier: Apache-2.0
// May the verifier refuse a class now that it accepted before, or the other way
// round, though the class is what it was? It relies on handler types that are
// Throwables and on subtype relations between classes (interfaces are never
// checked). Whatever may flow from a source of a method to a sink of the same
// method counts as if it did: more is said to fail than fails.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "traversal/session.h"

namespace rejig::traversal {

// What a verifier may trip over; old names.
struct VerifierDoubts {
  std::set<std::pair<Name, Name>> lost;  // sub, super: a relation that is gone
  std::set<Name> other_kind;             // interfaces that became classes
  std::set<Name> other_linking;  // classes that fail to load, or no longer do
  bool empty() const {
    return lost.empty() && other_kind.empty() && other_linking.empty();
  }
};

// The first reason; empty: none. Methods that name none of the suspicious types
// need no look; null: every method gets one.
std::string verification_problem(const Session& session,
                                 const classfile::ClassView& cls,
                                 const VerifierDoubts& doubts,
                                 const base::HashSet<Name>* suspicious);

}  // namespace rejig::traversal
