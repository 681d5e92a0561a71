// SPDX-License-Identifier: Apache-2.0
// Which atoms gives a fact about a file to a row? It depends on when the test
// ended, if the file changed later, and on whether native code may have read
// it; each answer is found once. Any thread may ask. Private to coverage/.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "coverage/row/atom_codes.h"
#include "coverage/row/row_file_opened.h"

namespace rejig::coverage {

class FileAtoms {
 public:
  using LocalAtom = AtomCodes::LocalAtom;

  FileAtoms(const RowFile& file, const JoinOptions& options, AtomCodes& codes)
      : file_(file), codes_(codes), opened_(file, options) {
    for (auto& list : said_) {
      list = std::vector<std::atomic<const Said*>>(file.facts.size());
    }
  }

  void append(std::uint32_t fact, bool native, std::uint64_t seen_by,
              std::vector<LocalAtom>& out) {
    const Said& said = of(fact, native);
    const auto& atoms = seen_by >= said.changed ? said.late : said.early;
    out.insert(out.end(), atoms.begin(), atoms.end());
  }
  std::string name_of_written(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    return opened_.name_of_written(path);
  }
  // Is it the same for all who ended then or later?
  bool is_settled(std::uint32_t fact, bool native, std::uint64_t since) {
    return of(fact, native).changed <= since;
  }

 private:
  struct Said {
    std::uint64_t changed = 0;
    std::vector<LocalAtom> late;   // who ended then or later
    std::vector<LocalAtom> early;  // the others
  };

  const Said& of(std::uint32_t fact, bool native);

  const RowFile& file_;
  AtomCodes& codes_;
  std::mutex mutex_;
  OpenedFiles opened_;
  std::vector<std::unique_ptr<const Said>> kept_;
  std::array<std::vector<std::atomic<const Said*>>, 2> said_;  // by fact
};

}  // namespace rejig::coverage
