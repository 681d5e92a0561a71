// SPDX-License-Identifier: Apache-2.0
// What do the steps of one comparison share? The two worlds, which class of the
// old program is which of the new one, the changed classes in memory, and the
// growing answer. Each step is a free function over the session, in the order
// of compare.cc; a step only appends deltas.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/words/delta.h"
#include "jig/lookup/resolve.h"
#include "jig/world/world.h"
#include "traversal/code/renaming.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/compare.h"
#include "traversal/same/alike.h"

namespace rejig::traversal {

using jig::ClassNode;
using jig::Name;

// A class of the old program and its partner in the new one.
struct ClassPair {
  Name old_name;
  Name new_name;
  jig::LoadedClass old_class;  // without a view: unreadable
  jig::LoadedClass new_class;
  bool forced = false;  // equal bytes, compared because of what it refers to
  // Names as they stand; empty: nobody looked.
  SameCode same_code;
  // Methods of the old class whose bodies are equal to the new ones: their
  // references are still to be looked at. Names into the old class's pool.
  std::vector<std::uint16_t> equal_methods;
  // Of these: pcs of references that were compared by what they come to.
  std::map<std::uint16_t, std::vector<std::uint32_t>> by_use;
  // Methods whose bodies part at known edges: pcs of references that both
  // share. Sorted.
  std::map<std::uint16_t, std::vector<std::uint32_t>> shared;
};

struct Session {
  explicit Session(const CompareInputs& in)
      : inputs(in),
        pool(in.jobs),
        old_world(names, *in.old_internal, in.old_external),
        new_world(names, *in.new_internal, in.new_external) {
    old_world.set_release(in.old_release);
    new_world.set_release(in.new_release);
    old_world.know_object();
    new_world.know_object();
  }

  CompareInputs inputs;
  base::ThreadPool pool;
  std::vector<base::KeptBytes> kept_old;  // of each worker; lent to the worlds
  std::vector<base::KeptBytes> kept_new;
  jig::Names names;
  jig::World old_world;
  jig::World new_world;
  Renaming renaming;

  // Internal in both, equal bytes or alike.
  bool is_equal(Name name) const {
    const std::uint32_t place = inputs.old_internal->class_place(name);
    return place < equal_places.size() && equal_places[place] != 0;
  }
  std::vector<std::uint8_t> equal_places;  // of the old program's classes
  std::vector<Name> equal_sorted;
  std::vector<std::uint32_t> old_places;  // theirs in the old program
  // Of these, the ones with other bytes that say the same (alike.h), sorted; and
  // those of them that tell other compilers something else.
  std::vector<Name> alike;
  base::HashSet<Name> other_metadata;
  // The facets of their line numbers: said of those that are not forced, which
  // say it themselves.
  std::vector<std::pair<Name, classfile::Delta>> alike_lines;
  // Of these, the ones that are compared all the same, because a name or a
  // synthetic member they refer to means something else now.
  base::HashSet<Name> forced;
  base::HashSet<Name> renamed_outers;  // outermost classes with renumbered ones
  std::vector<std::pair<Name, Name>> renumbered;  // old name, another new one
  base::HashSet<Name> outside_users;  // name one of these from outside
  std::vector<ClassPair> changed;      // sorted by old name
  std::vector<Name> added;             // internal in the new program only
  std::vector<Name> removed;           // internal in the old program only
  std::vector<Name> external_changed;  // external in both, other bytes
  std::vector<Name> external_added;
  std::vector<Name> external_removed;
  bool platform_changed = false;

  // Old names of the classes whose shell (structure) changed, appeared or
  // disappeared, and everything below them in either world.
  base::HashSet<Name> structure_changed;
  base::HashSet<Name> doubtful;
  std::vector<Name> doubtful_sorted;
  // Of these, the ones that changed in more than their members and whether they
  // have an initializer, and everything below them.
  base::HashSet<Name> relations_changed;
  base::HashSet<Name> relations_doubtful;
  // signature_of() the members that differ in classes of the other kind.
  base::HashSet<std::uint64_t> members_changed;
  // The same by class, by its old and its new name; sorted.
  base::HashMap<Name, std::vector<std::uint64_t>> members_changed_of;
  // Of the doubtful names, those that fail to link now, or no longer do.
  base::HashSet<Name> links_otherwise;
  // mention_of() of the doubtful names; meaningless while external classes
  // changed, since those below them are not all known.
  jig::MentionSet doubtful_mentions;
  // External classes below a changed internal one: their names are not among
  // the mentions.
  bool external_doubtful = false;
  // And no class may be left unread for what its pool mentions.
  bool only_internal_doubts() const;
  // False only if no name of these can stand in the old class's pool, and
  // external classes are as they were.
  bool may_mention(Name class_name,
                   const jig::MentionSet& wanted) const;
  // The same by its place in the old program.
  bool may_mention(std::uint32_t old_place,
                   const jig::MentionSet& wanted) const;
  bool structure_equal() const { return structure_changed.empty(); }
  // The name itself or something above it, in either world, changed its shell.
  bool compute_doubtful(Name name) const {
    return has_above(name, structure_changed);
  }
  // Is the name one of these, or something above it in either world?
  bool has_above(Name name, const base::HashSet<Name>& changed_names) const;
  // The same for any class an instruction names.
  bool is_doubtful(Name name) const {
    return (doubts_of(name) & kDoubtful) != 0;
  }
  // Can using this class as a type, or being it, mean something else now?
  bool is_use_doubtful(Name name) const {
    return (doubts_of(name) & kUseDoubtful) != 0;
  }
  // Both at once. For arrays, those of the class that they are made of.
  static constexpr std::uint8_t kDoubtful = 1;
  static constexpr std::uint8_t kUseDoubtful = 2;
  std::uint8_t doubts_of(Name class_or_array) const;
  // After `doubtful` and the sets beside it are final.
  void settle_doubts();
  // Can a reference to this member of it?
  bool is_member_doubtful(Name owner, Name name, Name descriptor) const {
    const std::uint8_t its = doubts_of(owner);
    return (its & kUseDoubtful) != 0 ||
           ((its & kDoubtful) != 0 &&
            members_changed.contains(signature_of(name, descriptor)));
  }
  static std::uint64_t signature_of(Name name, Name descriptor) {
    return base::hash64(name) * 31 + base::hash64(descriptor);
  }
  // Can anything in the class be named otherwise now? Numbered classes are known
  // inside their outermost class, and to whoever names them all the same; a class
  // renamed by the user everywhere.
  bool may_name_renamed(Name class_name) const {
    return !renaming.is_identity() &&
           (!inputs.renames.empty() || outside_users.contains(class_name) ||
            renamed_outers.contains(class_name.substr(0, class_name.find('$'))));
  }
  // Equal or alike, and no need to look inside.
  bool untouched(Name name) const {
    return is_equal(name) && !forced.contains(name);
  }

