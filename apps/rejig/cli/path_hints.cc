// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/path_hints.h"

#include <filesystem>
#include <string_view>

#include "classfile/program/program.h"

namespace rejig::app {

namespace fs = std::filesystem;

std::string sources_instead(const std::string& path_list) {
  constexpr std::size_t kMostFiles = 20'000;
  std::string found;
  for (const auto& root : classfile::Program::split_path_list(path_list)) {
    std::error_code error;
    if (!fs::is_directory(root, error)) return {};
    std::size_t seen = 0;
    for (auto at = fs::recursive_directory_iterator(root, error);
         !error && at != fs::recursive_directory_iterator();
         at.increment(error)) {
      if (++seen > kMostFiles) return {};
      const auto extension = at->path().extension().string();
      // Archives are no classes of a folder, but whoever gives them means them.
      if (extension == ".class" || extension == ".jar") return {};
      if (found.empty() && (extension == ".java" || extension == ".kt" ||
                            extension == ".scala" || extension == ".groovy")) {
        found = root;
      }
    }
  }
  if (found.empty()) return {};
  std::error_code error;
  fs::path at = fs::weakly_canonical(found, error);
  for (int up = 0; up < 5 && at.has_relative_path(); ++up) {
    for (const char* usual :
         {"target/classes", "build/classes/java/main", "out/production", "bin"}) {
      if (fs::is_directory(at / usual, error)) {
        return "these are sources, and classes are compared. Did you mean " +
               (at / usual).lexically_proximate(fs::current_path(error)).string() +
               "?";
      }
    }
    at = at.parent_path();
  }
  return "these are sources, and classes are compared: compile them first";
}

}  // namespace rejig::app
