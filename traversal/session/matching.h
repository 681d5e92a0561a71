// SPDX-License-Identifier: Apache-2.0
// Which class of the old program is which of the new one, and which of them
// changed? Filled by match_classes(); the comparison of bodies adds users of
// synthetic members (force()), which is why it takes it without const and is
// the only phase that does.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classfile/words/delta.h"
#include "traversal/code/renaming.h"
#include "traversal/code/synthetic.h"
#include "traversal/same/alike.h"
#include "traversal/session/worlds.h"

namespace rejig::traversal {

// A class of the old program and its partner in the new one.
struct ClassPair {
  Name old_name;
  Name new_name;
  jig::LoadedClass old_class;  // without a view: unreadable
  jig::LoadedClass new_class;
  bool forced = false;  // equal bytes, compared because of what it refers to
  // Names as they stand; empty: nobody looked.
  SameCode same_code;
};

struct Matching {
  explicit Matching(const Worlds& of) : worlds(of) {}

  const Worlds& worlds;
  Renaming renaming;

  // Internal in both, equal bytes or alike.
  bool is_equal(Name name) const {
    const std::uint32_t place = worlds.inputs.old_internal->class_place(name);
    return place < equal_places.size() && equal_places[place] != 0;
  }
  std::vector<std::uint8_t> equal_places;  // of the old program's classes
  std::vector<Name> equal_sorted;
  std::vector<std::uint32_t> old_places;  // theirs in the old program
  // Of these, the ones with other bytes that say the same (alike.h), sorted;
  // and those of them that tell other compilers something else.
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
  // Sorted by old name, and behind them those that force() added. A deque: the
  // views in it are pointed to while it grows.
  std::deque<ClassPair> changed;
  std::vector<Name> added;             // internal in the new program only
  std::vector<Name> removed;           // internal in the old program only
  std::vector<Name> external_changed;  // external in both, other bytes
  std::vector<Name> external_added;
  std::vector<Name> external_removed;
  bool platform_changed = false;

  bool same_external() const {
    return external_changed.empty() && external_added.empty() &&
           external_removed.empty() && !platform_changed;
  }

  // An equal class that is to be compared all the same. Its pair is the last of
  // `changed`.
  ClassPair& force(Name name, jig::LoadedClass old_class,
                   jig::LoadedClass new_class);

  // Can anything in the class be named otherwise now? Numbered classes are
  // known inside their outermost class, and to whoever names them all the same;
  // a class renamed by the user everywhere.
  bool may_name_renamed(Name class_name) const {
    return !renaming.is_identity() &&
           (!worlds.inputs.renames.empty() ||
            outside_users.contains(class_name) ||
            renamed_outers.contains(
                class_name.substr(0, class_name.find('$'))));
  }
  // Equal or alike, and no need to look inside.
  bool untouched(Name name) const {
    return is_equal(name) && !forced.contains(name);
  }

  // What a class is called in the new program, in a place that stays.
  Name new_name(Name old_name) const {
    return partner_names_.intern(renaming.class_name(old_name));
  }
  Name keep_name(std::string_view text) const {
    return partner_names_.intern(text);
  }
  // The partner of an old class; nullptr when it is gone.
  const ClassNode* partner(Name old_name) const {
    return worlds.new_world.find(renaming.is_identity() ? old_name
                                                        : new_name(old_name));
  }

  // nullptr: not a changed one.
  const ClassPair* find_changed(Name old_name) const;
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
  struct Kept {
    std::mutex mutex;
    std::map<std::string, jig::LoadedClass, std::less<>> classes;
  };
  const classfile::ClassView* keep(Kept& kept, const jig::World& world,
                                   Name name) const;
  std::size_t forced_later_ = 0;  // the last ones of `changed`
  mutable jig::Names partner_names_;
  // What was read for somebody and will be asked for again; locks of their own.
  mutable std::mutex switch_maps_mutex_;
  mutable std::map<const classfile::ClassView*, std::optional<SwitchMaps>>
      switch_maps_;
  mutable Kept kept_old_;
  mutable Kept kept_new_;
};

}  // namespace rejig::traversal
