// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/shared_rows.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

SharedRows::SharedRows(std::span<const std::optional<Row>> rows)
    : rows_(rows), of_row_(rows.size()) {
  const Row* before = nullptr;
  kept_before_.push_back(0);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    kept_before_.push_back(kept_before_.back() + (rows[i] ? 1U : 0U));
    const bool same =
        !rows[i] || (before != nullptr && before->suite == rows[i]->suite &&
                     before->test_class() == rows[i]->test_class());
    if (!same || i == 0) class_begin_.push_back(i);
    class_of_.push_back(static_cast<std::uint32_t>(class_begin_.size() - 1));
    if (rows[i]) before = &*rows[i];
  }
  of_class_.resize(class_begin_.size());
  class_begin_.push_back(static_cast<std::uint32_t>(rows.size()));
}

void SharedRows::add(LocalAtom atom, std::span<const RowRun> runs,
                     std::span<const bool> except) {
  const auto kept = [this](std::uint32_t begin, std::uint32_t end) {
    return kept_before_[end] - kept_before_[begin];
  };
  const auto each = [&](std::uint32_t begin, std::uint32_t end) {
    for (; begin != end; ++begin) {
      if (rows_[begin] && (except.empty() || !except[begin])) {
        of_row_[begin].push_back(atom);
      }
    }
  };
  if (!except.empty()) {
    for (const RowRun& run : runs) each(run.begin, run.end);
    return;
  }
  std::uint32_t rows = 0;
  for (const RowRun& run : runs) rows += kept(run.begin, run.end);
  if (rows == 0) return;
  if (rows == kept_before_.back()) return of_all_.push_back(atom);
  for (const RowRun& run : runs) {
    for (std::uint32_t at = run.begin; at < run.end;) {
      const std::uint32_t c = class_of_[at];
      const std::uint32_t end = std::min(run.end, class_begin_[c + 1]);
      if (at == class_begin_[c] && end == class_begin_[c + 1]) {
        of_class_[c].push_back(atom);
      } else {
        each(at, end);
      }
      at = end;
    }
  }
}

void SharedRows::finish(MatrixBuilder& builder) {
  if (kept_before_.back() == 0) return;
  const auto all = builder.add_set(std::move(of_all_));
  for (std::size_t c = 0; c + 1 < class_begin_.size(); ++c) {
    const std::uint32_t begin = class_begin_[c];
    const std::uint32_t end = class_begin_[c + 1];
    if (kept_before_[begin] == kept_before_[end]) continue;
    const auto set = of_class_[c].empty()
                         ? all
                         : builder.add_set(std::move(of_class_[c]), all);
    for (std::uint32_t i = begin; i < end; ++i) {
      if (!rows_[i]) continue;
      builder.add_row(*rows_[i], std::span(&set, 1), std::move(of_row_[i]));
    }
  }
}

}  // namespace rejig::coverage
