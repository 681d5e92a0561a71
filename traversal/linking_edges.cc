// SPDX-License-Identifier: Apache-2.0
#include "traversal/linking_edges.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rejig::traversal {

using classfile::Delta;

namespace {

using Family = std::vector<Name>;

// An unknown class that is not Java's own may be below any class.
bool may_be_below_any(const jig::SuperSet& supers) {
  return std::any_of(supers.unknown.begin(), supers.unknown.end(),
                     [](Name name) { return !name.starts_with("java/"); });
}

// Of each class of these that is no interface: itself and the internal classes
// below it; nothing when not all of them are known.
std::map<Name, Family> families(const Session& session,
                                const std::vector<Refused>& refused) {
  std::map<Name, Family> out;
  for (const Refused& one : refused) {
    const ClassNode* node = session.old_world.find(one.name);
    if (node == nullptr || !node->readable() || node->shell->is_interface()) {
      continue;
    }
    out[one.name] = {one.name};
  }
  if (out.empty()) return out;
  for (const auto& cls : session.inputs.old_internal->classes()) {
    const auto& supers = session.old_world.supers(cls.name);
    if (may_be_below_any(supers)) return {};
    for (const Name super : supers.names) {
      const auto at = out.find(super);
      if (at != out.end() && super != cls.name) at->second.push_back(cls.name);
    }
  }
  return out;
}

// The classes whose names begin with that of a class of the family and `$`.
std::vector<std::string> inside(const Session& session, const Family& family) {
  const auto classes = session.inputs.old_internal->classes();
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

void add_verification_edges(Session& session,
                            const std::vector<Refused>& refused) {
  const auto of = families(session, refused);
  for (const Refused& one : refused) {
    Delta d = link_delta(one.name, {}, one.why);
    if (const auto at = of.find(one.name); at != of.end()) {
      for (const Name name : at->second) {
        d.receivers.push_back(classfile::dotted(name));
      }
      d.makers = inside(session, at->second);
    }
    session.edges.push_back(std::move(d));
  }
}

}  // namespace rejig::traversal
