// SPDX-License-Identifier: Apache-2.0
// Which old class is which new class? By name; classes whose files are equal
// are never decoded. Equal stored bytes are equal without inflating; files that
// say the same count as equal.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <set>

#include "classfile/program/sight.h"
#include "traversal/match/anonymous.h"
#include "traversal/match/unequal.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Program;
using classfile::ProgramFile;

namespace {

// Both lists are sorted by name.
std::vector<NamePair> pair_up(const Program& a, const Program& b) {
  std::vector<NamePair> out;
  const auto olds = a.classes();
  const auto news = b.classes();
  out.reserve(std::max(olds.size(), news.size()));
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < olds.size() || j < news.size()) {
    int order = i == olds.size() ? 1 : -1;
    if (i < olds.size() && j < news.size()) {
      // The old program may be made of the new one's files.
      const bool one_text = olds[i].name.data() == news[j].name.data() &&
                            olds[i].name.size() == news[j].name.size();
      order = one_text ? 0 : olds[i].name.compare(news[j].name);
    }
    const bool take_old = order <= 0;
    const bool take_new = order >= 0;
    const Name name = take_old ? olds[i].name : news[j].name;
    out.push_back({name, take_old ? &olds[i++] : nullptr,
                   take_new ? &news[j++] : nullptr});
  }
  return out;
}

struct ReadPair {
  base::Buffer buffer_a;
  base::Buffer buffer_b;
};

// What sight did not tell.
bool same_when_read(const Program& a, const ProgramFile& in_a,
                    const Program& b, const ProgramFile& in_b,
                    ReadPair& read) {
  const auto bytes_a = a.read(in_a, read.buffer_a);
  const auto bytes_b = b.read(in_b, read.buffer_b);
  // Unreadable never equals unreadable.
  if (!bytes_a.ok() || !bytes_b.ok()) return false;
  return bytes_a->size() == bytes_b->size() &&
         (bytes_a->empty() ||
          std::memcmp(bytes_a->data(), bytes_b->data(), bytes_a->size()) == 0);
}

bool same_bytes(const Program& a, const ProgramFile& in_a, const Program& b,
                const ProgramFile& in_b, ReadPair& read) {
  if (const auto known = equal_by_digest(a, in_a, b, in_b)) return *known;
  return known_equal(a, in_a, b, in_b) ||
         same_when_read(a, in_a, b, in_b, read);
}

bool same_platform(const Worlds& worlds, const Program* a, const Program* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  const auto olds = a->classes();
  const auto news = b->classes();
  if (olds.size() != news.size()) return false;
  std::atomic<bool> same = true;
  std::vector<ReadPair> reads(worlds.pool.workers());
  worlds.pool.for_ranges(olds.size(), 64,
                          [&](unsigned worker, std::size_t begin,
                              std::size_t end) {
                            ReadPair& read = reads[worker];
                            for (std::size_t i = begin; i < end && same; ++i) {
                              if (olds[i].name != news[i].name ||
                                  !same_bytes(*a, olds[i], *b, news[i], read)) {
                                same = false;
                              }
                            }
                          });
  return same;
}

void match_external(Matching& matching) {
  const Worlds& worlds = matching.worlds;
  const auto& olds = worlds.inputs.old_external;
  const auto& news = worlds.inputs.new_external;
  if (olds == news) return;
  ReadPair read;
  // The first program that has a name wins, on each side.
  std::map<Name, std::pair<const Program*, const ProgramFile*>> old_files;
  std::map<Name, std::pair<const Program*, const ProgramFile*>> new_files;
  // Another platform concerns everybody; its classes are not told apart.
  const Program* old_platform = worlds.inputs.old_platform;
  const Program* new_platform = worlds.inputs.new_platform;
  matching.platform_changed =
      !same_platform(worlds, old_platform, new_platform);
  for (const Program* program : olds) {
    if (program == old_platform) continue;
    for (const auto& file : program->classes()) {
      old_files.try_emplace(file.name, program, &file);
    }
  }
  for (const Program* program : news) {
    if (program == new_platform) continue;
    for (const auto& file : program->classes()) {
      new_files.try_emplace(file.name, program, &file);
    }
  }
  for (const auto& [name, old_file] : old_files) {
    const auto other = new_files.find(name);
    const Name owned = worlds.names.intern(name);
    if (other == new_files.end()) {
      matching.external_removed.push_back(owned);
    } else if (old_file != other->second &&
               !same_bytes(*old_file.first, *old_file.second,
                           *other->second.first, *other->second.second, read)) {
      matching.external_changed.push_back(owned);
    }
  }
  for (const auto& [name, file] : new_files) {
    if (!old_files.contains(name)) {
      matching.external_added.push_back(worlds.names.intern(name));
    }
  }
}

