// SPDX-License-Identifier: Apache-2.0
// Which rows may satisfy an atom, or all atoms of a conjunction? `yes` holds
// the rows that do and the rows of which nobody knows; `unknown`, a part of it,
// the latter. A row that did not record an atom's kind is asked in this order:
// recv:R|t as m:t and inst:R, e:m#k as m:m; the methods that imply the atom
// (for init:C only if the row recorded reflection, which initializes too); the
// assumptions of the user; else it satisfies the atom. Names of edges are good
// for the recorded bytes alone: where no digest says which these were, no row
// has recorded e:.
// An Error means that the matrix could not be read: select all tests.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/hash_map.h"
#include "classfile/base/result.h"
#include "classfile/words/delta.h"
#include "classfile/words/entity.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

struct Verdict {
  RowSet yes;
  RowSet unknown;
};

// Classes that the rows were recorded with other bytes, or with several.
base::Result<std::vector<std::string>> classes_that_are_not(
    Matrix& matrix,
    const std::function<bool(std::string_view name, std::string_view digest)>&
        is_old);

class RowOracle {
 public:
  static base::Result<RowOracle> make(Matrix& matrix,
                                      classfile::Implied implied,
                                      Facts assumed_absent);

  base::Result<Verdict> rows_for(const classfile::Atom& atom);
  base::Result<Verdict> rows_for(const classfile::Conjunction& item);
  // The kinds whose absence was taken from an assumption so far.
  Facts assumed() const { return assumed_; }

 private:
  RowOracle() = default;
  base::Result<Verdict> ask(const classfile::Atom& atom);
  base::Result<void> ask_unrecorded(const classfile::Atom& atom,
                                    const RowSet& rest, Verdict& out);
  base::Result<void> add_untouched(const classfile::Atom& atom, Verdict& out);
  base::Result<void> sort_tests();
  RowSet of_test_class(std::string_view name) const;
  RowSet of_test(std::string_view id) const;

  Matrix* matrix_ = nullptr;
  classfile::Implied implied_;
  Facts assumed_absent_;
  Facts assumed_;
  std::vector<RowSet> recording_;  // by AtomKind
  // Row numbers sorted by test id, once somebody asks by id.
  std::vector<std::pair<std::string_view, RowId>> by_test_;
  base::HashMap<std::string, Verdict> cache_;
  std::size_t cached_bytes_ = 0;
};

// Whoever has anything to do with that class, as far as rows say.
base::Result<void> add_touching(Matrix& matrix, std::string_view name,
                                RowSet& touched);

}  // namespace rejig::coverage
