// SPDX-License-Identifier: Apache-2.0
// Is there a class file of that name where a class says it comes from? Mocks
// and proxies are defined at run time in the name of a folder or jar that never
// held them: no program has their digest.
// Error direction: what cannot be looked into holds everything. Any thread may
// ask.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace rejig::coverage {

// The path that a file: URL names; empty when it is none.
std::string path_of_url(std::string_view location);

class CodeSources {
 public:
  // `location`: file:/x/a.jar, with %20 and the like; `name`: "a/b/C".
  bool lacks(const std::string& location, const std::string& name);

 private:
  struct Names {
    bool readable = false;
    std::string folder;          // of a directory
    std::set<std::string> held;  // of an archive
  };
  static Names look(const std::string& location);

  std::mutex mutex_;
  std::map<std::string, Names> known_;
};

}  // namespace rejig::coverage
