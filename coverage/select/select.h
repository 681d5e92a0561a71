// SPDX-License-Identifier: Apache-2.0
// Which tests must run? select() asks the matrix, edge by edge, who can meet
// it; adds the tests that must run whatever changed; and says what the silence
// about the others rests on. The work is proportional to the edges and the rows
// that they hit, not to rows x edges.
// It errs towards selecting: what a row did not record counts as having
// happened, a matrix that cannot be read means all tests, a row that is not a
// complete record of a passed test justifies nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/delta.h"
#include "coverage/select/answer.h"
#include "coverage/select/policy.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

// A test that the new program has, as static discovery found it.
struct DiscoveredTest {
  std::string suite;  // empty: not known
  std::string id;
  std::string framework;             // "junit4", "jupiter", "testng", …
  std::vector<std::string> depends;  // test ids that must run with it
};

// A test or all tests of a class that must run, whatever the rows say.
struct MustRun {
  std::string what;  // "a.b.FooTest#one()" or "a.b.FooTest"
  TestRule rule = TestRule::kEdited;
  std::string why;
};

// The two programs, compared. Filled by apps/ from the traversal.
struct SelectionInput {
  std::vector<classfile::Delta> edges;
  Detail detail = Detail::kMethods;
  // Differences that only an observer of debug tables, synthetic names or class
  // files sees. They become edges when they hit a row. Who reads class files as
  // resources without a recorded fact is assumed away (A9).
  std::vector<classfile::Delta> facets;
  std::vector<classfile::NewlyRead> newly_read;
  std::vector<Widened> widened;
  std::size_t classes = 0;
  std::size_t changed_classes = 0;
  classfile::MayLeave may_leave;  // empty: nothing but what methods do
  classfile::Implied implied;  // empty: every unrecorded atom is unknown
  std::vector<DiscoveredTest> tests;
  std::vector<std::string> deleted;  // ids of tests that NEW does not have
  std::vector<MustRun> must_run;
  std::vector<std::string> all_because;  // forces "all"
  std::vector<std::string> assumptions;  // of the comparison itself
  // Are these the bytes of that class in OLD, by a digest in the recorder's
  // spelling? Empty: OLD's bytes cannot be compared with the rows'.
  std::function<bool(std::string_view name, std::string_view digest)> is_old;
  // Of all classes of the matrix, those for which the answer is no, if somebody
  // has asked already.
  std::optional<std::vector<std::string>> not_old;
  std::string default_suite = "default";
  std::optional<unsigned> baseline_age_days;
  std::optional<unsigned> baseline_selections;
};

// `matrix` may be null: then input.all_because says why.
Answer select(SelectionInput input, Matrix* matrix, const Policy& policy);

}  // namespace rejig::coverage
