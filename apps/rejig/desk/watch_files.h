// SPDX-License-Identifier: Apache-2.0
// Did somebody save a file of the project? Folders below some roots, by inotify.
// What the builds write is not looked at: folders that are called so, the roots of
// the class path, and each file that the command itself wrote twice running.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::app {

class WatchedFiles {
 public:
  WatchedFiles() = default;
  ~WatchedFiles();
  WatchedFiles(const WatchedFiles&) = delete;
  WatchedFiles& operator=(const WatchedFiles&) = delete;

  // Everything below these is looked at, also what begins with a dot.
  base::Result<void> watch(const std::vector<std::string>& roots);
  // From now on nothing below these is.
  void ignore(const std::vector<std::string>& folders);
  // Readable when something may have changed.
  int fd() const { return fd_; }
  std::size_t folders() const { return folders_.size(); }

  // Files that were saved, moved or deleted since the last call. `running`: while
  // the command ran, which may have done it.
  std::set<std::string> changed(bool running);
  // A run begins; what the last one wrote again is the command's own.
  std::vector<std::string> begin_run();

 private:
  void add_tree(const std::string& folder);
  bool is_ignored(const std::string& path) const;

  int fd_ = -1;
  std::map<int, std::string> folders_;  // by watch
  std::set<std::string> ignored_;       // folders and files
  std::set<std::string> written_now_;   // while the command ran
  std::set<std::string> written_before_;
  std::string full_;  // why not everything is watched
};

}  // namespace rejig::app
