// SPDX-License-Identifier: Apache-2.0
// What do the files say that sight did not find equal? Each pair is read once:
// equal after all (packed otherwise), alike, or changed; then both classes are
// in memory with their shells. Bytes that will be asked for again stay where
// they were inflated and are lent to the worlds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traversal/same/pair_reader.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

// The files of one class name; null: not in that program.
struct NamePair {
  Name name;
  const classfile::ProgramFile* old_file = nullptr;
  const classfile::ProgramFile* new_file = nullptr;
};

struct ChangedFile {
  std::size_t pair = 0;
  jig::LoadedClass old_class;  // without a view: unreadable
  jig::LoadedClass new_class;
  SameCode same_code;
  std::vector<Widened> widened;
};

// An unreadable class counts as changed, and is widened.
jig::LoadedClass load_or_widen(const jig::World& world, Name name,
                               std::vector<Widened>& widened);

class UnequalFiles {
 public:
  UnequalFiles(Worlds& worlds, Matching& matching, Alike alike);

  // Of the pairs with these numbers: a mark for those that count as equal, the
  // others in their order.
  std::vector<ChangedFile> read(std::span<const NamePair> pairs,
                                std::span<const std::size_t> numbers,
                                std::vector<std::uint8_t>& same);
  // The alike ones and what differs all the same.
  void note_alike(Findings& findings);

 private:
  struct AlikeClass {
    Name name;
    std::optional<classfile::Delta> metadata_facet;
    std::optional<classfile::Delta> lines;
  };
  // Of one thread.
  struct Worker {
    base::Buffer old_buffer;
    base::Buffer new_buffer;
    PairReader reader;
    std::vector<AlikeClass> alike;
    std::vector<ChangedFile> changed;
  };

  bool one(Worker& worker, unsigned number, std::size_t i,
           const NamePair& pair);
  void found_alike(Worker& worker, const Likeness& seen, Name name) const;
  void found_changed(Worker& worker, unsigned number, std::size_t i,
                     const NamePair& pair, base::Bytes olds, base::Bytes news,
                     bool laid_out);

  Worlds& worlds_;
  Matching& matching_;
  Alike alike_;
  std::vector<Worker> workers_;
};

}  // namespace rejig::traversal
