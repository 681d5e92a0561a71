// SPDX-License-Identifier: Apache-2.0
// What was the old program? A copy of the internal roots of a suite's class
// path, made when its test JVM started, kept beside the store under the name of
// its content's place; the store's environment says which copy its rows belong
// to, so that one atomic write moves both. Libraries are not copied: a library
// whose bytes are no longer those of the baseline means all tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::app {

struct Library {
  std::string path;
  std::string digest;
};

// The class path of a test JVM, in its order, split.
struct Snapshot {
  std::string folder;              // holds 0, 1, …: copies of `roots`
  std::vector<std::string> roots;  // directories and archives of the project
  std::vector<Library> libraries;
  std::vector<std::string> settings;  // texts of Setting, one a kind of JVM
  std::string java;                   // java.vm.version
  std::string java_home;

  std::string copies() const;  // the path list of the copies
  std::string library_list() const;
};

bool is_below(const std::filesystem::path& path,
              const std::filesystem::path& folder);

// Copies; the folder must not exist.
base::Result<Snapshot> take_snapshot(const std::vector<std::string>& class_path,
                                     const std::vector<std::string>& internal,
                                     const std::string& folder);
base::Result<Snapshot> read_snapshot(const std::string& folder);
base::Result<void> write_snapshot(const Snapshot& snapshot);
// The same as a text. `folder` is not part of it.
base::Result<std::string> snapshot_text(const Snapshot& snapshot);
base::Result<Snapshot> parse_snapshot(const std::string& text,
                                      const std::string& where);
// But for where libraries lie, which differs from machine to machine.
bool same_libraries(const Snapshot& a, const Snapshot& b);
// What can be said without reading files: names, sizes, times.
std::string signature_of(const std::vector<std::string>& class_path);

// "baseline/" + suite: the key of the store's environment.
std::string baseline_key(const std::string& suite);

}  // namespace rejig::app
