// SPDX-License-Identifier: Apache-2.0
// Did a selection leave out what it must not? Given what every test of the new
// version did, an audit of one selector lists
//   hard misses  not selected, but it fails now or ends otherwise than its row
//                (which does not tell an error from a failure)
//   LR           of the tests that executed changed code, those not selected
//   unobserved   not selected, and without a result: nobody can tell
// Doubt counts as a miss: a failing test case that may be a test that was not
// selected is one. Tests that differ between two runs of the new version, and
// those that the runner itself calls flaky, are named and not counted.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "apps/rejig/audit/audit_results.h"
#include "apps/session/selection.h"

namespace rejig::app {

// Tests that executed changed code, with some of that code.
struct Affected {
  std::string basis;  // "new rows" or "old rows"
  std::map<coverage::TestKey, std::string> tests;  // -> "m:a.b.C.x()V"
};
base::Result<Affected> affected_tests(const Selected& selected,
                                      coverage::Matrix* new_rows);

struct Miss {
  coverage::TestKey key;
  std::string old_outcome;  // empty: no row
  std::string new_outcome;
  coverage::JunitMatch match = coverage::JunitMatch::kExact;
};

struct AuditOf {
  std::string selector;  // "method", "class", or a file
  bool foreign = false;  // a list that somebody else made
  bool everything = false;
  std::size_t selected = 0;
  std::vector<Miss> hard;
  std::vector<std::pair<coverage::TestKey, std::string>> missed;  // of LR
  std::size_t affected_classes = 0;
  std::size_t missed_classes = 0;
  std::vector<coverage::TestKey> unobserved;

  bool clean() const {
    return hard.empty() && missed.empty() && unobserved.empty();
  }
};

struct Audit {
  std::size_t known = 0;  // rows
  std::size_t files = 0;
  std::size_t cases = 0;
  std::size_t failing = 0;  // tests and unclear cases that fail now
  std::size_t changed = 0;  // known tests that end otherwise
  std::size_t unclear = 0;  // test cases that are not known to be one test
  std::size_t flaky_cases = 0;
  std::vector<std::string> flaky;  // ids, or cases as reported
  std::string basis;
  std::size_t affected = 0;
  std::vector<AuditOf> selectors;

  bool clean() const;
};

// Which tests a selector selects, by suite and id.
struct Selector {
  std::string name;
  bool foreign = false;
  bool everything = false;
  std::set<coverage::TestKey> keys;       // of a view
  std::set<std::string, std::less<>> ids;  // of a list: ids, classes, methods

  bool selects(const coverage::TestKey& key) const;
};
Selector selector_of(const std::string& view, const coverage::Answer& answer);
// One test id, class#method or class a line, as `select --format ids` prints;
// "# all" in the first line: everything.
base::Result<Selector> read_selector(const std::string& path);

// `again` may be null.
base::Result<Audit> judge(const Selected& selected, const Results& results,
                          const Results* again,
                          const std::vector<Selector>& selectors);

}  // namespace rejig::app
