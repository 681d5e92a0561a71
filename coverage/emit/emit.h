// SPDX-License-Identifier: Apache-2.0
// How is an answer handed to the program that runs the tests? As a file in its
// own language. A skip list wherever the runner has one: a test that nobody
// knows must run. What a runner's language cannot say exactly is said wider, or
// not skipped, and noted.
// The traps that each writer avoids are listed in coverage/SELECTING.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/select/answer.h"
#include "coverage/select/select.h"

namespace rejig::coverage {

struct EmitOptions {
  std::string suite;  // only tests of this suite; empty: all of them
  // Surefire speaks method names in its files since 3.0.0-M6. Empty: not known,
  // so classes only.
  std::string surefire_version;
};

struct Emitted {
  std::string content;
  std::vector<std::string> notes;  // for stderr
  // Of a list of what to run: how many selected tests or classes it names, and
  // how many it cannot name.
  std::size_t named = 0;
  std::size_t unnamed = 0;
};

// "surefire-excludes", "console-args", …: sorted.
std::vector<std::string_view> emit_kinds();

// `tests` are the tests of the new program: only they have names that a runner
// may be given. An unknown kind is an Error with a suggestion, and so is a list
// that would be empty although something is selected, or that cannot say "all".
base::Result<Emitted> emit(std::string_view kind, const Answer& answer,
                           const std::vector<DiscoveredTest>& tests,
                           const EmitOptions& options);

}  // namespace rejig::coverage
