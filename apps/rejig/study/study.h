// SPDX-License-Identifier: Apache-2.0
// What would selection have saved and missed over the versions of programs?
// A study is a list of programs with versions. Releases: each version runs once
// with the recorder and once without, each pair of neighbours is judged by the
// rows of the newer one. Variants (mutants): the first version is recorded, each
// other one runs once, without the recorder, and is judged by its reports. A
// version or pair that was done is not done again: its files in the study's
// folder say so, and a run that somebody ended is begun anew beside its remains.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/cli/command.h"

namespace rejig::app {

struct StudyVersion {
  std::string name;
  std::string kind;                // of a variant: what was changed
  std::vector<std::string> jars;   // of the program, absolute
  std::vector<std::string> tests;  // of its tests, absolute
};

struct StudyProgram {
  std::string name;
  std::vector<std::string> lib;
  std::vector<std::string> arguments;  // behind the command's
  std::vector<StudyVersion> versions;  // from old to new
  bool variants = false;               // all others are variants of the first
  unsigned seconds = 0;  // of the processor, for a variant; 0: no limit
};

struct Study {
  // {classpath} {tests} {artifacts} {reports} are replaced in each word.
  std::vector<std::string> command;
  std::vector<StudyProgram> programs;
};

// Jars are named relative to `artifacts`. Unknown keys and missing files are
// Errors.
base::Result<Study> read_study(const std::string& path,
                               const std::string& artifacts);

struct ViewFigures {
  std::string view;
  std::uint64_t selected = 0;  // tests of the new version, new ones included
  std::uint64_t selected_classes = 0;
  std::uint64_t selected_ms = 0;  // what they took
  std::uint64_t hard = 0;         // failing or ending otherwise, not selected
  std::uint64_t affected = 0;     // executed changed code
  std::uint64_t missed = 0;       // of these, not selected
  std::uint64_t unobserved = 0;   // not selected, and without a result
};

struct PairFigures {
  std::string program;
  std::string old_version;
  std::string new_version;
  std::string kind;            // of a variant
  bool variant = false;
  bool ended = false;          // a variant whose run ended without results
  std::uint64_t tests = 0;
  std::uint64_t classes = 0;
  std::uint64_t changed = 0;      // end otherwise than before
  std::uint64_t tests_ms = 0;     // sum of the tests
  std::uint64_t all_ms = 0;       // the run of all, without the recorder
  std::uint64_t recorded_ms = 0;  // the run of all, with it
  std::uint64_t analysis_ms = 0;
  std::vector<ViewFigures> views;

  // (analysis + what is not tests + selected tests) / all; the analysis alone
  // when nothing is selected. Estimated from what each test took.
  double ratio(const ViewFigures& view) const;
};

// What judges one pair. A miss of any view is a line of `misses`.
struct PairInputs {
  std::string old_jars;  // path lists
  std::string new_jars;
  std::string lib;
  std::string store;                 // rows of the old version
  std::vector<std::string> results;  // of the new version
  std::vector<std::string> again;    // of another run of it; may be empty
};
base::Result<void> judge_pair(const PairInputs& inputs, Context& context,
                              PairFigures& figures, std::string& misses);

// Does what is not done yet below `folder`, of all programs or of those that are
// named in `only`.
base::Result<std::vector<PairFigures>> run_study(
    const Study& study, const std::string& artifacts, const std::string& folder,
    const std::vector<std::string>& only, Context& context);

std::string study_markdown(const std::vector<PairFigures>& pairs);
std::string study_csv(const std::vector<PairFigures>& pairs);
// Box plots of the share of selected tests, for each program and view.
std::string study_boxes(const std::vector<PairFigures>& pairs);
// Bars of the end-to-end ratio, for each program and view.
std::string study_bars(const std::vector<PairFigures>& pairs);

}  // namespace rejig::app
