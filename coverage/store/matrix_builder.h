// SPDX-License-Identifier: Apache-2.0
// How do rows from recorders, imports and shards become one matrix? By set
// union, in any order: atoms of a row that comes twice are united, it keeps the
// worst grade, the worst result and the longest time, and of its facts only the
// kinds that both recordings had. Class digests, environment and facts are
// united as pairs. finish() sorts everything, so that the result depends on
// what was added and not on the order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/base/result.h"
#include "classfile/words/entity.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

class MatrixBuilder {
 public:
  // Number of an atom inside this builder, in order of appearance.
  using LocalAtom = std::uint32_t;

  MatrixBuilder();
  MatrixBuilder(MatrixBuilder&&) noexcept;
  MatrixBuilder& operator=(MatrixBuilder&&) noexcept;
  ~MatrixBuilder();

  LocalAtom intern(classfile::AtomKind kind, std::string_view text);
  LocalAtom intern(const classfile::Atom& atom) {
    return intern(atom.kind, atom.text);
  }

  // Atoms that many rows have: a set holds them once, and those of its parent.
  using SetId = std::uint32_t;
  static constexpr SetId kNoSet = 0xFFFFFFFF;
  SetId add_set(std::vector<LocalAtom> atoms, SetId parent = kNoSet);

  // The views of `row` are copied; atoms may come unsorted and twice.
  void add_row(const Row& row, std::vector<LocalAtom> atoms) {
    add_row(row, {}, std::move(atoms));
  }
  void add_row(const Row& row, std::span<const SetId> sets,
               std::vector<LocalAtom> atoms);
  void add_row(const Row& row, std::span<const classfile::Atom> atoms);
  void add_class(std::string_view name, std::string_view digest);
  void add_environment(std::string_view key, std::string_view value);
  void drop_environment(std::string_view key);
  void add_facts(std::string_view name, std::string_view bytes) {
    add_facts(name, bytes, base::digest256(bytes));
  }
  void add_facts(std::string_view name, std::string_view bytes,
                 const base::Digest256& digest);
  // Whatever was added under that name is forgotten.
  void drop_facts(std::string_view name);
  // Of what was added so far, as Matrix has them.
  std::vector<std::string> facts(std::string_view name) const;
  std::vector<std::string> fact_names(std::string_view prefix) const;
  // Everything of another matrix.
  base::Result<void> add(Matrix& other);
  // Rows of another matrix as they are now, by their number there; those that
  // are none are left out. Rows in `without_edges` lose their edges. What whole
  // classes or all rows have is shared.
  base::Result<void> add_rows(Matrix& other,
                              std::span<const std::optional<Row>> rows,
                              std::span<const bool> without_edges);

  // Of what was added so far; null: it is not there.
  const Row* find_row(std::string_view suite, std::string_view test) const;
  void each_row(const std::function<void(const Row&)>& visit) const;
  std::vector<std::pair<std::string, std::string>> classes() const;

  // Leaves the builder empty.
  std::unique_ptr<Matrix> finish();

 private:
  struct State;
  static void place_sets(State& from, class MemoryMatrix& out);
  std::unique_ptr<State> state_;
};

}  // namespace rejig::coverage
