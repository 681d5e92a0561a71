// SPDX-License-Identifier: Apache-2.0
// A row file that no recorder wrote: few classes, methods, facts and scopes
// that refer to each other at random, of every kind and with every flag.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "coverage/row/row_file.h"

namespace rejig::coverage {

struct RandomShape {
  std::uint32_t classes = 12;
  std::uint32_t methods = 30;
  std::uint32_t facts = 30;
  std::uint32_t containers = 6;
  std::uint32_t tests = 8;
  bool joins = true;     // scopes to others
  bool lasting = false;  // most facts are what counts for later tests
  std::string folder;    // with files a, b, c.class and d/
};

RowFile random_file(const RandomShape& shape, std::mt19937_64& random);

}  // namespace rejig::coverage
