// SPDX-License-Identifier: Apache-2.0
// What happened in a run? What each suite was told, what each test did: for
// reports and for `rejig explain` afterwards. Plain data; nothing is decided by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "coverage/row/row_file.h"
#include "coverage/row/row_file_join.h"

namespace rejig::app {

class Answers;

struct SuiteStory {
  std::string suite;
  std::vector<std::string> everything_because;  // empty: some were left out
  // What `rejig select` said about it (report/answer_data.h); empty: nothing.
  std::string answer;
  std::string page;  // what a report shows beside it (report/report_data.h)
  std::set<std::string> skipped;  // tests that were not run, as told
};

struct TestStory {
  std::string suite;
  std::string test;
  std::string result;       // "pass", "fail", "skip", …
  std::uint64_t begun = 0;  // ms since the first JVM began
  std::uint64_t ms = 0;
  std::uint32_t pid = 0;
};

struct RunStory {
  std::string store;
  std::string summary;  // as it was told; empty: nothing was recorded
  std::vector<SuiteStory> suites;
  std::vector<TestStory> tests;  // that ran, by suite and id
  bool selects = false;
  bool dry_run = false;
};

struct RunCounts {
  bool selects = false;
  bool dry_run = false;
  std::size_t skipped = 0;    // as told
  std::size_t elsewhere = 0;  // for other shards
  std::size_t pending = 0;
};
// The last line of a run.
std::string summary_of(const coverage::JoinReport& report,
                       const RunCounts& counts);

// What each test did, by the row files of the run; what each suite was told.
void tell_tests(const Answers& answers,
                const std::vector<coverage::RowFile>& files, RunStory& story);
void tell_suites(const Answers& answers, RunStory& story);

}  // namespace rejig::app
