// SPDX-License-Identifier: Apache-2.0
// How old is what a selection rests on? The matrix says when each suite was
// last recorded as a whole (environment "recorded/SUITE", seconds since 1970)
// and how many runs have selected from that (environment "selections/SUITE").
// Selections that change no matrix are counted beside it, in STORE.selections:
// a line that names the matrix, and a dot for each.
// Errs towards old: nullopt means that the age is not known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "classfile/base/result.h"
#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

inline constexpr std::string_view kRecordedPrefix = "recorded/";
inline constexpr std::string_view kSelectionsPrefix = "selections/";

// Of now, or of $SOURCE_DATE_EPOCH for builds that must repeat.
std::uint64_t recording_time();

// A suite was recorded as a whole at that time, and nothing was selected since.
void set_recorded(MatrixBuilder& builder, std::string_view suite,
                  std::uint64_t time);

struct BaselineAge {
  std::optional<unsigned> days;
  std::optional<unsigned> selections;
};

// Of the oldest suite, or of the named one. `counts`: this selection is one
// more.
base::Result<BaselineAge> baseline_age(Matrix& matrix, const std::string& store,
                                       const std::string& suite, bool counts);

}  // namespace rejig::coverage
