// SPDX-License-Identifier: Apache-2.0
// How did the tests of a run end? Reads JUnit XML reports of any runner
// (Surefire, Failsafe, Gradle, the console launcher, Ant, TestNG, pytest-like
// variations), and says which test ids of contract.md §1 a test case may be.
// Streaming: memory is that of one test case. Strings given to the visitor live
// during the call. A report that is truncated or is no report is an Error; an
// unknown element is skipped, an unclear name means more ids, never fewer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/import/ndjson.h"
#include "coverage/store/row.h"

namespace rejig::coverage {

struct JunitCase {
  std::string suite;       // name of the enclosing <testsuite>
  std::string class_name;  // classname; the suite's name where there is none
  std::string name;        // as the runner spells it: "par{int}[1]"
  Outcome result = Outcome::kPass;
  bool flaky = false;  // failed and then passed, or failed several times, by
                       // the runner's own reruns
  std::uint64_t ms = 0;
};

using VisitCase = std::function<void(const JunitCase&)>;

// `name` stands in messages: "TEST-a.xml:3:17". Returns the number of cases.
base::Result<std::size_t> read_junit_xml(const ReadBytes& read,
                                         const std::string& name,
                                         const VisitCase& visit);

// How sure is it that a test case is the ids that were found for it?
enum class JunitMatch : std::uint8_t {
  kExact,     // one method
  kMethod,    // one of several overloads
  kClass,     // some test of the class (or of a class nested in it)
  kNone,      // no known test
};
std::string_view name_of(JunitMatch match);

// Test cases to test ids. Keeps the ids it was made of.
class JunitIds {
 public:
  explicit JunitIds(std::vector<std::string> ids);

  struct Found {
    JunitMatch match = JunitMatch::kNone;
    std::vector<std::string_view> ids;  // sorted
  };
  Found find(const JunitCase& test) const;

 private:
  std::vector<std::string> ids_;  // sorted
};

}  // namespace rejig::coverage
