// SPDX-License-Identifier: Apache-2.0
// Is a file that a test read by its path, or an environment variable, still
// what it was? Neither is on the class path, so no comparison of programs sees
// it. The row says what it was, in an atom "res:file:STATE:NAME",
// "res:look:..." and so on (kPrefixes), "res:env:..."; several states stand with
// a slash between them; the NAME of a file is
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
#include "coverage/store/matrix.h"

namespace rejig::coverage {

// What did a test see of a file?
enum class Look : std::uint8_t {
  kContent,     // its bytes, or the names and kinds of what is in a folder
  kAttributes,  // its bytes, which stand for size and times, mode bits, and
                // where the name itself is a link: its text
  kMode,        // of these, what the comparison of programs does not see
  kExists,      // that it is there, and whether it is a file or a folder
  kRealPath,    // where the links on the way lead
  kFolder,      // that it is a folder, or can be made one
};

// A digest of what was seen, "absent", "special" (devices, pipes), or nullopt:
// it cannot be read. Where links lead is told relative to the project.
std::optional<std::string> file_state(const std::string& path, Look look,
                                      const std::string& project = "");

// What is known of the file as it was seen?
enum class Known : std::uint8_t {
  kNothing,  // it may have been another one: the atom equals nothing
  kNow,      // it was as it is now
  kAbsent,   // nothing was there
  // The program made it: whoever begins with nothing there, or with what it
  // made, sees the same.
  kMade,
};
std::string file_atom(const std::string& path, Look look,
                      const std::string& project, Known known);

// When a file's bytes or rights last changed, in microseconds since 1970; 0 for
// what is no file.
std::uint64_t file_changed(const std::string& path);

// `state` as the recorder says it: NAME=DIGEST, or NAME when it was not set;
// "*=DIGEST" is the whole environment.
std::string variable_atom(const std::string& state);

// "NAME=VALUE" of each variable.
using Environment = std::vector<std::string>;
Environment own_environment();
// A digest of the value, or kUnset. "*" is all of them; "-DNAME" and "-D*" are
// properties that stand among them (build_choice.h).
inline constexpr std::string_view kUnset = "unset";
std::string variable_state(const std::string& name,
                           const Environment& variables);

// The rows (by index) that rest on a file or variable that is another one now,
// with its name. `project` is the folder that relative names start in.
base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project, const Environment& variables);

}  // namespace rejig::coverage
