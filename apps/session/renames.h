// SPDX-License-Identifier: Apache-2.0
// Which classes does the user say have another name now? A line of the file is
// the old name, a blank and the new name; '#' begins a comment. A line that two
// programs contradict is left out, which widens: the old class counts as deleted,
// the new one as added.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/program/program.h"

namespace rejig::app {

struct Renames {
  std::vector<std::pair<std::string, std::string>> pairs;  // internal names
  std::vector<std::string> left_out;  // sentences, in the order of the lines
};

// An Error when a line is no pair of names, or a name stands in two lines.
base::Result<Renames> read_renames(const std::string& path,
                                   const classfile::Program& old_internal,
                                   const classfile::Program& new_internal);

}  // namespace rejig::app
