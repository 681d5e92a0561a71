// SPDX-License-Identifier: Apache-2.0
// Which names promise something else to others now, and whose answers can that
// change? Made by find_structure() and const for everybody after it: what is
// doubtful is final before anybody asks. "Doubtful" errs on the side of asking.
#pragma once

#include <cstdint>
#include <vector>

#include "traversal/session/matching.h"

namespace rejig::traversal {

struct Structure {
  explicit Structure(const Matching& of) : matching(of), worlds(of.worlds) {}

  const Matching& matching;
  const Worlds& worlds;

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
  bool may_mention(Name class_name, const jig::MentionSet& wanted) const;
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
  // The last step of finding the structure: the sets are complete.
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

 private:
  std::uint8_t doubts_of_outsider(Name name) const;
  std::vector<std::uint8_t> doubts_;  // by place in the old program
  // Of classes that are not in it: the same, and kAsked.
  static constexpr std::uint8_t kAsked = 4;
  static constexpr unsigned kOutsiderBits = 12;
  mutable base::AppendTable<std::uint8_t> outsiders_{kOutsiderBits};
};

// What only the lambda sites of its own class can mean.
inline bool is_lambda_body(const jig::MethodShell& method) {
  return method.is(classfile::kAccSynthetic) &&
         method.is(classfile::kAccPrivate) &&
         (method.name.starts_with("lambda$") ||
          method.name == "$deserializeLambda$");
}

}  // namespace rejig::traversal
