// SPDX-License-Identifier: Apache-2.0
// Which tests would a step of a build run, before it starts a JVM? A build tool
// names the step ("core: surefire, default-test") and says a key: a digest of
// all that decides how its JVMs are started and of the test classes that they
// find, because whoever finds tests may know kinds that nobody else does. When
// the last step of that name with that key went well and every JVM of it asked,
// the same questions are put again, with the program and the variables of now.
// Without such a memory, and whenever an answer is doubtful, the step runs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "apps/session/run_answers.h"
#include "apps/session/run_process.h"
#include "apps/session/work.h"

namespace rejig::app {

struct Step {
  std::string name;
  std::string key;                 // empty: nothing is foreseen, nor kept
  Variables set;                   // of its JVMs, beside those of rejig
  std::vector<std::string> unset;  // of those of rejig
};

struct StepAnswer {
  bool runs = true;
  std::string rows;          // REJIG_OUT of its JVMs
  std::size_t left_out = 0;  // tests, when nothing runs
};

class BuildSteps {
 public:
  // `folder` is that of the run.
  BuildSteps(const std::string& store, std::string folder, Answers& answers,
             Work& work);

  base::Result<StepAnswer> begin(const Step& step);
  // Only of a step that went well is anything kept.
  void went_well(const std::string& rows);
  // At the end: who left rows in which folder; 0: somebody unknown.
  void remember(
      const std::map<std::string, std::set<std::uint32_t>>& who) const;

 private:
  struct Begun {
    Step step;
    bool good = false;
  };
  std::string file_of(const Step& step) const;
  base::Result<StepAnswer> foresee(const Step& step, StepAnswer out);

  std::string memory_;  // a folder
  std::string folder_;
  Answers& answers_;
  Work& work_;
  std::map<std::string, Begun> begun_;  // by its folder of rows
};

}  // namespace rejig::app
