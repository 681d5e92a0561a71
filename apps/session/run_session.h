// SPDX-License-Identifier: Apache-2.0
// How do `rejig record` and `rejig run` live through a command? Recorder in
// every JVM, an answer for each test JVM that asks what it may skip, and one
// transaction at the end. Nothing that goes wrong here skips a test: the
// command runs as it would alone, and a line says why.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/cli/command.h"

namespace rejig::app {

struct SessionOptions {
  std::string store;
  std::string suite;
  std::string internal_root;
  std::string internal;
  std::string external;
  bool receivers = false;
  bool selects = false;
  bool dry_run = false;
  std::vector<std::string> command;
};

// Beside the store: what the last `rejig run` had to run, as test ids.
std::string selection_file(const std::string& store);

void declare_session(CommandLine& line, SessionOptions& options);
int run_session(SessionOptions options, Context& context);

}  // namespace rejig::app