// No compiler names a class with a number from outside, but class files do: what
// has the number now is another class for them.
void find_outside_users(Worlds& worlds, Matching& matching) {
  if (matching.renumbered.empty()) return;
  jig::MentionSet names;
  for (const auto& [old_name, new_name] : matching.renumbered) {
    names.insert(jig::mention_of(old_name));
    names.insert(jig::mention_of(new_name));
  }
  worlds.old_world.glance_at_all(worlds.pool, names);
  const auto classes = worlds.inputs.old_internal->classes();
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const Name name = classes[i].name;
    if (!matching.may_name_renamed(name) &&
        may_mention(worlds.old_world.glance_of_place(i), names)) {
      matching.outside_users.insert(name);
    }
  }
}

// A class with equal bytes that may name a renamed class does not say the same
// thing any more.
void force_users_of_renamed(Matching& matching) {
  if (matching.renaming.is_identity()) return;
  for (const Name name : matching.equal_sorted) {
    if (matching.may_name_renamed(name)) matching.forced.insert(name);
  }
}

// Two old classes may have one partner: the second one reads it again.
jig::LoadedClass moved_out(jig::LoadedClass* from) {
  jig::LoadedClass out;
  if (from != nullptr) std::swap(out, *from);
  return out;
}

// The pairs of both programs: what sight says of them, and, when the unequal
// ones are read, which count as equal.
struct Sighted {
  std::vector<NamePair> pairs;
  std::vector<std::uint8_t> same;    // of each pair
  std::vector<std::size_t> unequal;  // numbers of pairs: not known to be equal
};

Sighted look(const Worlds& worlds) {
  const Program& a = *worlds.inputs.old_internal;
  const Program& b = *worlds.inputs.new_internal;
  Sighted out;
  out.pairs = pair_up(a, b);
  out.same.assign(out.pairs.size(), 0);
  std::vector<classfile::FilePair> both;  // not one file
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < out.pairs.size(); ++i) {
    const NamePair& pair = out.pairs[i];
    if (pair.old_file == nullptr || pair.new_file == nullptr) continue;
    if (pair.old_file->entry == pair.new_file->entry &&
        &a.artefact_of(*pair.old_file) == &b.artefact_of(*pair.new_file)) {
      out.same[i] = 1;
      continue;
    }
    both.push_back({pair.old_file, pair.new_file});
    numbers.push_back(i);
  }
  const auto seen = classfile::compare_at_sight(a, b, both, worlds.pool);
  for (std::size_t k = 0; k < both.size(); ++k) {
    const std::size_t i = numbers[k];
    out.same[i] = seen[k] == classfile::Sight::kEqual ? 1 : 0;
    if (!out.same[i]) out.unequal.push_back(i);
  }
  return out;
}

// Which names are equal, changed, added and removed, and where the new world
// finds what it shares with the old one.
void note_names(const Sighted& sighted, Worlds& worlds, Matching& matching,
                ChangedClasses& changed) {
  const auto olds = worlds.inputs.old_internal->classes();
  const auto news = worlds.inputs.new_internal->classes();
  std::vector<std::uint32_t> new_places(olds.size(), Program::kNoClass);
  for (const NamePair& pair : sighted.pairs) {
    if (pair.old_file == nullptr || pair.new_file == nullptr) continue;
    new_places[static_cast<std::size_t>(pair.old_file - olds.data())] =
        static_cast<std::uint32_t>(pair.new_file - news.data());
  }
  matching.equal_places.resize(olds.size());
  matching.equal_sorted.reserve(sighted.pairs.size());
  for (std::size_t i = 0; i < sighted.pairs.size(); ++i) {
    const NamePair& pair = sighted.pairs[i];
    if (sighted.same[i]) {
      // The programs outlive the comparison, and so does the name.
      matching.equal_sorted.push_back(pair.name);
      matching.old_places.push_back(
          static_cast<std::uint32_t>(pair.old_file - olds.data()));
      matching.equal_places[matching.old_places.back()] = 1;
      continue;
    }
    const Name name = worlds.names.intern(pair.name);
    if (pair.old_file == nullptr) {
      matching.added.push_back(name);
    } else if (pair.new_file == nullptr) {
      matching.removed.push_back(name);
    } else {
      changed.names.push_back(name);
    }
  }
  worlds.new_world.share_shells(
      worlds.old_world, [&](Name name) { return matching.is_equal(name); },
      std::move(new_places));
}

