// SPDX-License-Identifier: Apache-2.0
// How do a comparison, a store and the policies become an Answer? The common
// part of `select` and `explain`. A store that cannot be used means all tests,
// with the reason; only a wrong command line or programs that cannot be read
// are errors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/rejig/inputs.h"
#include "coverage/answer.h"
#include "coverage/matrix.h"
#include "coverage/policy.h"
#include "coverage/select.h"

namespace rejig::app {

struct SelectOptions {
  InputOptions inputs;
  std::string coverage;
  std::string suite;
  std::vector<std::string> assume;
  bool allow_lower_bound = false;
  std::vector<std::string> source_roots;
  std::string path_style = "given";
};

struct Selected {
  std::unique_ptr<Compared> compared;  // null: the programs were not compared
  std::unique_ptr<coverage::Matrix> matrix;  // null: not usable
  coverage::Policy policy;
  classfile::Implied implied;
  std::vector<coverage::DiscoveredTest> tests;
  coverage::Answer answer;
  std::string surefire_version;  // of the settings
};

void declare_selection(CommandLine& line, SelectOptions& options);
base::Result<std::unique_ptr<Selected>> run_selection(SelectOptions options,
                                                      Context& context);

// The comparison alone, as `diff` reports it.
coverage::Answer answer_of(const traversal::Comparison& comparison);

}  // namespace rejig::app
