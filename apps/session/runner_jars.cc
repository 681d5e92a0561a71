// SPDX-License-Identifier: Apache-2.0
#include "apps/session/runner_jars.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The newest NAME-VERSION.jar that a build tool keeps at home.
std::string jar_at_home(const std::string& group, const std::string& name) {
  const std::string home = variable("HOME");
  std::string gradle = variable("GRADLE_USER_HOME");
  if (gradle.empty()) gradle = home + "/.gradle";
  std::string maven = home + "/.m2/repository/";
  std::string dotted = group;
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& root :
       {maven + group + "/" + name,
        gradle + "/caches/modules-2/files-2.1/" + dotted + "/" + name}) {
    std::error_code error;
    fs::recursive_directory_iterator it(root, error);
    for (; !error && it != fs::recursive_directory_iterator();
         it.increment(error)) {
      const std::string file = it->path().filename().string();
      if (!file.starts_with(name + "-") || !file.ends_with(".jar")) continue;
      if (file.find("sources") != std::string::npos ||
          file.find("javadoc") != std::string::npos) {
        continue;
      }
      found.emplace_back(file, it->path().string());
    }
  }
  return found.empty() ? ""
                       : std::max_element(found.begin(), found.end())->second;
}

}  // namespace

base::Result<std::string> junit4_jars(std::string_view named) {
  std::string list =
      named.empty() ? variable("REJIG_RUNNER") : std::string(named);
  if (list.empty()) {
    const std::string junit = jar_at_home("junit", "junit");
    const std::string hamcrest = jar_at_home("org/hamcrest", "hamcrest-core");
    if (!junit.empty() && !hamcrest.empty()) list = junit + ":" + hamcrest;
  }
  if (list.empty()) {
    return Error{Errc::kNotFound,
                 "JUnit 4 is neither in ~/.m2 nor in ~/.gradle; name its jars: "
                 "--runner junit-4.13.2.jar:hamcrest-core-1.3.jar",
                 ""};
  }
  std::string out;
  for (std::size_t from = 0; from <= list.size();) {
    std::size_t to = list.find(':', from);
    if (to == std::string::npos) to = list.size();
    const std::string jar = list.substr(from, to - from);
    from = to + 1;
    if (jar.empty()) continue;
    if (!is_file(jar)) return Error{Errc::kNotFound, "no such file", jar};
    out += (out.empty() ? "" : ":") + fs::absolute(jar).string();
  }
  return out;
}

}  // namespace rejig::app