  std::vector<classfile::Delta> edges;
  std::vector<classfile::Delta> facets;
  std::vector<classfile::NewlyRead> newly_read;
  std::vector<Widened> widened;

  // The partner of an old class; nullptr when it is gone.
  const ClassNode* partner(Name old_name) const {
    return new_world.find(
        renaming.is_identity()
            ? old_name
            : Name(partner_names.intern(renaming.class_name(old_name))));
  }
  mutable jig::Names partner_names;

  // Only if it is a changed one, which is in memory.
  const classfile::ClassView* changed_view(Name old_name) const;
  // The class in memory: a changed one from `changed`, any other one is read
  // once and kept. nullptr: absent or unreadable. From any thread.
  const classfile::ClassView* old_view(Name name) const;
  const classfile::ClassView* new_view(Name name) const;
  // The $SwitchMap$ tables of such a class, read once; nullptr: it is no such
  // class.
  const SwitchMaps* switch_maps(const classfile::ClassView* cls) const;

 private:
  std::uint8_t doubts_of_outsider(Name name) const;
  std::vector<std::uint8_t> doubts_;  // by place in the old program
  // Of classes that are not in it: the same, and kAsked.
  static constexpr std::uint8_t kAsked = 4;
  static constexpr unsigned kOutsiderBits = 12;
  mutable base::AppendTable<std::uint8_t> outsiders_{kOutsiderBits};
  mutable std::mutex switch_maps_mutex_;
  mutable std::map<const classfile::ClassView*, std::optional<SwitchMaps>>
      switch_maps_;
  struct Kept {
    std::mutex mutex;
    std::map<std::string, jig::LoadedClass, std::less<>> classes;
  };
  const classfile::ClassView* keep(Kept& kept, const jig::World& world,
                                   Name name) const;
  mutable Kept kept_old_;
  mutable Kept kept_new_;
};

// False only if no name of these can stand in the class's pool. nullptr: nobody
// knows.
bool may_mention(const jig::Glance* glance,
                 const jig::MentionSet& wanted);

// Are classes with other bytes that say the same treated like equal ones?
enum class Alike : std::uint8_t { kLikeEqual, kLikeChanged };

// The steps.
void match_classes(Session& session, Alike alike);
void compare_classes(Session& session);         // D1, D2, D23; equal_methods
// Who may call a native method stands for it: it has no entry to be recorded.
void add_native_callers(Session& session);
void compare_shells(Session& session);          // D15-D19
void find_structure(Session& session);          // structure_changed, doubtful
void compare_references(Session& session);      // D3-D6, D9 (linking), D15
void compare_selection(Session& session);       // D7-D9
void compare_subtypes(Session& session);        // D9-D12
void compare_initialization(Session& session);  // D13
void find_left_state(Session& session);         // D24
void compare_linking(Session& session);         // D14; links_otherwise
void compare_verification(Session& session);    // D14
void compare_artefacts(Session& session);       // D20-D22
void compare_listings(Session& session);        // D20, for rows
void compare_modules(Session& session);         // D14, D16, D20 of module-info
std::vector<TestMethod> discover_tests(jig::World& world,
                                       base::ThreadPool& pool);
// Of the new program; classes that are as they were keep theirs.
std::vector<TestMethod> new_tests_of(Session& session,
                                     const std::vector<TestMethod>& old_tests);
classfile::Implied make_implied(CompareInputs inputs);

// What only the lambda sites of its own class can mean.
inline bool is_lambda_body(const jig::MethodShell& method) {
  return method.is(classfile::kAccSynthetic) &&
         method.is(classfile::kAccPrivate) &&
         (method.name.starts_with("lambda$") ||
          method.name == "$deserializeLambda$");
}

// A class that had to be looked into and could not be: whoever loaded it is in
// doubt.
void report_unreadable(Session& session, Name name, const base::Error& error);

}  // namespace rejig::traversal
