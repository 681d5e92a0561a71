// SPDX-License-Identifier: Apache-2.0
// Everything about a matrix in memory, atom by atom. What many rows have
// together is a set that they share: an atom knows the sets it is in and the
// rows that have it beside these, a set the runs of rows that have it. So a
// hundred thousand rows of thousands of atoms each cost what they do not have
// in common. Private to coverage/; MatrixBuilder makes it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/arena.h"
#include "classfile/base/hash.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

struct AtomText {
  classfile::AtomKind kind = classfile::AtomKind::kMethod;
  std::string_view text;

  friend bool operator==(const AtomText&, const AtomText&) = default;
  friend auto operator<=>(const AtomText&, const AtomText&) = default;
};

using FactMap =
    std::map<std::string, std::map<base::Digest256, std::string>, std::less<>>;

// Lists of numbers, one after the other.
struct Lists {
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> items;

  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(items).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

class MemoryMatrix : public Matrix {
 public:
  std::size_t row_count() const override { return rows_.size(); }
  std::size_t atom_count() const override { return atoms_.size(); }
  std::uint64_t pair_count() const override;
  bool has_digests() const override { return !classes_.empty(); }
  base::Result<std::span<const Row>> rows() override {
    return std::span<const Row>(rows_);
  }
  base::Result<AtomId> find_atom(const classfile::Atom& atom) override;
  base::Result<classfile::Atom> atom(AtomId id) override;
  base::Result<void> each_atom(
      classfile::AtomKind kind, std::string_view prefix,
      const std::function<void(AtomId, std::string_view)>& visit) override;
  base::Result<void> append_rows_with(AtomId id,
                                      std::vector<RowId>& rows) override;
  base::Result<void> append_runs_with(AtomId id,
                                      std::vector<RowRun>& runs) override;
  base::Result<std::vector<AtomId>> atoms_of(RowId row) override;
  base::Result<std::span<const ClassDigest>> classes() override {
    return std::span<const ClassDigest>(classes_);
  }
  base::Result<std::span<const EnvironmentEntry>> environment() override {
    return std::span<const EnvironmentEntry>(environment_);
  }
  base::Result<std::vector<std::string>> facts(std::string_view name) override;
  base::Result<std::vector<DigestedFact>> digested_facts(
      std::string_view name) override;
  base::Result<std::vector<std::string>> fact_names(
      std::string_view prefix) override;

 private:
  friend class MatrixBuilder;

  void transpose();
  void find_runs(std::size_t atom, std::vector<RowRun>& out) const;

  base::Arena text_;
  std::vector<Row> rows_;
  std::vector<AtomText> atoms_;
  Lists postings_;    // rows of each atom, beside its sets
  Lists atom_sets_;   // of each atom
  Lists set_atoms_;   // of each set, in order
  std::vector<std::uint32_t> set_parent_;  // whose atoms it has as well; + 1
  Lists row_sets_;
  std::vector<std::size_t> set_begin_;  // of each set's runs
  std::vector<RowRun> set_runs_;
  Lists row_atoms_;  // made when first asked for
  mutable std::optional<std::uint64_t> pairs_;
  std::vector<ClassDigest> classes_;
  std::vector<EnvironmentEntry> environment_;
  FactMap facts_;
};

// Sorted, and neither touching nor overlapping afterwards.
void unite_runs(std::vector<RowRun>& runs);

}  // namespace rejig::coverage
