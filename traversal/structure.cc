// SPDX-License-Identifier: Apache-2.0
// Which classes promise something else to others, and whose answers can that
// change? Only names below a changed shell are doubtful: resolution, selection,
// initialization and linking of a name look at the shells of the name and its
// supertypes and at nothing else, so when none of these changed in either world
// every answer is equal by construction.
#include <algorithm>
#include <tuple>

#include "traversal/session.h"
#include "traversal/structure.h"

namespace rejig::traversal {

using jig::ClassShell;
using jig::FieldShell;
using jig::MethodShell;

namespace {

bool observable(const MethodShell& method) {
  return !(method.is(classfile::kAccSynthetic) &&
           (method.name.starts_with("lambda$") ||
            method.name == "$deserializeLambda$"));
}

constexpr std::uint16_t kFieldFlags =
    classfile::kAccPublic | classfile::kAccPrivate | classfile::kAccProtected |
    classfile::kAccStatic | classfile::kAccFinal;
constexpr std::uint16_t kMethodFlags =
    classfile::kAccPublic | classfile::kAccPrivate | classfile::kAccProtected |
    classfile::kAccStatic | classfile::kAccFinal | classfile::kAccNative |
    classfile::kAccAbstract;
constexpr std::uint16_t kClassFlags =
    classfile::kAccPublic | classfile::kAccFinal | classfile::kAccInterface |
    classfile::kAccAbstract;

using Member = std::tuple<std::string, std::string, unsigned, std::string>;

std::vector<Member> members_of(const ClassShell& shell,
                               const Renaming* renaming) {
  auto descriptor = [&](Name d) {
    return renaming == nullptr ? std::string(d) : renaming->descriptor(d);
  };
  std::vector<Member> out;
  for (const FieldShell& f : shell.fields) {
    out.emplace_back(f.name, descriptor(f.descriptor), f.access & kFieldFlags,
                     f.constant);
  }
  for (const MethodShell& m : shell.methods) {
    if (!observable(m) || m.name == "<clinit>") continue;
    out.emplace_back(m.name, descriptor(m.descriptor),
                     (m.access & kMethodFlags) | (m.has_code ? 0x10000u : 0u),
                     "");
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> names_of(const std::vector<Name>& names,
                                  const Renaming* renaming, bool ordered) {
  std::vector<std::string> out;
  for (const Name name : names) {
    out.push_back(renaming == nullptr ? std::string(name)
                                      : renaming->class_name(name));
  }
  if (!ordered) std::sort(out.begin(), out.end());
  return out;
}

// Which generation of rules the version selects (semantics §2.1).
int version_rules(std::uint16_t major) {
  if (major < 50) return 49;
  if (major == 50) return 50;
  if (major < 53) return 51;
  if (major < 55) return 53;
  if (major < 61) return 55;
  return 61;
}

}  // namespace

bool same_structure(const ClassShell& a, const ClassShell& b,
                    const Renaming& renaming) {
  return renaming.same_class(a.super, b.super) &&
         names_of(a.interfaces, &renaming, true) ==
             names_of(b.interfaces, nullptr, true) &&
         (a.access & kClassFlags) == (b.access & kClassFlags) &&
         version_rules(a.major) == version_rules(b.major) &&
         a.has_clinit == b.has_clinit && a.sealed == b.sealed &&
         renaming.class_name(a.nest_host) == b.nest_host &&
         names_of(a.nest_members, &renaming, false) ==
             names_of(b.nest_members, nullptr, false) &&
         names_of(a.permitted, &renaming, false) ==
             names_of(b.permitted, nullptr, false) &&
         members_of(a, &renaming) == members_of(b, nullptr);
}

namespace {

bool same_external_structure(const Session& session, Name name) {
  const ClassNode* a = session.old_world.find(name);
  const ClassNode* b = session.new_world.find(name);
  if (a == nullptr || b == nullptr) return a == b;
  return a->readable() && b->readable() &&
         same_structure(*a->shell, *b->shell, session.renaming);
}

// A library class below a changed internal one: what it does with what it
// inherits is in doubt for everybody who loaded it.
void external_below(Session& session) {
  for (const auto* program : session.inputs.old_external) {
    if (program == session.inputs.old_platform) continue;
    const auto classes = program->classes();
    std::vector<std::uint8_t> below(classes.size(), 0);
    session.pool.for_ranges(
        classes.size(), 64, [&](unsigned, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const ClassNode* node = session.old_world.find(classes[i].name);
            below[i] = node != nullptr && !node->internal &&
                       session.compute_doubtful(classes[i].name);
          }
        });
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (!below[i]) continue;
      session.external_doubtful = true;
      classfile::Delta d;
      d.rule = classfile::Rule::kD21;
      d.channel = classfile::Channel::kSelection;
      d.entity = classfile::dotted(classes[i].name);
      d.subject = d.entity;
      d.label = "external class";
      d.old_fact = "below the old hierarchy";
      d.new_fact = "below a changed one";
      d.why = "the external class `" + d.entity +
              "` inherits from a class that changed";
      session.edges.push_back(std::move(d));
    }
  }
}

// The internal classes of a world that changed or stand below what changed.
// Marks spread from supertypes to subtypes; a class that a glance does not
// understand, and what is external, is asked for its supertypes instead.
std::vector<Name> names_below_changed(const Session& session,
                                      const jig::World& world) {
  const auto classes = world.internal().classes();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;  // super, sub
  std::vector<std::uint8_t> marked(classes.size(), 0);
  std::vector<std::uint32_t> todo;
  auto mark = [&](std::uint32_t i) {
    if (marked[i]) return;
    marked[i] = 1;
    todo.push_back(i);
  };
  base::HashMap<Name, bool> outside;  // supertypes that are not internal
  auto changed_outside = [&](Name name) {
    auto [known, added] = outside.try_emplace(name, false);
    if (added) *known = session.compute_doubtful(name);
    return *known;
  };
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const Name name = classes[i].name;
    const jig::Glance* glance = world.glance(name);
    if (glance == nullptr ? session.compute_doubtful(name)
                          : session.structure_changed.contains(name)) {
      mark(i);
    }
    if (glance == nullptr) continue;
    auto above = [&](Name super) {
      if (super.empty()) return;
      if (const std::uint32_t* place = world.place(super)) {
        lines.emplace_back(*place, i);
      } else if (changed_outside(super)) {
        mark(i);
      }
    };
    above(glance->super);
    for (const Name itf : glance->interfaces) above(itf);
  }
  std::sort(lines.begin(), lines.end());
  while (!todo.empty()) {
    const std::uint32_t super = todo.back();
    todo.pop_back();
    for (auto at = std::lower_bound(lines.begin(), lines.end(),
                                    std::pair{super, std::uint32_t{0}});
         at != lines.end() && at->first == super; ++at) {
      mark(at->second);
    }
  }
  std::vector<Name> out;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (marked[i]) out.push_back(world.names().intern(classes[i].name));
  }
  return out;
}

}  // namespace

