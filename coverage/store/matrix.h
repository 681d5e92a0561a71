// SPDX-License-Identifier: Apache-2.0
// What did each test touch in the old program? A Matrix answers by row (what
// did this test touch), by atom (which tests touched this), and says what the
// rows rest on: the classes with their digests, the environment, and opaque
// facts of the old program that the selection put there.
//
// Two things are a Matrix: the result of a MatrixBuilder (all in memory) and an
// opened store (reads on demand). Every question can fail, because a store is
// read lazily and every block it reads is checked; a caller that gets an Error
// selects all tests. An answer is never partial.
// Views and spans live as long as the matrix. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/base/result.h"
#include "classfile/words/entity.h"
#include "coverage/store/row.h"
#include "coverage/store/row_set.h"

namespace rejig::coverage {

// Bytes that rows were recorded on. A class may occur twice with different
// digests, when shards of different builds were merged: then no row that has
// an atom of the class is known to belong to the old program.
struct ClassDigest {
  std::string_view name;    // "a.b.C"
  std::string_view digest;  // as the recorder writes it, opaque here

  friend bool operator==(const ClassDigest&, const ClassDigest&) = default;
  friend auto operator<=>(const ClassDigest&, const ClassDigest&) = default;
};

// Likewise a key may have several values.
struct EnvironmentEntry {
  std::string_view key;
  std::string_view value;

  friend bool operator==(const EnvironmentEntry&,
                         const EnvironmentEntry&) = default;
  friend auto operator<=>(const EnvironmentEntry&,
                          const EnvironmentEntry&) = default;
};

// Rows begin..end-1.
struct RowRun {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const RowRun&, const RowRun&) = default;
  friend auto operator<=>(const RowRun&, const RowRun&) = default;
};

class Matrix {
 public:
  virtual ~Matrix();

  virtual std::size_t row_count() const = 0;
  virtual std::size_t atom_count() const = 0;
  virtual std::uint64_t pair_count() const = 0;
  // False for a matrix that was imported without class digests: nobody can
  // check that its rows belong to the old program's bytes.
  virtual bool has_digests() const = 0;

  // Sorted by (suite, test); the position is the RowId.
  virtual base::Result<std::span<const Row>> rows() = 0;
  // none() when that test has no row.
  base::Result<RowId> find_row(std::string_view suite, std::string_view test);

  // none() when no row has that atom. `test:` and `testclass:` are said by the
  // keys of the rows and need not be stored.
  virtual base::Result<AtomId> find_atom(const classfile::Atom& atom) = 0;
  virtual base::Result<classfile::Atom> atom(AtomId id) = 0;
  // Every atom of that kind whose text starts with `prefix`, in order.
  virtual base::Result<void> each_atom(
      classfile::AtomKind kind, std::string_view prefix,
      const std::function<void(AtomId, std::string_view text)>& visit) = 0;

  // Appends the rows that have that atom, in order.
  virtual base::Result<void> append_rows_with(AtomId id,
                                              std::vector<RowId>& rows) = 0;
  // The same as runs, in order; none touches the one before it.
  virtual base::Result<void> append_runs_with(AtomId id,
                                              std::vector<RowRun>& runs);
  // Adds them to a set, which has room for row_count() rows.
  base::Result<void> add_rows_with(AtomId id, RowSet& rows);
  // The same for an atom that may be unknown; answers `test:` (that test in
  // every suite) and `testclass:` (all tests of exactly that class) by row
  // keys and by stored atoms.
  base::Result<void> add_rows_with(const classfile::Atom& atom, RowSet& rows);
  base::Result<RowSet> rows_with(const classfile::Atom& atom);
  base::Result<RowSet> rows_with_any(std::span<const classfile::Atom> atoms);
  // The rows whose recorder recorded that kind. In all others a missing atom of
  // the kind means nothing.
  base::Result<RowSet> rows_recording(classfile::AtomKind kind);

  // Sorted. In a store this reads every posting list: for people, not for
  // selection, which asks by atom.
  virtual base::Result<std::vector<AtomId>> atoms_of(RowId row) = 0;

  // Sorted by (name, digest) and (key, value).
  virtual base::Result<std::span<const ClassDigest>> classes() = 0;
  virtual base::Result<std::span<const EnvironmentEntry>> environment() = 0;

  // Opaque, content-addressed bytes under a name chosen by the writer
  // ("class/a.b.C", "shell/java.util.List"). Names may have several contents
  // after a merge; they come in the order of their digests.
  virtual base::Result<std::vector<std::string>> facts(
      std::string_view name) = 0;
  // The same with what they are told apart by.
  struct DigestedFact {
    base::Digest256 digest;
    std::string bytes;
  };
  virtual base::Result<std::vector<DigestedFact>> digested_facts(
      std::string_view name);
  // Sorted names that start with `prefix`.
  virtual base::Result<std::vector<std::string>> fact_names(
      std::string_view prefix) = 0;

 private:
  std::vector<RowId> scratch_;
};

}  // namespace rejig::coverage
