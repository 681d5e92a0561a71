// SPDX-License-Identifier: Apache-2.0
// Which classes promise something else to others, and whose answers can that
// change? Only names below a changed shell are doubtful: resolution, selection,
// initialization and linking of a name look at the shells of the name and its
// supertypes and at nothing else, so when none of these changed in either world
// every answer is equal by construction.
#include <algorithm>
#include <tuple>

#include "jig/lookup/resolve.h"
#include "jig/lookup/subtypes.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/lookup/structure.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using jig::ClassShell;
using jig::FieldShell;
using jig::MethodShell;

namespace {

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

bool counts(const MethodShell& method) {
  return !is_lambda_body(method) && method.name != "<clinit>";
}

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
    if (!counts(m)) continue;
    out.emplace_back(m.name, descriptor(m.descriptor),
                     (m.access & kMethodFlags) | (m.has_code ? 0x10000u : 0u),
                     "");
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool same_in_order(const std::vector<Name>& olds, const std::vector<Name>& news,
                   const Renaming& renaming) {
  return std::equal(olds.begin(), olds.end(), news.begin(), news.end(),
                    [&](Name a, Name b) { return renaming.same_class(a, b); });
}

bool same_in_any_order(const std::vector<Name>& olds,
                       const std::vector<Name>& news,
                       const Renaming& renaming) {
  if (same_in_order(olds, news, renaming)) return true;
  if (olds.size() != news.size()) return false;
  std::vector<std::string> before;
  for (const Name name : olds) before.push_back(renaming.class_name(name));
  std::vector<std::string> now(news.begin(), news.end());
  std::sort(before.begin(), before.end());
  std::sort(now.begin(), now.end());
  return before == now;
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

// What can a reference to the class, or from it, be answered by besides its
// members?
bool same_relations(const ClassShell& a, const ClassShell& b,
                    const Renaming& renaming) {
  return renaming.same_class(a.super, b.super) &&
         same_in_order(a.interfaces, b.interfaces, renaming) &&
         (a.access & kClassFlags) == (b.access & kClassFlags) &&
         version_rules(a.major) == version_rules(b.major) &&
         a.sealed == b.sealed &&
         renaming.same_class(a.nest_host, b.nest_host) &&
         same_in_any_order(a.nest_members, b.nest_members, renaming) &&
         same_in_any_order(a.permitted, b.permitted, renaming);
}

bool same_member(const FieldShell& a, const FieldShell& b,
                 const Renaming& renaming) {
  return a.name == b.name && a.constant == b.constant &&
         ((a.access ^ b.access) & kFieldFlags) == 0 &&
         renaming.same_descriptor(a.descriptor, b.descriptor);
}

bool same_member(const MethodShell& a, const MethodShell& b,
                 const Renaming& renaming) {
  return a.name == b.name && a.has_code == b.has_code &&
         ((a.access ^ b.access) & kMethodFlags) == 0 &&
         renaming.same_descriptor(a.descriptor, b.descriptor);
}

// Most classes keep the order of their members. A no means nothing.
bool same_members_in_order(const ClassShell& a, const ClassShell& b,
                           const Renaming& renaming) {
  if (a.fields.size() != b.fields.size()) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (!same_member(a.fields[i], b.fields[i], renaming)) return false;
  }
  auto x = a.methods.begin();
  auto y = b.methods.begin();
  while (true) {
    x = std::find_if(x, a.methods.end(), counts);
    y = std::find_if(y, b.methods.end(), counts);
    if (x == a.methods.end() || y == b.methods.end()) {
      return x == a.methods.end() && y == b.methods.end();
    }
    if (!same_member(*x++, *y++, renaming)) return false;
  }
}

// True if they are equal; else adds the signatures of what differs, in old and in
// new words.
bool same_members(const ClassShell& a, const ClassShell& b,
                  const Renaming& renaming,
                  std::vector<std::uint64_t>& differing) {
  if (same_members_in_order(a, b, renaming)) return true;
  auto olds = members_of(a, &renaming);
  auto news = members_of(b, nullptr);
  if (olds == news) return true;
  std::vector<Member> only;
  std::set_symmetric_difference(olds.begin(), olds.end(), news.begin(),
                                news.end(), std::back_inserter(only));
  base::HashSet<std::uint64_t> signatures;
  for (const Member& member : only) {
    signatures.insert(
        Structure::signature_of(std::get<0>(member), std::get<1>(member)));
  }
  const auto note = [&](Name name, Name descriptor) {
    if (signatures.contains(Structure::signature_of(
            name, Name(renaming.descriptor(descriptor))))) {
      differing.push_back(Structure::signature_of(name, descriptor));
    }
  };
  for (const FieldShell& f : a.fields) note(f.name, f.descriptor);
  for (const MethodShell& m : a.methods) note(m.name, m.descriptor);
  for (const std::uint64_t signature : signatures.sorted()) {
    differing.push_back(signature);
  }
  return false;
}

// Does the JVM take their versions otherwise, as far as that is known?
bool loads_otherwise(const Worlds& worlds, const ClassShell& a,
                     const ClassShell& b) {
  if (a.major == b.major && a.minor == b.minor) return false;
  return jig::version_problem(a, worlds.old_world.release()) !=
             jig::version_problem(b, worlds.new_world.release()) ||
         a.minor != b.minor ||
         (worlds.new_world.release() == 0 && b.major > a.major);
}

// What of a pair's promises to others differs?
struct Promises {
  bool relations = false;
  bool structure = false;
  std::vector<std::uint64_t> members;
};

Promises promises_of(const Matching& matching, const ClassPair& pair) {
  Promises out;
  const Worlds& worlds = matching.worlds;
  const ClassNode* a = worlds.old_world.find(pair.old_name);
  const ClassNode* b = worlds.new_world.find(pair.new_name);
  out.relations =
      a == nullptr || b == nullptr || !a->readable() || !b->readable() ||
      !same_relations(*a->shell, *b->shell, matching.renaming) ||
      loads_otherwise(worlds, *a->shell, *b->shell);
  out.structure =
      out.relations ||
      !same_members(*a->shell, *b->shell, matching.renaming, out.members) ||
      a->shell->has_clinit != b->shell->has_clinit;
  return out;
}

}  // namespace

