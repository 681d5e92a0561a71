// SPDX-License-Identifier: Apache-2.0
// Which class files lie at the border of the format? Recipes, named by what is
// odd about them: illegal ones by their violation. The JVM of the machine is
// asked about each, so the verdicts here are not opinions.
#pragma once

#include <string>
#include <vector>

namespace rejig::test {

struct Sample {
  std::string name;
  std::string bytes;
  // What the reader's message must contain; empty: the class is legal.
  std::string message;
  // False: this JVM's verdict depends on its own version.
  bool ask_jvm = true;
};

std::vector<Sample> illegal_samples();
std::vector<Sample> legal_samples();

// Parts of illegal_samples().
std::vector<Sample> illegal_structure();
std::vector<Sample> illegal_attributes();
std::vector<Sample> illegal_code();

}  // namespace rejig::test
