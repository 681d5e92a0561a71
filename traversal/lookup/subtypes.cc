// SPDX-License-Identifier: Apache-2.0
// Of which types is an object now (channel C5)? For every class with a changed
// shell above it: which supertypes came and went. Only a method that can
// observe the difference is affected; an external type may be observed by
// external code, so there everybody who has such an object is.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "traversal/lookup/observers.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;

namespace {

struct Change {
  Name name;                        // R
  std::vector<std::string> internal;  // types that came or went, old names
  std::vector<std::string> external;
  std::vector<std::string> gained;
  std::vector<std::string> lost;
};

std::optional<Change> supertype_change(const Structure& structure, Name name) {
  const ClassNode* a = structure.worlds.old_world.find(name);
  const ClassNode* b = structure.matching.partner(name);
  if (a == nullptr || b == nullptr || !a->internal || !a->readable() ||
      !b->readable()) {
    return std::nullopt;
  }
  const auto& old_supers = structure.worlds.old_world.supers(name).names;
  const auto& new_supers = structure.worlds.new_world.supers(b->name).names;
  if (structure.matching.renaming.is_identity() && old_supers == new_supers) {
    return std::nullopt;
  }
  std::set<std::string> olds;
  for (const Name super : old_supers) {
    olds.insert(structure.matching.renaming.class_name(super));
  }
  const std::set<std::string> news(new_supers.begin(), new_supers.end());
  if (olds == news) return std::nullopt;
  Change change;
  change.name = name;
  auto note = [&](const std::string& type, std::vector<std::string>& list) {
    const std::string old_name =
        structure.matching.renaming.old_class_name(type);
    list.push_back(classfile::dotted(old_name));
    const ClassNode* x = structure.worlds.old_world.find(old_name);
    const ClassNode* y = structure.worlds.new_world.find(type);
    const bool internal = (x == nullptr || x->internal) &&
                          (y == nullptr || y->internal) &&
                          (x != nullptr || y != nullptr);
    (internal ? change.internal : change.external).push_back(old_name);
  };
  for (const auto& type : olds) {
    if (!news.contains(type)) note(type, change.lost);
  }
  for (const auto& type : news) {
    if (!olds.contains(type)) note(type, change.gained);
  }
  return change;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out.empty() ? "nothing" : out;
}

void sort_unique(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

void compare_subtypes(const Structure& structure, Findings& findings) {
  std::set<Name> types;
  std::set<Name> elements;
  const auto& names = structure.doubtful_sorted;
  std::vector<std::optional<Change>> found(names.size());
  structure.worlds.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    found[i] = supertype_change(structure, names[i]);
  });
  // Classes that lost and gained the same are one edge.
  std::map<std::pair<std::vector<std::string>, std::vector<std::string>>,
           std::vector<Change>>
      groups;
  for (auto& change : found) {
    if (!change) continue;
    for (const auto* list : {&change->internal, &change->external}) {
      for (const auto& type : *list)
        types.insert(structure.worlds.names.intern(type));
    }
    elements.insert(change->name);
    groups[{change->lost, change->gained}].push_back(std::move(*change));
  }
  if (groups.empty()) return;
  const Observers observers =
      find_observers(structure.matching, types, elements, findings);

  for (const auto& [what, changes] : groups) {
    const Change& first = changes.front();
    Delta d;
    d.channel = Channel::kSubtyping;
    d.entity = classfile::dotted(first.name);
    d.label = "supertypes";
    d.old_fact = "lost " + listed(first.lost);
    d.new_fact = "gained " + listed(first.gained);
    d.why = "`" + d.entity + "` " +
            (changes.size() == 1
                 ? ""
                 : "and " + std::to_string(changes.size() - 1) + " more ") +
            d.old_fact + " and " + d.new_fact + " as supertypes";
    for (const Change& change : changes) {
      if (const auto at = observers.makers_of.find(change.name);
          at != observers.makers_of.end()) {
        d.makers.insert(d.makers.end(), at->second.begin(), at->second.end());
      }
      const auto& shell = *structure.worlds.old_world.find(change.name)->shell;
      if (!shell.is_interface() && !shell.is(classfile::kAccAbstract)) {
        d.receivers.push_back(classfile::dotted(change.name));
      }
    }
    sort_unique(d.makers);
    if (!first.external.empty()) {
      d.rule = Rule::kD12;
      if (!d.receivers.empty() || !d.makers.empty()) {
        findings.edges.push_back(std::move(d));
      }
      continue;
    }
    for (const auto& type : first.internal) {
      const auto at = observers.of_type.find(type);
      if (at != observers.of_type.end()) {
        d.at.insert(d.at.end(), at->second.begin(), at->second.end());
      }
    }
    sort_unique(d.at);
    if (d.at.empty()) continue;
    const auto makers = std::exchange(d.makers, {});
    if (!d.receivers.empty()) {
      d.rule = Rule::kD10;
      findings.edges.push_back(d);
    }
    if (!makers.empty()) {
      d.rule = Rule::kD11;
      d.receivers.clear();
      d.makers = makers;
      findings.edges.push_back(std::move(d));
    }
  }
}

}  // namespace rejig::traversal
