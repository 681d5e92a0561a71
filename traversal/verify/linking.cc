// SPDX-License-Identifier: Apache-2.0
// Does a class still link (channel C7)? The hierarchy checks of every doubtful
// class; and for classes that did not change, what their verification relied
// on: handler types that are Throwables, and subtype relations between classes
// that a removed `extends` takes away (interfaces are never checked).
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "jig/lookup/resolve.h"
#include "traversal/session/phases.h"
#include "traversal/verify/changed_verification.h"
#include "traversal/verify/linking_edges.h"
#include "traversal/verify/verification.h"

namespace rejig::traversal {

using classfile::Delta;

namespace {

// Any value may be passed where an interface is asked for, so a type that is no
// interface any more is checked for the first time. The other way round what
// was refused may pass; what its values were used as is lost (below).
struct OtherKinds {
  std::set<Name> classes_now;
  std::set<Name> interfaces_now;
};
OtherKinds other_kinds(const Structure& structure) {
  OtherKinds out;
  for (const Name name : structure.structure_changed.sorted()) {
    const ClassNode* a = structure.worlds.old_world.find(name);
    const ClassNode* b = structure.matching.partner(name);
    if (a == nullptr || b == nullptr || !a->readable() || !b->readable()) {
      continue;
    }
    if (a->shell->is_interface() == b->shell->is_interface()) continue;
    (a->shell->is_interface() ? out.classes_now : out.interfaces_now)
        .insert(name);
  }
  return out;
}

// Classes with a superclass that they did not have: what the verifier refused
// may pass.
std::set<Name> with_more_supers(const Structure& structure) {
  std::set<Name> out;
  for (const Name name : structure.doubtful_sorted) {
    const ClassNode* a = structure.worlds.old_world.find(name);
    const ClassNode* b = structure.matching.partner(name);
    if (a == nullptr || !a->readable() || b == nullptr) continue;
    for (const Name super : structure.worlds.new_world.supers(b->name).names) {
      const ClassNode* above = structure.worlds.new_world.find(super);
      if (above != nullptr && above->readable() &&
          !above->shell->is_interface() &&
          !structure.worlds.old_world.is_subtype(
              name, structure.matching.renaming.old_class_name(super))) {
        out.insert(name);
        break;
      }
    }
  }
  return out;
}

// Subtype relations between internal classes and classes that are gone.
std::set<std::pair<Name, Name>> lost_relations(const Structure& structure) {
  std::set<std::pair<Name, Name>> out;
  for (const Name name : structure.doubtful_sorted) {
    const ClassNode* a = structure.worlds.old_world.find(name);
    if (a == nullptr || !a->readable()) continue;
    const ClassNode* b = structure.matching.partner(name);
    if (b == nullptr) continue;
    for (const Name super : structure.worlds.old_world.supers(name).names) {
      const ClassNode* above = structure.worlds.old_world.find(super);
      const ClassNode* now = structure.matching.partner(super);
      const bool was_class = above == nullptr || !above->readable() ||
                             !above->shell->is_interface();
      const bool is_class =
          now == nullptr || !now->readable() || !now->shell->is_interface();
      if (super == "java/lang/Object" || (!was_class && !is_class)) continue;
      if (!structure.worlds.new_world.is_subtype(
              b->name, structure.matching.renaming.class_name(super))) {
        out.emplace(name, super);
      }
    }
  }
  return out;
}

// Is the set of protected members another one?
bool has_other_protected(const ClassNode* a, const ClassNode* b) {
  std::set<std::tuple<bool, std::string, std::string>> before;
  std::set<std::tuple<bool, std::string, std::string>> after;
  const auto add = [](const ClassNode* node, auto& to) {
    if (node == nullptr || !node->readable()) return;
    for (const auto& field : node->shell->fields) {
      if (field.is(classfile::kAccProtected)) {
        to.emplace(true, field.name, field.descriptor);
      }
    }
    for (const auto& method : node->shell->methods) {
      if (method.is(classfile::kAccProtected)) {
        to.emplace(false, method.name, method.descriptor);
      }
    }
  };
  add(a, before);
  add(b, after);
  return before != after;
}

std::set<Name> other_access(const Structure& structure) {
  base::HashSet<Name> differ;
  base::HashSet<Name> differ_now;  // new names
  for (const Name name : structure.structure_changed.sorted()) {
    const ClassNode* partner = structure.matching.partner(name);
    if (!has_other_protected(structure.worlds.old_world.find(name), partner))
      continue;
    differ.insert(name);
    if (partner != nullptr) differ_now.insert(partner->name);
  }
  std::set<Name> out;
  if (differ.empty()) return out;
  for (const Name name : structure.doubtful_sorted) {
    const auto below = [](const jig::World& world, Name of,
                          const base::HashSet<Name>& holders) {
      const auto& names = world.supers(of).names;
      return holders.contains(of) ||
             std::any_of(names.begin(), names.end(),
                         [&](Name above) { return holders.contains(above); });
    };
    const ClassNode* partner = structure.matching.partner(name);
    if (below(structure.worlds.old_world, name, differ) ||
        (partner != nullptr &&
         below(structure.worlds.new_world, partner->name, differ_now))) {
      out.insert(name);
    }
  }
  return out;
}

// The types without which verification_problem() finds nothing.
struct Suspicious {
  base::HashSet<Name> types;
  jig::MentionSet mentions;

