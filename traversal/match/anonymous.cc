// SPDX-License-Identifier: Apache-2.0
#include "traversal/match/anonymous.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "classfile/reader/attributes.h"
#include "traversal/code/numbered_names.h"
#include "traversal/same/class_digest.h"

namespace rejig::traversal {

namespace {

using base::Digest128;

// A numbered class of a group that is not equal in both programs.
struct Member {
  Name name;
  bool readable = false;
  Digest128 structure;
  std::string shape;            // its name without numbers
  std::vector<Name> mentioned;  // sorted: numbered classes of the group
  Digest128 refined;  // its structure, and that of what it mentions
};

// Classes of one structure differ in which others they mention.
void refine(std::vector<Member>& members) {
  constexpr unsigned kRounds = 3;  // as deep as functions are nested, mostly
  std::map<Name, std::size_t> at;
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].refined = members[i].structure;
    at.emplace(members[i].name, i);
  }
  std::vector<Digest128> next(members.size());
  std::vector<Digest128> below;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      below.clear();
      for (const Name name : members[i].mentioned) {
        const auto found = at.find(name);
        if (found == at.end() || found->second == i) continue;
        below.push_back(members[found->second].refined);
      }
      std::sort(below.begin(), below.end());
      below.push_back(members[i].refined);
      next[i] = base::hash128(std::as_bytes(std::span(below)));
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i].refined = next[i];
    }
  }
}

// Pairs members of two lists, each in the order of its numbers.
class Pairing {
 public:
  Pairing(const std::vector<Member>& olds, const std::vector<Member>& news,
          std::vector<std::pair<Name, Name>>& out)
      : olds_(olds),
        news_(news),
        out_(out),
        matched_(olds.size()),
        used_(news.size()) {}

  template <class Key>
  void by_name(const Key& key) {
    std::map<Name, std::size_t> named;
    for (std::size_t j = 0; j < news_.size(); ++j) {
      named.emplace(news_[j].name, j);
    }
    for (std::size_t i = 0; i < olds_.size(); ++i) {
      const auto found = named.find(olds_[i].name);
      if (matched_[i] || found == named.end() || used_[found->second] ||
          is_counted_through(olds_[i].name) ||
          key(olds_[i]) != key(news_[found->second])) {
        continue;
      }
      pair(i, found->second);
    }
  }

  // The first with that key is the first with it that is left.
  template <class Key>
  void in_order(const Key& key) {
    using Places = std::vector<std::size_t>;
    std::map<decltype(key(olds_[0])), Places> left;
    for (std::size_t j = news_.size(); j-- > 0;) {
      if (!used_[j]) left[key(news_[j])].push_back(j);
    }
    for (std::size_t i = 0; i < olds_.size(); ++i) {
      const auto at = matched_[i] ? left.end() : left.find(key(olds_[i]));
      if (at == left.end() || at->second.empty()) continue;
      pair(i, at->second.back());
      at->second.pop_back();
    }
  }

  // Whoever is left, where as many of a shape are left on either side.
  void rest_of_shape() {
    std::map<std::string_view, std::pair<std::size_t, std::size_t>> left;
    for (std::size_t i = 0; i < olds_.size(); ++i) {
      if (!matched_[i]) ++left[olds_[i].shape].first;
    }
    for (std::size_t j = 0; j < news_.size(); ++j) {
      if (!used_[j]) ++left[news_[j].shape].second;
    }
    const auto key = [&](const Member& member) {
      const auto& [of_old, of_new] = left[member.shape];
      return of_old == of_new && is_counted_through(member.name)
                 ? std::string_view(member.shape)
                 : std::string_view(member.name);
    };
    in_order(key);
  }

 private:
  void pair(std::size_t i, std::size_t j) {
    matched_[i] = used_[j] = true;
    out_.emplace_back(olds_[i].name, news_[j].name);
  }

  const std::vector<Member>& olds_;
  const std::vector<Member>& news_;
  std::vector<std::pair<Name, Name>>& out_;
  std::vector<bool> matched_;
  std::vector<bool> used_;
};

// From what says most to what says least: what a class says and what it
// mentions says, then its place in the source, too, then its name.
void pair_members(std::vector<Member>& olds, std::vector<Member>& news,
                  std::vector<std::pair<Name, Name>>& out) {
  for (auto* members : {&olds, &news}) {
    refine(*members);
    std::sort(members->begin(), members->end(),
              [](const Member& a, const Member& b) {
                return numbered_before(a.name, b.name);
              });
  }
  const auto nothing = [](const Member&) { return 0; };
  const auto structure = [](const Member& m) { return m.structure; };
  const auto refined = [](const Member& m) { return m.refined; };
  const auto with_shape = [](const auto& key) {
    return [&key](const Member& m) {
      return std::pair(std::string_view(m.shape), key(m));
    };
  };
  Pairing pairing(olds, news, out);
  pairing.by_name(structure);
  pairing.in_order(with_shape(refined));
  pairing.in_order(with_shape(structure));
  pairing.in_order(refined);
  pairing.in_order(structure);
  pairing.by_name(nothing);
  pairing.rest_of_shape();
}