// Old classes with a partner: same name, or matched by structure.
struct Partners {
  Name old_name;
  Name new_name;
};

// Sorted by old name. What finds no partner stays, or becomes, added and
// removed.
std::vector<Partners> find_partners(Matching& matching,
                                    const std::vector<Name>& changed) {
  const Worlds& worlds = matching.worlds;
  const Program& b = *worlds.inputs.new_internal;
  std::vector<Partners> out;
  std::set<Name> taken;
  std::vector<Name> still_removed;
  std::vector<Name> olds = changed;
  olds.insert(olds.end(), matching.removed.begin(), matching.removed.end());
  const auto forced = matching.forced.sorted();
  olds.insert(olds.end(), forced.begin(), forced.end());
  for (const Name name : olds) {
    const Name to = worlds.names.intern(matching.renaming.class_name(name));
    if (b.find_class(to) != nullptr && !matching.untouched(to)) {
      out.push_back({name, to});
      taken.insert(to);
    } else {
      still_removed.push_back(name);
    }
  }
  std::vector<Name> still_added;
  for (const auto* list :
       {static_cast<const std::vector<Name>*>(&matching.added), &changed}) {
    for (const Name name : *list) {
      if (!taken.contains(name)) still_added.push_back(name);
    }
  }
  std::sort(still_added.begin(), still_added.end());
  std::sort(still_removed.begin(), still_removed.end());
  matching.added = std::move(still_added);
  matching.removed = std::move(still_removed);
  std::sort(out.begin(), out.end(), [](const auto& x, const auto& y) {
    return x.old_name < y.old_name;
  });
  return out;
}

// The changed pairs, in memory.
void load_pairs(const std::vector<Partners>& partners, ChangedClasses& changed,
                Matching& matching, Findings& findings) {
  const Worlds& worlds = matching.worlds;
  matching.changed.resize(partners.size());
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const auto& [old_name, new_name] = partners[i];
    ClassPair& pair = matching.changed[i];
    pair.old_name = old_name;
    pair.new_name = new_name;
    pair.old_class = moved_out(changed.of_old(old_name));
    pair.new_class = moved_out(changed.of_new(new_name));
    pair.forced = matching.is_equal(old_name);
    if (old_name == new_name) {
      pair.same_code = changed.same_code_of(old_name);
    }
  }
  std::vector<std::vector<Widened>> widened(partners.size());
  worlds.pool.for_each(partners.size(), [&](unsigned, std::size_t i) {
    ClassPair& pair = matching.changed[i];
    if (!pair.old_class.view) {
      pair.old_class =
          load_or_widen(worlds.old_world, pair.old_name, widened[i]);
    }
    if (!pair.new_class.view) {
      pair.new_class =
          load_or_widen(worlds.new_world, pair.new_name, widened[i]);
    }
  });
  for (auto& list : widened) findings.take_widened(std::move(list));
}

}  // namespace

std::unique_ptr<Matching> match_classes(Worlds& worlds, Alike alike,
                                        Findings& findings) {
  auto out = std::make_unique<Matching>(worlds);
  Matching& matching = *out;
  Sighted sighted = look(worlds);
  // What sight left open is read here, once.
  UnequalFiles files(worlds, matching, alike);
  std::vector<ChangedFile> found =
      files.read(sighted.pairs, sighted.unequal, sighted.same);
  ChangedClasses changed;
  note_names(sighted, worlds, matching, changed);
  match_external(matching);
  for (ChangedFile& one : found) {  // one for each name, in their order
    changed.olds.push_back(std::move(one.old_class));
    changed.news.push_back(std::move(one.new_class));
    changed.same_code.push_back(std::move(one.same_code));
    findings.take_widened(std::move(one.widened));
  }
  // What has another name now, and who is compared for it.
  for (const auto& [from, to] : worlds.inputs.renames) {
    matching.renaming.add(from, to);
  }
  match_anonymous_classes(matching, changed);
  find_outside_users(worlds, matching);
  force_users_of_renamed(matching);
  files.note_alike(findings);
  load_pairs(find_partners(matching, changed.names), changed, matching,
             findings);
  return out;
}

}  // namespace rejig::traversal