bool same_structure(const ClassShell& a, const ClassShell& b,
                    const Renaming& renaming) {
  return same_relations(a, b, renaming) && a.has_clinit == b.has_clinit &&
         (same_members_in_order(a, b, renaming) ||
          members_of(a, &renaming) == members_of(b, nullptr));
}

namespace {

bool same_external_structure(const Matching& matching, Name name) {
  const ClassNode* a = matching.worlds.old_world.find(name);
  const ClassNode* b = matching.worlds.new_world.find(name);
  if (a == nullptr || b == nullptr) return a == b;
  return a->readable() && b->readable() &&
         same_structure(*a->shell, *b->shell, matching.renaming);
}

// A library class below a changed internal one: what it does with what it
// inherits is in doubt for everybody who loaded it.
void external_below(Structure& structure, Findings& findings) {
  for (const auto* program : structure.worlds.inputs.old_external) {
    if (program == structure.worlds.inputs.old_platform) continue;
    const auto classes = program->classes();
    std::vector<std::uint8_t> below(classes.size(), 0);
    structure.worlds.pool.for_ranges(
        classes.size(), 64, [&](unsigned, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const ClassNode* node =
                structure.worlds.old_world.find(classes[i].name);
            below[i] = node != nullptr && !node->internal &&
                       structure.compute_doubtful(classes[i].name);
          }
        });
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (!below[i]) continue;
      structure.external_doubtful = true;
      findings.edges.push_back(external_below_delta(classes[i].name));
    }
  }
}

// The internal classes of a world that changed or stand below what changed.
// Marks spread from supertypes to subtypes; a class that a glance does not
// understand, and what is external, is asked for its supertypes instead.
class BelowChanged {
 public:
  BelowChanged(const Structure& structure, const jig::World& world)
      : structure_(structure),
        world_(world),
        classes_(world.internal().classes()),
        marked_(classes_.size(), 0) {}

  struct Found {
    std::vector<Name> doubtful;
    std::vector<Name> relations;  // those of them
  };

  Found run() {
    std::vector<base::HashMap<Name, std::uint8_t>> outside(
        structure_.worlds.pool.workers());
    structure_.worlds.pool.for_ranges(
        classes_.size(), 256,
        [&](unsigned worker, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            look_at(static_cast<std::uint32_t>(i), outside[worker]);
          }
        });
    jig::spread_to_subtypes(world_, structure_.worlds.pool, marked_);
    Found out;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (marked_[i] == 0) continue;
      out.doubtful.push_back(classes_[i].name);
      if ((marked_[i] & kRelations) != 0) {
        out.relations.push_back(classes_[i].name);
      }
    }
    return out;
  }

 private:
  // A class has the marks of its own change and of everything above it. A
  // changed relation is a changed structure, too.
  static constexpr std::uint8_t kStructure = 1;
  static constexpr std::uint8_t kRelations = 2;

  std::uint8_t computed_marks(Name name) const {
    if (!structure_.compute_doubtful(name)) return 0;
    return structure_.has_above(name, structure_.relations_changed)
               ? kStructure | kRelations
               : kStructure;
  }
  std::uint8_t own_marks(Name name) const {
    if (!structure_.structure_changed.contains(name)) return 0;
    return structure_.relations_changed.contains(name) ? kStructure | kRelations
                                                     : kStructure;
  }

  // `outside`: the marks of supertypes that are not internal.
  void look_at(std::uint32_t i, base::HashMap<Name, std::uint8_t>& outside) {
    const Name name = classes_[i].name;
    const jig::Glance* glance = world_.glance_of_place(i);
    if (glance == nullptr) {
      marked_[i] = computed_marks(name);
      return;
    }
    marked_[i] = own_marks(name);
    world_.each_super(i, [&](Name super, std::uint32_t place) {
      if (place != classfile::Program::kNoClass) return;
      auto [known, added] = outside.try_emplace(super, 0);
      if (added) *known = computed_marks(super);
      marked_[i] |= *known;
    });
  }

  const Structure& structure_;
  const jig::World& world_;
  std::span<const classfile::ProgramFile> classes_;
  std::vector<std::uint8_t> marked_;
};

}  // namespace

