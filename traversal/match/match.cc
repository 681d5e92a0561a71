// SPDX-License-Identifier: Apache-2.0
// Which old class is which new class? By name; classes whose files are equal
// are never decoded. Equal stored bytes are equal without inflating; files that
// say the same count as equal.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "classfile/program/sight.h"
#include "traversal/match/anonymous.h"
#include "traversal/match/unequal.h"
#include "traversal/session/session.h"

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

bool same_platform(Session& session, const Program* a, const Program* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  const auto olds = a->classes();
  const auto news = b->classes();
  if (olds.size() != news.size()) return false;
  std::atomic<bool> same = true;
  std::vector<ReadPair> reads(session.pool.workers());
  session.pool.for_ranges(olds.size(), 64,
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

void match_external(Session& session) {
  const auto& olds = session.inputs.old_external;
  const auto& news = session.inputs.new_external;
  if (olds == news) return;
  ReadPair read;
  // The first program that has a name wins, on each side.
  std::map<Name, std::pair<const Program*, const ProgramFile*>> old_files;
  std::map<Name, std::pair<const Program*, const ProgramFile*>> new_files;
  // Another platform concerns everybody; its classes are not told apart.
  const Program* old_platform = session.inputs.old_platform;
  const Program* new_platform = session.inputs.new_platform;
  session.platform_changed =
      !same_platform(session, old_platform, new_platform);
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
    const Name owned = session.names.intern(name);
    if (other == new_files.end()) {
      session.external_removed.push_back(owned);
    } else if (old_file != other->second &&
               !same_bytes(*old_file.first, *old_file.second,
                           *other->second.first, *other->second.second, read)) {
      session.external_changed.push_back(owned);
    }
  }
  for (const auto& [name, file] : new_files) {
    if (!old_files.contains(name)) {
      session.external_added.push_back(session.names.intern(name));
    }
  }
}

// No compiler names a class with a number from outside, but class files do: what
// has the number now is another class for them.
void find_outside_users(Session& session) {
  if (session.renumbered.empty()) return;
  jig::MentionSet names;
  for (const auto& [old_name, new_name] : session.renumbered) {
    names.insert(jig::mention_of(old_name));
    names.insert(jig::mention_of(new_name));
  }
  session.old_world.glance_at_all(session.pool, names);
  const auto classes = session.inputs.old_internal->classes();
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const Name name = classes[i].name;
    if (!session.may_name_renamed(name) &&
        may_mention(session.old_world.glance_of_place(i), names)) {
      session.outside_users.insert(name);
    }
  }
}

// A class with equal bytes that may name a renamed class does not say the same
// thing any more.
void force_users_of_renamed(Session& session) {
  if (session.renaming.is_identity()) return;
  for (const Name name : session.equal_sorted) {
    if (session.may_name_renamed(name)) session.forced.insert(name);
  }
}

// Two old classes may have one partner: the second one reads it again.
jig::LoadedClass moved_out(jig::LoadedClass* from) {
  jig::LoadedClass out;
  if (from != nullptr) std::swap(out, *from);
  return out;
}

}  // namespace

