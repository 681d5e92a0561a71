// SPDX-License-Identifier: Apache-2.0
// Which atoms says a file that a test opened, listed or asked for? A file below
// a root of the program is named as a resource of it ("F/" for the names in a
// folder F, "!/" for a whole archive), any other with its state. What a class
// loader read to define a class whose bytes the row has says nothing. When in
// doubt both names are given. The row file and the options must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classfile/words/entity.h"
#include "coverage/row/file_state.h"
#include "coverage/row/row_file.h"
#include "coverage/row/row_file_join.h"

namespace rejig::coverage {

class OpenedFiles {
 public:
  using Put = std::function<void(classfile::AtomKind, const std::string&)>;

  OpenedFiles(const RowFile& file, const JoinOptions& options);

  // A fact about a file. `seen_by`: until when the test may have looked, in
  // microseconds. `native`: code that cannot be seen may have read what the
  // program only asked for.
  void atoms(const RecordedFact& fact, std::uint64_t seen_by, bool native,
             const Put& put);
  // How res: and resmiss: atoms name the file that the program wrote; empty
  // when it is nobody's.
  std::string name_of_written(const std::string& path) const;
  // When the file changed that atoms() was asked about last: who had looked
  // before has other atoms. 0: all have the same.
  std::uint64_t changed() const { return changed_; }

 private:
  struct State {
    std::string now;
    std::string then;    // when it changed later
    std::string made;    // by the program
    std::string absent;  // to begin with
    std::uint64_t changed = 0;
  };
  // Where classes came from.
  struct Source {
    std::string path;
    bool internal = false;
  };

  std::string property(const char* key) const;
  std::string absolute(const std::string& written) const;
  bool is_nobodys(const std::string& path) const;
  bool was_made(const std::string& path) const;
  const std::string& state_of(const std::string& path, Look look,
                              const RecordedFact& fact, std::uint64_t seen_by);
  // The source that it is, or that it lies below; the longest.
  const Source* source_of(const std::string& path) const;
  bool is_own_reading(const std::string& path, Look look);
  bool has_bytes_of_class(std::string_view path,
                          const std::string& digest) const;
  std::vector<std::string> names_of(const std::string& path) const;
  void look(const std::string& path, Look look, const RecordedFact& fact,
            std::uint64_t seen_by, const Put& put);
  void entry(const RecordedFact& fact, std::uint64_t seen_by, const Put& put);
  void declared(const std::string& path, const RecordedFact& fact,
                std::uint64_t seen_by, const Put& put);
  void native(const RecordedFact& fact, std::uint64_t seen_by, const Put& put);

  const RowFile& file_;
  const JoinOptions& options_;
  // Digests of the program's classes.
  std::unordered_map<std::string, std::set<std::string>> digests_;
  std::map<std::string, std::optional<std::string>> bytes_;  // SHA-256
  std::vector<Source> sources_;
  std::unordered_set<std::string> made_;  // nothing was there at first
  std::unordered_set<std::string> libraries_;  // file names of native code
  std::map<std::pair<std::string, Look>, State> states_;
  std::uint64_t changed_ = 0;
};

}  // namespace rejig::coverage
