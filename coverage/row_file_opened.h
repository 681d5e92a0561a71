// SPDX-License-Identifier: Apache-2.0
// Which atoms says a file that a test opened or asked for? A file below an
// internal root is named as a resource of the program, any other with its
// state; class files that a loader read itself say nothing. When in doubt both
// names are given. The row file and the options must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "classfile/entity.h"
#include "coverage/file_state.h"
#include "coverage/row_file.h"
#include "coverage/row_file_join.h"

namespace rejig::coverage {

class OpenedFiles {
 public:
  using Put = std::function<void(classfile::AtomKind, const std::string&)>;

  OpenedFiles(const RowFile& file, const JoinOptions& options);

  // `seen_by`: until when the test may have looked, in microseconds.
  void atoms(const std::string& written, Look look, std::uint64_t seen_by,
             const Put& put);

 private:
  struct State {
    std::string now;
    std::string then;  // when it changed later
    std::uint64_t changed = 0;
  };

  std::string property(const char* key) const;
  const std::string& state_of(const std::string& path, Look look,
                              std::uint64_t seen_by);
  bool on_class_path(const std::string& path) const;
  bool is_own_reading(std::string_view path) const;

  const RowFile& file_;
  const JoinOptions& options_;
  std::unordered_set<std::string> classes_;  // loaded or asked for
  std::map<std::pair<std::string, Look>, State> states_;
};

}  // namespace rejig::coverage
