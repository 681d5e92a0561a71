// SPDX-License-Identifier: Apache-2.0
// How does a file appear whole or not at all? Written beside its place,
// fsynced, renamed over it, and the folder fsynced: a reader sees the old file
// or the new one, and kill -9 at any moment leaves one of the two.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "classfile/base/result.h"

namespace rejig::base {

Result<void> write_file_atomically(const std::string& path,
                                   std::string_view content);
// What a new file is renamed to, so that it is at `path`: behind symbolic
// links. Nothing where a device, a pipe or a socket is: it is written to, never
// replaced.
std::optional<std::string> place_to_rename_to(const std::string& path);
// A new file beside `path`, with the mode that the umask leaves, open for
// writing; `name` becomes its name. Whoever gets the descriptor closes it, and
// renames the file or removes it.
Result<int> new_file_beside(const std::string& path, std::string& name);
Result<std::string> read_file(const std::string& path);
// For reading, also of a pipe, but of one that nobody opens for writing within
// some seconds it is an error. Whoever gets the descriptor closes it.
Result<int> open_stream(const std::string& path);

// "No such file or directory (errno 2)"
std::string errno_text(int code);

}  // namespace rejig::base