namespace {

void mark(Structure& structure, Name name) {
  structure.structure_changed.insert(name);
  structure.relations_changed.insert(name);
}

// What the changed pairs promise otherwise.
void note_changed(Structure& structure) {
  const auto& changed = structure.matching.changed;
  std::vector<Promises> promises(changed.size());
  structure.worlds.pool.for_each(
      promises.size(), [&](unsigned, std::size_t i) {
        promises[i] = promises_of(structure.matching, changed[i]);
      });
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const ClassPair& pair = changed[i];
    if (promises[i].relations) {
      mark(structure, pair.old_name);
      mark(structure, pair.new_name);
    } else if (promises[i].structure) {
      structure.structure_changed.insert(pair.old_name);
      structure.structure_changed.insert(pair.new_name);
    }
    auto& members = promises[i].members;
    if (members.empty()) continue;
    std::sort(members.begin(), members.end());
    for (const std::uint64_t signature : members) {
      structure.members_changed.insert(signature);
    }
    structure.members_changed_of.try_emplace(pair.old_name, members);
    if (pair.new_name != pair.old_name) {
      structure.members_changed_of.try_emplace(pair.new_name, members);
    }
  }
}

// What came, went, or is another one outside.
void note_others(Structure& structure) {
  const Matching& matching = structure.matching;
  for (const auto* list : {&matching.added, &matching.removed}) {
    for (const Name name : *list) mark(structure, name);
  }
  for (const auto* list : {&matching.external_changed, &matching.external_added,
                           &matching.external_removed}) {
    for (const Name name : *list) {
      if (!same_external_structure(matching, name)) mark(structure, name);
    }
  }
  const CompareInputs& inputs = structure.worlds.inputs;
  if (!inputs.exhaustive) return;
  for (const auto* program : {inputs.old_internal, inputs.new_internal}) {
    for (const auto& file : program->classes()) {
      mark(structure, structure.worlds.names.intern(file.name));
    }
  }
}

// Needs a glance at both worlds.
void note_below(Structure& structure) {
  auto below = BelowChanged(structure, structure.worlds.old_world).run();
  auto more = BelowChanged(structure, structure.worlds.new_world).run();
  auto& doubtful = below.doubtful;
  doubtful.insert(doubtful.end(), more.doubtful.begin(), more.doubtful.end());
  std::sort(doubtful.begin(), doubtful.end());
  doubtful.erase(std::unique(doubtful.begin(), doubtful.end()),
                 doubtful.end());
  for (const Name name : doubtful) {
    structure.doubtful.insert(name);
    structure.doubtful_mentions.insert(jig::mention_of(name));
  }
  for (const auto* names : {&below.relations, &more.relations}) {
    for (const Name name : *names) structure.relations_doubtful.insert(name);
  }
  structure.doubtful_sorted = std::move(doubtful);
  structure.settle_doubts();
}

}  // namespace

std::unique_ptr<const Structure> find_structure(Worlds& worlds,
                                                const Matching& matching,
                                                Findings& findings) {
  auto structure = std::make_unique<Structure>(matching);
  note_changed(*structure);
  note_others(*structure);
  if (structure->structure_equal()) return structure;
  // Most of what will be asked of equal classes is asked because they mention
  // one of these.
  jig::MentionSet wanted;
  for (const Name name : structure->structure_changed.sorted()) {
    wanted.insert(jig::mention_of(name));
  }
  if (!worlds.old_world.has_glanced()) {
    worlds.old_world.glance_at_all(worlds.pool, wanted);
  }
  worlds.new_world.glance_at_all(worlds.pool, {});
  note_below(*structure);
  external_below(*structure, findings);
  return structure;
}

}  // namespace rejig::traversal
