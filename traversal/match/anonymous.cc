// SPDX-License-Identifier: Apache-2.0
#include "traversal/match/anonymous.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "traversal/same/class_digest.h"

namespace rejig::traversal {

namespace {

// The outermost class whose numbered nested class this is: "a/B" of "a/B$1",
// "a/B$C$2Local"; empty when no part of the name begins with a digit.
Name numbered_in(Name name) {
  for (std::size_t at = name.find('$'); at != Name::npos;
       at = name.find('$', at + 1)) {
    if (at + 1 < name.size() &&
        std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0) {
      return name.substr(0, name.find('$'));
    }
  }
  return {};
}

// A numbered class of a group that is not equal in both programs.
struct Member {
  Name name;
  bool readable = false;
  base::Digest128 structure;
};

// Of members sorted by name: the same name and structure, then the first one of
// that structure that is left, then the same name.
void pair_members(const std::vector<Member>& olds,
                  const std::vector<Member>& news,
                  std::vector<std::pair<Name, Name>>& out) {
  std::vector<bool> used(news.size(), false);
  std::vector<bool> matched(olds.size(), false);
  const auto pair = [&](std::size_t i, std::size_t j) {
    matched[i] = used[j] = true;
    out.emplace_back(olds[i].name, news[j].name);
  };
  const auto by_name = [&](bool same_structure) {
    for (std::size_t i = 0, j = 0; i < olds.size(); ++i) {
      while (j < news.size() && news[j].name < olds[i].name) ++j;
      if (j == news.size()) break;
      if (news[j].name == olds[i].name && !matched[i] && !used[j] &&
          (!same_structure || olds[i].structure == news[j].structure)) {
        pair(i, j);
      }
    }
  };
  by_name(true);
  std::map<base::Digest128, std::vector<std::size_t>> left;
  for (std::size_t j = news.size(); j-- > 0;) {
    if (!used[j]) left[news[j].structure].push_back(j);
  }
  for (std::size_t i = 0; i < olds.size(); ++i) {
    const auto at = matched[i] ? left.end() : left.find(olds[i].structure);
    if (at == left.end() || at->second.empty()) continue;
    pair(i, at->second.back());
    at->second.pop_back();
  }
  by_name(false);
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
      if (!matching.is_equal(name)) out.push_back({name, false, {}});
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
    if (member.readable) member.structure = digest.of(*known->view, outer);
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
    for (const auto& [old_name, new_name] : pairs[g]) {
      matching.renaming.add(old_name, new_name);
      if (old_name == new_name) continue;
      matching.renamed_outers.insert(sorted_outers[g]);
      matching.renumbered.emplace_back(old_name, new_name);
    }
  }
}

}  // namespace rejig::traversal
