// SPDX-License-Identifier: Apache-2.0
// How did every test of the new version end? Full results as an audit needs
// them: JUnit XML of any runner, or rows of a new matrix (NDJSON), from any
// number of files. A test that was seen several times keeps its worst result.
// A test case whose name is no known test's stays beside the others, with the
// ids that it may be.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/import/junit_xml.h"
#include "coverage/select/answer.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

struct TestResult {
  coverage::Outcome outcome = coverage::Outcome::kPass;
  coverage::JunitMatch match = coverage::JunitMatch::kExact;
  bool flaky = false;  // by the runner's own word
};

// A test case that is not known to be one test.
struct UnclearCase {
  TestResult result;
  std::vector<std::string> ids;  // what it may be; empty: nobody knows
};

struct Results {
  std::size_t files = 0;
  std::size_t cases = 0;
  std::map<coverage::TestKey, TestResult> rows;       // of NDJSON
  std::map<std::string, TestResult, std::less<>> ids;  // of JUnit XML
  std::map<std::string, UnclearCase> unclear;  // by "class#name as reported"
  std::unique_ptr<coverage::Matrix> matrix;    // of NDJSON, if there was any

  // nullptr: no result.
  const TestResult* find(const coverage::TestKey& key) const;
};

// Files, folders (their TEST-*.xml, at any depth) and patterns (* ? **), in
// that order, sorted. A name that stands for nothing is an Error.
base::Result<std::vector<std::string>> result_files(
    const std::vector<std::string>& names);

// `known`: the ids that test cases are looked for among.
base::Result<Results> read_results(const std::vector<std::string>& names,
                                   const coverage::JunitIds& known,
                                   const std::string& suite);

}  // namespace rejig::app