  void add(Name name) {
    if (types.insert(name)) mentions.insert(jig::mention_of(name));
  }
};

std::vector<Name> suspicious_types(const Structure& structure,
                                   const VerifierDoubts& doubts) {
  std::vector<Name> out;
  for (const auto& [sub, super] : doubts.lost) out.push_back(sub);
  for (const auto* names : {&doubts.other_kind, &doubts.other_linking,
                            &doubts.other_access, &doubts.more_supers}) {
    out.insert(out.end(), names->begin(), names->end());
  }
  for (const Name name : structure.doubtful_sorted) {
    if (structure.worlds.old_world.is_subtype(name, "java/lang/Throwable") !=
        structure.worlds.new_world.is_subtype(
            structure.matching.renaming.class_name(name),
            "java/lang/Throwable")) {
      out.push_back(name);
    }
  }
  return out;
}

}  // namespace

Linking compare_linking(const Structure& structure, Findings& findings) {
  Linking linking;
  const auto& names = structure.doubtful_sorted;
  std::vector<std::optional<Delta>> found(names.size());
  structure.worlds.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    const ClassNode* a = structure.worlds.old_world.find(names[i]);
    const ClassNode* b = structure.matching.partner(names[i]);
    if (a == nullptr || b == nullptr || !a->internal) return;
    auto before = jig::link_problem(structure.worlds.old_world, names[i]);
    auto after = jig::link_problem(structure.worlds.new_world, b->name);
    if (before != after) {
      found[i] = link_delta(names[i], std::move(before), std::move(after));
    } else {
      found[i] = version_delta(structure.worlds, names[i], b->name);
    }
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!found[i]) continue;
    linking.otherwise.insert(names[i]);
    findings.edges.push_back(std::move(*found[i]));
  }
  return linking;
}

namespace {

// What other classes that changed make of the verification of these.
std::vector<Refused> refused_for_others(const Structure& structure,
                                        const Linking& linking) {
  VerifierDoubts doubts;
  for (const Name name : linking.otherwise.sorted()) {
    doubts.other_linking.insert(name);
  }
  doubts.lost = lost_relations(structure);
  OtherKinds kinds = other_kinds(structure);
  doubts.other_kind = std::move(kinds.classes_now);
  doubts.other_access = other_access(structure);
  doubts.more_supers = with_more_supers(structure);
  for (const auto* list :
       {&structure.matching.removed, &structure.matching.added}) {
    doubts.in_one_only.insert(list->begin(), list->end());
  }
  // A new class stands for nothing else; an equal one that needs it did not
  // link.
  Suspicious in_equal;
  Suspicious in_changed;
  for (const Name name : suspicious_types(structure, doubts)) {
    in_equal.add(name);
    in_changed.add(name);
    in_changed.add(
        structure.matching.new_name(name));
  }
  for (const Name name : structure.matching.removed) {
    in_equal.add(name);
    in_changed.add(name);
  }
  for (const Name name : structure.matching.added) in_equal.add(name);
  for (const Name name : kinds.interfaces_now) in_equal.add(name);
  const auto& equal = structure.matching.equal_sorted;
  std::vector<std::string> problems(equal.size());
  structure.worlds.pool.for_ranges(
      equal.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!structure.may_mention(structure.matching.old_places[i],
                                     in_equal.mentions)) {
            continue;
          }
          const auto loaded = structure.worlds.old_world.load_equal(equal[i]);
          if (!loaded.ok()) continue;  // reported with its references
          problems[i] = verification_problem(
              structure.matching, *loaded.value().view, doubts,
              VerifiedClass::kEqual, &in_equal.types);
        }
      });
  // A changed class that was compiled against the old hierarchy all the same.
  std::vector<std::string> of_changed(structure.matching.changed.size());
  structure.worlds.pool.for_each(of_changed.size(), [&](unsigned,
                                                        std::size_t i) {
    const ClassPair& pair = structure.matching.changed[i];
    if (pair.forced || !pair.old_class.view || !pair.new_class.view ||
        (structure.only_internal_doubts() &&
         !may_mention(structure.worlds.new_world.glance(pair.new_name),
                      in_changed.mentions))) {
      return;
    }
    of_changed[i] =
        verification_problem(structure.matching, *pair.new_class.view, doubts,
                             VerifiedClass::kChanged, &in_changed.types);
  });
  // Or that was refused, for what passes now.
  structure.worlds.pool.for_each(of_changed.size(), [&](unsigned,
                                                        std::size_t i) {
    const ClassPair& pair = structure.matching.changed[i];
    if (!of_changed[i].empty() || pair.forced || !pair.old_class.view ||
        !pair.new_class.view ||
        !structure.may_mention(pair.old_name, in_equal.mentions)) {
      return;
    }
    of_changed[i] =
        verification_problem(structure.matching, *pair.old_class.view, doubts,
                             VerifiedClass::kReplaced, &in_equal.types);
  });
  std::vector<Refused> refused;
  for (std::size_t i = 0; i < of_changed.size(); ++i) {
    if (of_changed[i].empty()) continue;
    refused.push_back(
        {structure.matching.changed[i].old_name, std::move(of_changed[i])});
  }
  for (std::size_t i = 0; i < equal.size(); ++i) {
    if (problems[i].empty()) continue;
    refused.push_back({equal[i], std::move(problems[i])});
  }
  return refused;
}

}  // namespace

void compare_verification(const Structure& structure, const Linking& linking,
                          Findings& findings) {
  std::vector<Refused> refused;
  if (!structure.structure_equal())
    refused = refused_for_others(structure, linking);
  add_refused(refused, refused_changes(structure.matching));
  add_verification_edges(
      structure.matching, refused,
      [&](Name name, const jig::MentionSet& wanted) {
        return structure.may_mention(name, wanted);
      },
      findings);
}

}  // namespace rejig::traversal
