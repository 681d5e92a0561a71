// SPDX-License-Identifier: Apache-2.0
// Is a file that a test read by its path still what it was? Such a file is on no
// class path, so no comparison of programs sees it. The row says what it was at
// the end of the recorded run, in an atom "res:file:STATE:NAME"; NAME is
// relative to the project when the file lies below it. A file that is not the
// same any more selects every test whose row has its atom.
// Errs towards "changed": what cannot be read equals nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/matrix.h"

namespace rejig::coverage {

// A digest of a file's bytes or of a folder's names, "absent", "special"
// (devices, pipes), or nullopt: it cannot be read.
std::optional<std::string> file_state(const std::string& path);

// "file:STATE:NAME"
std::string file_atom(const std::string& path, const std::string& project);

// The rows (by index) that rest on a file that is another one now, with its
// name. `project` is the folder that relative names start in.
base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project);

}  // namespace rejig::coverage
