// SPDX-License-Identifier: Apache-2.0
// What does a manual page say beside the options? Lines to copy, the files and the
// variables of a command. By the name of the command; an unknown one has none.
#pragma once

#include <string_view>
#include <vector>

namespace rejig::app {

struct ManualWord {
  std::string_view name;  // a line to copy, a file, a variable
  std::string_view says;
};

std::vector<ManualWord> examples_of(std::string_view command);
std::vector<ManualWord> files_of(std::string_view command);
std::vector<ManualWord> variables_of(std::string_view command);

}  // namespace rejig::app
