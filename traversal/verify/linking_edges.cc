// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/linking_edges.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "jig/lookup/resolve.h"

namespace rejig::traversal {

using classfile::Delta;

namespace {

using Family = std::vector<Name>;
using Families = std::map<Name, Family>;  // by the class on top

// An unknown class that is not Java's own may be below any class.
bool may_be_below_any(const jig::SuperSet& supers) {
  return std::any_of(supers.unknown.begin(), supers.unknown.end(),
                     [](Name name) { return !name.starts_with("java/"); });
}

// Of each class of these that is no interface: itself and the internal classes
// below it; nothing when not all of them are known.
Families below(const Matching& matching, const std::vector<Refused>& refused) {
  Families out;
  for (const Refused& one : refused) {
    const ClassNode* node = matching.worlds.old_world.find(one.name);
    if (node == nullptr || !node->readable() || node->shell->is_interface()) {
      continue;
    }
    out[one.name] = {one.name};
  }
  if (out.empty()) return out;
  for (const auto& cls : matching.worlds.inputs.old_internal->classes()) {
    const auto& supers = matching.worlds.old_world.supers(cls.name);
    if (may_be_below_any(supers)) return {};
    for (const Name super : supers.names) {
      const auto at = out.find(super);
      if (at != out.end() && super != cls.name) at->second.push_back(cls.name);
    }
  }
  return out;
}

// The owners of the method handles in the pool of a class; nullopt: unreadable.
std::optional<std::vector<std::string>> handle_owners(const Matching& matching,
                                                      Name name) {
  std::vector<std::string> out;
  const auto loaded = matching.worlds.old_world.load_internal(name);
  if (!loaded.ok()) return std::nullopt;
  const auto& pool = loaded.value().view->pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    if (pool.tag(i) != classfile::Tag::kMethodHandle) continue;
    out.emplace_back(pool.handle(i).ref.owner);
  }
  return out;
}

// A method handle in a pool links its class where it is resolved, and no row
// tells who resolved it. Families that classes outside have handles of are
// dropped; the classes inside are initialized when they use theirs.
void drop_those_with_handles(const Matching& matching,
                             const MayMention& may_mention,
                             Families& families) {
  std::map<Name, std::vector<Name>, std::less<>> heads;  // of each member
  jig::MentionSet mentions;
  for (const auto& [head, family] : families) {
    for (const Name member : family) {
      heads[member].push_back(head);
      mentions.insert(jig::mention_of(member));
    }
  }
  const auto classes = matching.worlds.inputs.old_internal->classes();
  std::vector<std::optional<std::vector<std::string>>> owners(
      classes.size(), std::vector<std::string>{});
  matching.worlds.pool.for_ranges(
      classes.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (may_mention(classes[i].name, mentions)) {
            owners[i] = handle_owners(matching, classes[i].name);
          }
        }
      });
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (!owners[i]) return families.clear();
    for (const auto& owner : *owners[i]) {
      const auto at = heads.find(std::string_view(owner));
      if (at == heads.end()) continue;
      for (const Name head : at->second) {
        const auto family = families.find(head);
        if (family == families.end()) continue;
        const auto& members = family->second;
        if (std::find(members.begin(), members.end(), classes[i].name) ==
            members.end()) {
          families.erase(family);
        }
      }
    }
  }
}

// The classes whose names begin with that of a class of the family and `$`.
std::vector<std::string> inside(const Matching& matching,
                                const Family& family) {
  const auto classes = matching.worlds.inputs.old_internal->classes();
  std::vector<std::string> out;
  for (const Name outer : family) {
    const std::string prefix = std::string(outer) + "$";
    auto at = std::lower_bound(
        classes.begin(), classes.end(), prefix,
        [](const auto& cls, const std::string& key) { return cls.name < key; });
    for (; at != classes.end() && at->name.starts_with(prefix); ++at) {
      out.push_back(classfile::dotted(at->name));
    }
  }
  return out;
}

}  // namespace

Delta link_delta(Name name, std::string before, std::string after) {
  Delta d;
  d.rule = classfile::Rule::kD14;
  d.channel = classfile::Channel::kLinking;
  d.entity = classfile::dotted(name);
  d.subject = d.entity;
  d.label = "linking";
  d.old_fact = before.empty() ? "links" : std::move(before);
  d.new_fact = after.empty() ? "links" : std::move(after);
  d.why = "linking `" + d.entity + "`: " + d.old_fact + ", now " + d.new_fact;
  return d;
}

void add_refused(std::vector<Refused>& to, std::vector<Refused> more) {
  std::set<Name> known;
  for (const Refused& one : to) known.insert(one.name);
  for (Refused& one : more) {
    if (!known.contains(one.name)) to.push_back(std::move(one));
  }
}

std::optional<Delta> version_delta(const Worlds& worlds, Name old_name,
                                   Name new_name) {
  auto before = jig::version_needs(worlds.old_world, old_name);
  const auto after = jig::version_needs(worlds.new_world, new_name);
  // The old platform may be known where the new one is not.
  if (worlds.new_world.release() == 0) {
    before.release = std::max(before.release, worlds.old_world.release());
  }
  if (after.release <= before.release && after.preview == before.preview) {
    return std::nullopt;
  }
  Delta d = link_delta(old_name, "needs " + jig::text_of(before),
                       "needs " + jig::text_of(after));
  d.why = "`" + d.entity + "` needed " + jig::text_of(before) + " and needs " +
          jig::text_of(after) + ", and nobody knows whether that is there";
  return d;
}

void add_verification_edges(const Matching& matching,
                            const std::vector<Refused>& refused,
                            const MayMention& may_mention, Findings& findings) {
  Families of = below(matching, refused);
  if (!of.empty()) drop_those_with_handles(matching, may_mention, of);
  for (const Refused& one : refused) {
    Delta d = link_delta(one.name, {}, one.why);
    if (const auto at = of.find(one.name); at != of.end()) {
      for (const Name name : at->second) {
        d.receivers.push_back(classfile::dotted(name));
      }
      d.makers = inside(matching, at->second);
    }
    findings.edges.push_back(std::move(d));
  }
}

}  // namespace rejig::traversal
