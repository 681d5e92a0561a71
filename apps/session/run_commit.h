// SPDX-License-Identifier: Apache-2.0
// How does the baseline move forward? Rows that were recorded replace the old
// ones; rows of tests that were skipped as unaffected are kept and now speak
// about the new program; a test that was selected and left no row stays
// pending: its old row is marked foreign, which selects it. One write of the
// store decides, and only if nobody else moved the baseline meanwhile.
#pragma once

#include <map>
#include <set>
#include <string>

#include "apps/session/run_answers.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::app {

struct CommitOptions {
  std::string store;
  std::string baseline;
  std::set<std::string> suites;  // that left rows
  bool dry_run = false;
  std::vector<std::string> internal_globs;
  std::vector<std::string> external_globs;
  base::ThreadPool* pool = nullptr;  // who works; null: the caller alone
};

struct CommitReport {
  std::size_t kept = 0;
  std::size_t pending = 0;
  std::set<std::string> gone;  // tests that NEW does not have any more
  bool lost_race = false;
};

base::Result<CommitReport> commit_rows(
    const CommitOptions& options,
    const std::map<std::string, SuiteAnswer>& answers,
    coverage::MatrixBuilder fresh);

}  // namespace rejig::app
