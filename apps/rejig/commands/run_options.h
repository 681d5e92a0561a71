// SPDX-License-Identifier: Apache-2.0
// What can a run be told, whoever starts the test JVMs? And what is said about it
// when it is over.
#pragma once

#include <string>

#include "apps/rejig/cli/command.h"
#include "apps/session/run_session.h"

namespace rejig::app {

struct RunOptions {
  SessionOptions session;
  bool all = false;
  bool strict = false;
  bool best_effort = false;
  std::string report;
  std::string junit;
};

void declare_run_options(CommandLine& line, RunOptions& options);

// As the session takes them.
base::Result<SessionOptions> session_of(const RunOptions& options);

// Reports, the last run beside the store; the exit code.
int run_is_over(const RunOptions& options, RunEnd end, Context& context);

}  // namespace rejig::app