void match_classes(Session& session, Alike alike) {
  const Program& a = *session.inputs.old_internal;
  const Program& b = *session.inputs.new_internal;
  const auto pairs = pair_up(a, b);
  std::vector<std::uint8_t> same(pairs.size(), 0);
  std::vector<classfile::FilePair> both;  // not one file
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const NamePair& pair = pairs[i];
    if (pair.old_file == nullptr || pair.new_file == nullptr) continue;
    if (pair.old_file->entry == pair.new_file->entry &&
        &a.artefact_of(*pair.old_file) == &b.artefact_of(*pair.new_file)) {
      same[i] = 1;
      continue;
    }
    both.push_back({pair.old_file, pair.new_file});
    places.push_back(i);
  }
  const auto seen = classfile::compare_at_sight(a, b, both, session.pool);
  std::vector<std::size_t> unequal;  // not known to be equal
  for (std::size_t k = 0; k < both.size(); ++k) {
    const std::size_t i = places[k];
    same[i] = seen[k] == classfile::Sight::kEqual ? 1 : 0;
    if (!same[i]) unequal.push_back(i);
  }
  UnequalFiles files(session, alike);
  std::vector<ChangedFile> found = files.read(pairs, unequal, same);
  ChangedClasses changed;
  std::vector<std::uint32_t> new_places(a.classes().size(), Program::kNoClass);
  for (const NamePair& pair : pairs) {
    if (pair.old_file == nullptr || pair.new_file == nullptr) continue;
    new_places[static_cast<std::size_t>(pair.old_file - a.classes().data())] =
        static_cast<std::uint32_t>(pair.new_file - b.classes().data());
  }
  session.equal_places.resize(a.classes().size());
  session.equal_sorted.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (same[i]) {
      // The programs outlive the session, and so does the name.
      session.equal_sorted.push_back(pairs[i].name);
      session.old_places.push_back(
          static_cast<std::uint32_t>(pairs[i].old_file - a.classes().data()));
      session.equal_places[session.old_places.back()] = 1;
      continue;
    }
    const Name name = session.names.intern(pairs[i].name);
    if (pairs[i].old_file == nullptr) {
      session.added.push_back(name);
    } else if (pairs[i].new_file == nullptr) {
      session.removed.push_back(name);
    } else {
      changed.names.push_back(name);
    }
  }
  session.new_world.share_shells(
      session.old_world, [&](Name name) { return session.is_equal(name); },
      std::move(new_places));
  match_external(session);

  for (ChangedFile& one : found) {  // one for each name, in their order
    changed.olds.push_back(std::move(one.old_class));
    changed.news.push_back(std::move(one.new_class));
    changed.same_code.push_back(std::move(one.same_code));
    for (auto& note : one.widened) session.widened.push_back(std::move(note));
  }

  for (const auto& [from, to] : session.inputs.renames) {
    session.renaming.add(from, to);
  }
  match_anonymous_classes(session, changed);

  find_outside_users(session);
  force_users_of_renamed(session);
  files.note_alike();

  // Old classes with a partner: same name, or matched by structure.
  struct Job {
    Name old_name;
    Name new_name;
  };
  std::vector<Job> jobs;
  std::set<Name> taken;
  std::vector<Name> still_removed;
  std::vector<Name> olds = changed.names;
  olds.insert(olds.end(), session.removed.begin(), session.removed.end());
  const auto forced = session.forced.sorted();
  olds.insert(olds.end(), forced.begin(), forced.end());
  for (const Name name : olds) {
    const Name to = session.names.intern(session.renaming.class_name(name));
    if (b.find_class(to) != nullptr && !session.untouched(to)) {
      jobs.push_back({name, to});
      taken.insert(to);
    } else {
      still_removed.push_back(name);
    }
  }
  std::vector<Name> still_added;
  auto keep_unmatched = [&](Name name) {
    if (!taken.contains(name)) still_added.push_back(name);
  };
  for (const Name name : session.added) keep_unmatched(name);
  for (const Name name : changed.names) keep_unmatched(name);
  std::sort(still_added.begin(), still_added.end());
  std::sort(still_removed.begin(), still_removed.end());
  session.added = std::move(still_added);
  session.removed = std::move(still_removed);
  std::sort(jobs.begin(), jobs.end(),
            [](const Job& x, const Job& y) { return x.old_name < y.old_name; });

  session.changed.resize(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    session.changed[i].old_class = moved_out(changed.of_old(jobs[i].old_name));
    session.changed[i].new_class = moved_out(changed.of_new(jobs[i].new_name));
    if (jobs[i].old_name == jobs[i].new_name) {
      session.changed[i].same_code = changed.same_code_of(jobs[i].old_name);
    }
  }
  std::vector<std::vector<Widened>> widened(jobs.size());
  session.pool.for_each(jobs.size(), [&](unsigned, std::size_t i) {
    ClassPair& pair = session.changed[i];
    pair.old_name = jobs[i].old_name;
    pair.new_name = jobs[i].new_name;
    pair.forced = session.is_equal(pair.old_name);
    if (!pair.old_class.view) {
      pair.old_class =
          load_or_widen(session.old_world, pair.old_name, widened[i]);
    }
    if (!pair.new_class.view) {
      pair.new_class =
          load_or_widen(session.new_world, pair.new_name, widened[i]);
    }
  });
  for (auto& list : widened) {
    for (auto& one : list) session.widened.push_back(std::move(one));
  }
}

}  // namespace rejig::traversal
