// SPDX-License-Identifier: Apache-2.0
// What does the work of scopes, initializers and child JVMs make of the row of
// a test? Joins the row files of one run as apps/agent/ROWS.md says: containers
// and the session to their members, initializers to whoever may trigger them,
// child JVMs to the test that started them.
// It errs towards more atoms and worse grades: a loss or a file that could not
// be read makes rows partial, which justifies no skip.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "coverage/row/row_file.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::base {
class ThreadPool;
}

namespace rejig::coverage {

struct JoinOptions {
  // Names the suite of a JVM; empty: as the JVM says.
  std::function<std::string(const RowFile&)> suite_of;
  // Test ids of a JVM that it was told not to run: a runner looks at their
  // classes all the same.
  std::function<const std::set<std::string>*(const RowFile&)> skipped_in;
  // The project's folder: files that tests read below it are named relative to
  // it. Empty: nothing is known about where the run took place.
  std::string project;
  // What each JVM was told by properties that choose tests (build_choice.h);
  // null: nobody knows.
  std::function<const std::vector<std::string>*(const RowFile&)> choices_of;
  // Folders that only rejig writes to: no inputs of any test.
  std::vector<std::string> own_folders;
  // Something ran that left no readable file: every row is partial.
  bool all_partial = false;
  // Who works; null: the caller alone.
  base::ThreadPool* pool = nullptr;
  // How many of the tests are done; by one thread at a time.
  std::function<void(std::size_t done, std::size_t all)> progress;
};

struct JoinReport {
  std::size_t rows = 0;
  std::size_t disabled = 0;  // of the rows
  std::size_t partial = 0;   // of the others
  std::size_t failed = 0;
  std::set<std::string> suites;
  std::vector<std::string> losses;
};

// It was skipped before its method was entered.
bool was_disabled(const RowFile& file, const Scope& test);

// Adds rows, internal classes with their digests and the environment. A class
// that was loaded before the recorder woke has an empty digest, which is that
// of no program.
JoinReport join_row_files(const std::vector<RowFile>& files,
                          const JoinOptions& options, MatrixBuilder& builder);

}  // namespace rejig::coverage
