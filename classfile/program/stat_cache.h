// SPDX-License-Identifier: Apache-2.0
// What did the files of class directories hold when they were last read? The
// digest of each content beside what the file system says of the file: device,
// inode, size, times of the last write and of the last change. A file of which
// it says the same was not written since and need not be read again, as for
// `git status`. A file that was written just before it was looked at could be
// written again within the same tick of its clock, so it is not remembered.
//
// A cache and nothing else: one that is missing, damaged or of another version
// knows nothing, and a new one takes its place.
#pragma once

#include <span>
#include <string>

#include "classfile/base/result.h"
#include "classfile/program/program.h"

namespace rejig::classfile {

class StatCache {
 public:
  explicit StatCache(std::string path) : path_(std::move(path)) {}

  // Tells the program's directories what the cache knows of their files.
  void tell(const Program& program);
  // Keeps what was found out about them since, if that is worth a file.
  base::Result<void> keep(std::span<const Program* const> programs) const;

 private:
  std::string path_;
  std::string table_;  // as it was read; empty: nothing is known
  std::size_t told_ = 0;
};

}  // namespace rejig::classfile
