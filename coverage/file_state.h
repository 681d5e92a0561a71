// SPDX-License-Identifier: Apache-2.0
// Is a file that a test read by its path, or an environment variable, still
// what it was? Neither is on the class path, so no comparison of programs sees
// it. The row says what it was, in an atom "res:file:STATE:NAME",
// "res:look:...", "res:there:..." or "res:env:..."; the NAME of a file is
// relative to the project when the file lies below it. What is not the same any
// more selects every test whose row has its atom. Errs towards "changed": what
// cannot be read equals nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/matrix.h"

namespace rejig::coverage {

// What did a test see of a file?
enum class Look : std::uint8_t {
  kContent,     // its bytes, or the names in a folder
  kAttributes,  // size and times: the bytes stand for them; of a folder, that
                // it is one
  kExists,  // that it is there, and whether it is a folder
};

// A digest of what was seen, "absent", "special" (devices, pipes), or nullopt:
// it cannot be read.
std::optional<std::string> file_state(const std::string& path, Look look);

// The state is taken now. When the file may have been another one as it was
// seen
// (`known` is false) its atom equals nothing.
std::string file_atom(const std::string& path, Look look,
                      const std::string& project, bool known);

// When a file's bytes or rights last changed, in microseconds since 1970; 0 for
// what is no file.
std::uint64_t file_changed(const std::string& path);

// `state` as the recorder says it: NAME=DIGEST, or NAME when it was not set;
// "*=DIGEST" is the whole environment.
std::string variable_atom(const std::string& state);

// "NAME=VALUE" of each variable.
using Environment = std::vector<std::string>;
Environment own_environment();

// The rows (by index) that rest on a file or variable that is another one now,
// with its name. `project` is the folder that relative names start in.
base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project, const Environment& variables);

}  // namespace rejig::coverage
