// SPDX-License-Identifier: Apache-2.0
// May the verifier refuse a class now that it accepted before, or the other way
// round, though the class is what it was? It relies on handler types that are
// Throwables, on subtype relations between classes (interfaces are never
// checked) and on who may use protected members: verifier_checks.h. In methods
// that cannot be followed whatever may flow from a source to a sink counts as
// if it did: more is said to fail than fails.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "traversal/session/matching.h"

namespace rejig::traversal {

// What a verifier may trip over; old names.
struct VerifierDoubts {
  std::set<std::pair<Name, Name>> lost;  // sub, super: a relation that is gone
  std::set<Name> other_kind;             // interfaces that became classes
  std::set<Name> other_linking;  // classes that fail to load, or no longer do
  // Classes with a member of their own or above them that is protected in one
  // version only.
  std::set<Name> other_access;
  std::set<Name> more_supers;  // they have a superclass that they did not have
  std::set<Name> in_one_only;  // deleted and new classes
  bool empty() const {
    return lost.empty() && other_kind.empty() && other_linking.empty() &&
           other_access.empty() && more_supers.empty() && in_one_only.empty();
  }
};

// The class of both versions; the new one of a pair that differs, refused now;
// the old one of such a pair, refused before and accepted now.
enum class VerifiedClass { kEqual, kChanged, kReplaced };

// The first reason; empty: none. Methods that name none of the suspicious types
// need no look; null: every method gets one.
std::string verification_problem(const Matching& matching,
                                 const classfile::ClassView& cls,
                                 const VerifierDoubts& doubts,
                                 VerifiedClass which,
                                 const base::HashSet<Name>* suspicious);

}  // namespace rejig::traversal