void find_structure(Session& session) {
  auto mark = [&](Name name) { session.structure_changed.insert(name); };
  for (const ClassPair& pair : session.changed) {
    const ClassNode* a = session.old_world.find(pair.old_name);
    const ClassNode* b = session.new_world.find(pair.new_name);
    if (a == nullptr || b == nullptr || !a->readable() || !b->readable() ||
        !same_structure(*a->shell, *b->shell, session.renaming)) {
      mark(pair.old_name);
      mark(pair.new_name);
    }
  }
  for (const Name name : session.added) mark(name);
  for (const Name name : session.removed) mark(name);
  for (const auto* list : {&session.external_changed, &session.external_added,
                           &session.external_removed}) {
    for (const Name name : *list) {
      if (!same_external_structure(session, name)) mark(name);
    }
  }
  if (session.structure_equal()) return;

  session.old_world.glance_at_all(session.pool);
  session.new_world.glance_at_all(session.pool);
  std::vector<Name> below = names_below_changed(session, session.old_world);
  const auto more = names_below_changed(session, session.new_world);
  below.insert(below.end(), more.begin(), more.end());
  std::sort(below.begin(), below.end());
  below.erase(std::unique(below.begin(), below.end()), below.end());
  for (const Name name : below) {
    session.doubtful.insert(name);
    session.doubtful_mentions.insert(jig::mention_of(name));
  }
  session.doubtful_sorted = std::move(below);
  external_below(session);
}

}  // namespace rejig::traversal
