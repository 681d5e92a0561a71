// SPDX-License-Identifier: Apache-2.0
// How do `rejig record` and `rejig run` live through a command? Recorder in
// every JVM, an answer for each test JVM that asks what it may skip, and one
// transaction at the end. Nothing that goes wrong here skips a test: the
// command runs as it would alone, and a line says why.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/session/run_process.h"
#include "apps/session/run_story.h"
#include "apps/session/work.h"

namespace rejig::app {

class BuildSteps;

struct SessionOptions {
  std::string store;
  std::string suite;
  std::string internal_root;
  std::string internal;
  std::string external;
  bool receivers = false;
  bool selects = false;
  bool dry_run = false;
  bool reports = false;  // somebody will want a page
  std::vector<std::string> source_roots;
  bool publish = false;  // to the remote of the settings
  bool offline = false;  // no remote is asked
  std::string remote_timeout;  // "5s"; empty: that
  std::string commit;          // stands for what git says
  std::string shard;           // "2/8"; empty: the tests are not divided
  std::string plan;            // a file; empty: made from the selection
  bool shadow = false;         // everything runs, the selection is judged
  std::vector<std::string> command;
};

// Beside the store: what the last `rejig run` had to run, as test ids.
std::string selection_file(const std::string& store);

// Beside the store: what the last shard ran here (coverage/plan/shard_report.h).
std::string shard_file(const std::string& store);

struct RunEnd {
  int exit_code = 0;     // of the command; 0 when it could not be started
  bool trouble = false;  // said; something was not recorded, or not run
  bool ran = false;      // the command did, whole; of `trouble`: only that
                         // nothing was recorded
  RunStory story;
};
RunEnd run_session(SessionOptions options, Work& work);

// What whoever starts test JVMs must know: the variables that they get; `serve`
// answers them, when a file appears in `folder` and now and then; `steps` say
// beforehand what would run.
struct Beside {
  Variables variables;
  std::string folder;
  std::function<void()> serve;
  BuildSteps& steps;
};
// Returns when the build is over, with its exit code.
using BesideBuild = std::function<base::Result<int>(const Beside&)>;
// The same beside a build that somebody else runs. It never begins when nothing
// can be recorded: trouble, and `ran` is false.
RunEnd run_session_beside(SessionOptions options, const BesideBuild& live,
                          Work& work);

}  // namespace rejig::app
