// SPDX-License-Identifier: Apache-2.0
// What can `rejig coverage` be asked to do with a matrix? One function for each
// action that is more than a few lines. Each returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/cli/command.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

struct CoverageOptions {
  std::string action;
  std::vector<std::string> arguments;
  std::string store;
  std::string suite = "default";
  std::string from = "ndjson";
  std::string classes;  // path list of the old classes, for jacoco and the like
  std::string result = "unknown";  // of tests whose source does not say it
  std::string test;       // id of the test that a whole file belongs to
  std::string program;    // import: path list of the old program, to keep it
  std::string libraries;  // of that program
  std::string jdk;        // of that program
  std::vector<std::string> internal;  // patterns of its class names
  std::vector<std::string> external;
};

// Who touched this, or what did this touch?
int show_coverage(const CoverageOptions& options, coverage::Matrix& matrix,
                  Context& context);
int print_coverage_stats(const CoverageOptions& options,
                         coverage::Matrix& matrix, Context& context);
int import_coverage(const CoverageOptions& options, Context& context);

}  // namespace rejig::app
