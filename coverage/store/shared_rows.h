// SPDX-License-Identifier: Apache-2.0
// What do rows of a matrix have in common that are taken over atom by atom? An
// atom that all rows have, or all of a test class, goes to a set of these; any
// other to each row. Private to coverage/; the rows must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

class SharedRows {
 public:
  using LocalAtom = MatrixBuilder::LocalAtom;

  // In the order of their matrix; those that are none are not taken over.
  explicit SharedRows(std::span<const std::optional<Row>> rows);

  // Rows that have it, but for those in `except` (all or none are given).
  void add(LocalAtom atom, std::span<const RowRun> runs,
           std::span<const bool> except);
  void finish(MatrixBuilder& builder);

 private:
  std::span<const std::optional<Row>> rows_;
  std::vector<std::uint32_t> kept_before_;  // each row, and the end
  std::vector<std::uint32_t> class_of_;     // each row
  std::vector<std::uint32_t> class_begin_;  // and the end
  std::vector<LocalAtom> of_all_;
  std::vector<std::vector<LocalAtom>> of_class_;
  std::vector<std::vector<LocalAtom>> of_row_;
};

}  // namespace rejig::coverage
