// SPDX-License-Identifier: Apache-2.0
#include "traversal/match/unequal.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/shell/debug_facet.h"
#include "traversal/shell/shell_edges.h"

namespace rejig::traversal {

using base::Bytes;
using classfile::ClassView;
using classfile::Program;

namespace {

std::uint32_t place_in(const Program& program,
                       const classfile::ProgramFile& file) {
  return static_cast<std::uint32_t>(&file - program.classes().data());
}

}  // namespace

jig::LoadedClass load_or_widen(const jig::World& world, Name name,
                               std::vector<Widened>& widened) {
  auto loaded = world.load_internal(name);
  if (loaded.ok()) return std::move(loaded).value();
  const auto& error = loaded.error();
  widened.push_back(
      {error.what + "; the class counts as changed", error.where});
  return {};
}

UnequalFiles::UnequalFiles(Worlds& worlds, Matching& matching, Alike alike)
    : worlds_(worlds),
      matching_(matching),
      alike_(alike),
      workers_(worlds.pool.workers()) {
  const std::size_t n = workers_.size();
  worlds.kept_old.resize(n);
  worlds.kept_new.resize(n);
  worlds.old_world.expect_bytes();
  worlds.new_world.expect_bytes();
  for (std::size_t w = 0; w < n; ++w) {
    workers_[w].old_buffer = base::Buffer(worlds.kept_old[w]);
    workers_[w].new_buffer = base::Buffer(worlds.kept_new[w]);
  }
}

std::vector<ChangedFile> UnequalFiles::read(
    std::span<const NamePair> pairs, std::span<const std::size_t> numbers,
    std::vector<std::uint8_t>& same) {
  worlds_.pool.for_ranges(
      numbers.size(), 16,
      [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          const std::size_t i = numbers[k];
          same[i] = one(workers_[worker], worker, i, pairs[i]) ? 1 : 0;
        }
      });
  std::vector<ChangedFile> out;
  for (Worker& worker : workers_) {
    std::move(worker.changed.begin(), worker.changed.end(),
              std::back_inserter(out));
    worker.changed.clear();
  }
  std::sort(out.begin(), out.end(),
            [](const auto& x, const auto& y) { return x.pair < y.pair; });
  return out;
}

// True: it counts as equal.
bool UnequalFiles::one(Worker& worker, unsigned number, std::size_t i,
                       const NamePair& pair) {
  const Program& a = *worlds_.inputs.old_internal;
  const Program& b = *worlds_.inputs.new_internal;
  const auto olds = a.read(*pair.old_file, worker.old_buffer);
  const auto news = b.read(*pair.new_file, worker.new_buffer);
  // Unreadable never equals unreadable.
  if (!olds.ok() || !news.ok()) {
    found_changed(worker, number, i, pair, {}, {}, false);
    return false;
  }
  if (olds->size() == news->size() &&
      (olds->empty() ||
       std::memcmp(olds->data(), news->data(), olds->size()) == 0)) {
    return true;
  }
  const bool laid_out = worker.reader.lay_out(*olds, *news, pair.name);
  if (laid_out && alike_ == Alike::kLikeEqual) {
    const Likeness& seen = worker.reader.likeness();
    if (seen.alike) {
      found_alike(worker, seen, pair.name);
      // What it mentions will be asked for.
      worlds_.old_world.lend(place_in(a, *pair.old_file),
                             worlds_.kept_old[number].keep(*olds));
      return true;
    }
  }
  found_changed(worker, number, i, pair, *olds, *news, laid_out);
  return false;
}

void UnequalFiles::found_alike(Worker& worker, const Likeness& seen,
                               Name name) const {
  const ClassView& olds = worker.reader.old_class();
  const ClassView& news = worker.reader.new_class();
  AlikeClass& found = worker.alike.emplace_back();
  found.name = name;
  if (seen.metadata) found.metadata_facet = metadata_facet(olds);
  if (!seen.file && seen.lines.empty()) return;
  // No line of it is seen: what it does is reported at its readers (N10).
  if (read_switch_maps(olds)) return;
  DebugFacet facet(olds, worlds_.inputs);
  if (seen.file) {
    for (std::size_t i = 0; i < olds.methods().size() && !facet.is_settled();
         ++i) {
      facet.add(olds.methods()[i]);
    }
  } else {
    for (const std::uint16_t i : seen.lines) {
      if (facet.is_settled()) break;
      if (!same_debug_tables(olds, olds.methods()[i], news,
                             news.methods()[i])) {
        facet.add(olds.methods()[i]);
      }
    }
  }
  found.lines = facet.take(source_path(olds));
}

void UnequalFiles::found_changed(Worker& worker, unsigned number,
                                 std::size_t i, const NamePair& pair,
                                 Bytes olds, Bytes news, bool laid_out) {
  ChangedFile& found = worker.changed.emplace_back();
  found.pair = i;
  const auto old_place = place_in(*worlds_.inputs.old_internal,
                                  *pair.old_file);
  const auto new_place = place_in(*worlds_.inputs.new_internal,
                                  *pair.new_file);
  if (!olds.empty()) {
    worlds_.old_world.lend(old_place, worlds_.kept_old[number].keep(olds));
  }
  if (!news.empty()) {
    worlds_.new_world.lend(new_place, worlds_.kept_new[number].keep(news));
  }
  const auto take = [&](const jig::World& world, std::uint32_t place,
                        base::Result<ClassView>* checked,
                        jig::LoadedClass& out) {
    if (checked != nullptr && checked->ok()) {
      out.view = std::move(*checked).value();
    } else {
      // Reading it as a whole says what is wrong, and where.
      out = load_or_widen(world, pair.name, found.widened);
    }
    if (out.view) world.know(place, *out.view);
  };
  if (laid_out && alike_ == Alike::kLikeEqual) {
    auto checked = worker.reader.checked();
    take(worlds_.old_world, old_place, &checked.old_class, found.old_class);
    take(worlds_.new_world, new_place, &checked.new_class, found.new_class);
    found.same_code = worker.reader.same_code();
  } else {
    take(worlds_.old_world, old_place, nullptr, found.old_class);
    take(worlds_.new_world, new_place, nullptr, found.new_class);
  }
}

void UnequalFiles::note_alike(Findings& findings) {
  for (Worker& worker : workers_) {
    for (AlikeClass& one : worker.alike) {
      const Name name = worlds_.names.intern(one.name);
      matching_.alike.push_back(name);
      if (one.metadata_facet) {
        matching_.other_metadata.insert(name);
        findings.facets.push_back(std::move(*one.metadata_facet));
      }
      if (one.lines) {
        matching_.alike_lines.emplace_back(name, std::move(*one.lines));
      }
    }
    worker.alike.clear();
  }
  std::sort(matching_.alike.begin(), matching_.alike.end());
}

}  // namespace rejig::traversal