std::vector<Name> numbered_mentions(const Worlds& worlds,
                                    const classfile::ClassView& cls,
                                    Name outer) {
  std::vector<Name> out;
  const auto& pool = cls.pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    if (pool.tag(i) != classfile::Tag::kClass) continue;
    const Name name = pool.text(i);
    if (name.starts_with(outer) && numbered_in(name) == outer) {
      out.push_back(worlds.names.intern(name));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// A class without a partner whose name is another one's partner now: two types
// that became one would answer each other's type tests.
void leave_alone(const std::vector<Member>& olds,
                 const std::vector<std::pair<Name, Name>>& pairs,
                 Renaming& renaming) {
  std::set<Name> matched;
  std::set<Name> used;
  for (const auto& [old_name, new_name] : pairs) {
    matched.insert(old_name);
    used.insert(new_name);
  }
  for (const Member& member : olds) {
    if (matched.contains(member.name) || !used.contains(member.name)) continue;
    renaming.add(member.name, std::string(member.name) + ".gone");
  }
}

// Its own entry of the attribute says that a source names it.
bool is_named_member(const classfile::ClassView& cls) {
  const auto* attribute = cls.attribute("InnerClasses");
  if (attribute == nullptr) return false;
  for (const auto& row : classfile::inner_classes(cls.pool(), *attribute)) {
    if (row.inner == cls.name()) return !row.outer.empty();
  }
  return false;
}

}  // namespace

jig::LoadedClass* ChangedClasses::at(std::vector<jig::LoadedClass>& all,
                                     Name name) const {
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  if (found == names.end() || *found != name) return nullptr;
  return &all[static_cast<std::size_t>(found - names.begin())];
}

SameCode ChangedClasses::same_code_of(Name name) const {
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  if (found == names.end() || *found != name) return {};
  return same_code[static_cast<std::size_t>(found - names.begin())];
}

void match_anonymous_classes(Matching& matching, ChangedClasses& changed) {
  const Worlds& worlds = matching.worlds;
  // Only groups in which a numbered class changed, appeared or disappeared.
  std::set<Name> outers;
  auto note = [&](const std::vector<Name>& names) {
    for (const Name name : names) {
      if (const Name outer = numbered_in(name); !outer.empty()) {
        outers.insert(outer);
      }
    }
  };
  note(changed.names);
  note(matching.added);
  note(matching.removed);
  if (outers.empty()) return;

  auto group = [&](const jig::World& world, Name outer) {
    std::vector<Member> out;
    const std::string prefix = std::string(outer) + "$";
    const auto classes = world.internal().classes();
    auto at = std::lower_bound(
        classes.begin(), classes.end(), Name(prefix),
        [](const auto& file, Name p) { return file.name < p; });
    for (; at != classes.end() && at->name.starts_with(prefix); ++at) {
      if (numbered_in(at->name) != outer) continue;
      const Name name = worlds.names.intern(at->name);
      // Equal files are each other's partner, whatever they say.
      if (!matching.is_equal(name)) out.emplace_back().name = name;
    }
    return out;
  };
  std::vector<ClassDigest> digests(worlds.pool.workers());
  const auto look_at = [&](const jig::World& world, Name outer, Member& member,
                           ClassDigest& digest) {
    jig::LoadedClass* known = &world == &worlds.old_world
                                  ? changed.of_old(member.name)
                                  : changed.of_new(member.name);
    jig::LoadedClass read;
    if (known == nullptr) {
      auto loaded = world.load_internal(member.name);
      if (loaded.ok()) read = std::move(loaded).value();
      known = &read;
    }
    member.readable = known->view.has_value();
    if (!member.readable) return;
    if (is_counted_through(member.name) && is_named_member(*known->view)) {
      member.readable = false;  // `class B$C__1` of a source
      return;
    }
    member.structure = digest.of(*known->view, outer);
    member.shape = without_numbers(member.name);
    member.mentioned = numbered_mentions(worlds, *known->view, outer);
  };
  // All members side by side (a group may be large), then the groups.
  struct Group {
    std::vector<Member> olds;
    std::vector<Member> news;
  };
  const std::vector<Name> sorted_outers(outers.begin(), outers.end());
  std::vector<Group> groups(sorted_outers.size());
  struct Task {
    const jig::World* world;
    Name outer;
    Member* member;
  };
  std::vector<Task> tasks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].olds = group(worlds.old_world, sorted_outers[g]);
    groups[g].news = group(worlds.new_world, sorted_outers[g]);
    for (Member& member : groups[g].olds) {
      tasks.push_back({&worlds.old_world, sorted_outers[g], &member});
    }
    for (Member& member : groups[g].news) {
      tasks.push_back({&worlds.new_world, sorted_outers[g], &member});
    }
  }
  worlds.pool.for_each(tasks.size(), [&](unsigned worker, std::size_t i) {
    look_at(*tasks[i].world, tasks[i].outer, *tasks[i].member, digests[worker]);
  });
  const auto unreadable = [](const Member& member) { return !member.readable; };
  std::vector<std::vector<std::pair<Name, Name>>> pairs(sorted_outers.size());
  worlds.pool.for_each(groups.size(), [&](unsigned, std::size_t g) {
    auto& [olds, news] = groups[g];
    std::erase_if(olds, unreadable);
    std::erase_if(news, unreadable);
    pair_members(olds, news, pairs[g]);
  });
  for (std::size_t g = 0; g < pairs.size(); ++g) {
    leave_alone(groups[g].olds, pairs[g], matching.renaming);
    for (const auto& [old_name, new_name] : pairs[g]) {
      matching.renaming.add(old_name, new_name);
      if (old_name == new_name) continue;
      matching.renamed_outers.insert(sorted_outers[g]);
      matching.renumbered.emplace_back(old_name, new_name);
    }
  }
}

}  // namespace rejig::traversal
