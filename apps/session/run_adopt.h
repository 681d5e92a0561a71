// SPDX-License-Identifier: Apache-2.0
// How do rows of somebody else's run become rows of this store? Those by which a
// test was skipped are taken over: the comparison has shown that in the new
// program it does what they say. As with rows that the store had already: edges
// of a class that is another one now are dropped, and where a compiler's number
// may stand for something else the row only selects its test.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "classfile/program/program.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::app {

struct Adoption {
  std::string suite;
  std::string store;  // the segment of the run
  std::set<std::string> tests;
  const classfile::Program* now = nullptr;  // the suite's new program
  // Of a class as it is now; nothing: nobody knows.
  std::function<std::optional<std::string>(const std::string&)> digest;
};

struct Adopted {
  std::size_t kept = 0;
  std::size_t pending = 0;
  // Of classes that rows of this run have, as they are now.
  std::vector<std::pair<std::string, std::string>> classes;
  std::optional<std::string> since;  // when its oldest row was recorded
  std::uint64_t selections = 0;
};

base::Result<Adopted> adopt_rows(const Adoption& adoption,
                                 coverage::MatrixBuilder& into);

}  // namespace rejig::app
