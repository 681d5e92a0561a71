// SPDX-License-Identifier: Apache-2.0
// How does the old program get into the matrix, and when may it stand for OLD?
// Errs towards "all": other libraries or another platform than the stored
// program ran with, two stored programs of one suite, or one that cannot be
// read are reasons to select everything.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apps/session/inputs.h"
#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/old_program.h"

namespace rejig::app {

struct ProgramPaths {
  std::string internal;  // path lists
  std::string libraries;
  std::string jdk;  // home; empty: not known
  std::vector<std::string> internal_globs;
  std::vector<std::string> external_globs;
  bool as_listed = false;  // no manifest adds to the lists
  // Digests of the libraries when the tests began; others are an Error.
  std::optional<std::set<std::string>> ran_with = std::nullopt;
};

// Puts that program into the place of the suite's old one.
base::Result<void> store_program(const ProgramPaths& paths,
                                 const std::string& suite,
                                 coverage::MatrixBuilder& builder,
                                 base::Diagnostics& diagnostics);

struct StoredOld {
  std::optional<coverage::StoredRecord> record;
  std::string suite;  // that it is of
  std::vector<std::string> all_because;
  std::vector<std::string> assumptions;
};

// The stored program of `suite` (empty: the only one there is) for a comparison
// with the NEW of `inputs`, whose $JAVA_HOME gives way to the stored platform.
// kUsage: there is none, or it is not clear which one is meant.
base::Result<StoredOld> find_old(coverage::Matrix& matrix,
                                 const std::string& suite,
                                 InputOptions& inputs);

}  // namespace rejig::app
