// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/last_diff.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

// A line each: name, tab, value. Path lists, the others as they are.
constexpr std::array<std::pair<const char*, std::string InputOptions::*>, 9>
    kLists = {{{"old", &InputOptions::old_path},
               {"new", &InputOptions::new_path},
               {"class-path", &InputOptions::class_path},
               {"internal-root", &InputOptions::internal_root},
               {"old-lib", &InputOptions::old_lib},
               {"new-lib", &InputOptions::new_lib},
               {"old-jdk", &InputOptions::old_jdk},
               {"new-jdk", &InputOptions::new_jdk},
               {"rename", &InputOptions::rename}}};
constexpr std::array<
    std::pair<const char*, std::vector<std::string> InputOptions::*>, 2>
    kPatterns = {{{"internal", &InputOptions::internal},
                  {"external", &InputOptions::external}}};

fs::path place() {
  std::error_code error;
  if (fs::is_directory(".rejig", error)) return ".rejig/last-diff";
  fs::path state;
  const char* home = std::getenv("XDG_STATE_HOME");
  if (home != nullptr && *home == '/') {
    state = home;
  } else if ((home = std::getenv("HOME")) != nullptr && *home == '/') {
    state = fs::path(home) / ".local" / "state";
  } else {
    return {};
  }
  return state / "rejig" / "last-diff";
}

// The same from any folder.
std::string absolute_list(const std::string& list) {
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  std::string out;
  for (std::size_t at = 0; at <= list.size() && !list.empty();) {
    const auto end = std::min(list.find(':', at), list.size());
    const std::string one = list.substr(at, end - at);
    if (at != 0) out += ':';
    out += one.empty() || one.front() == '/' ? one : here + "/" + one;
    at = end + 1;
  }
  return out;
}

}  // namespace

void note_diff(const InputOptions& inputs) {
  const fs::path path = place();
  if (path.empty()) return;
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  std::string text;
  for (const auto& [name, field] : kLists) {
    if ((inputs.*field).find('\n') != std::string::npos) return;
    text += std::string(name) + "\t" + absolute_list(inputs.*field) + "\n";
  }
  for (const auto& [name, field] : kPatterns) {
    for (const auto& one : inputs.*field) {
      text += std::string(name) + "\t" + one + "\n";
    }
  }
  if (inputs.as_listed) text += "as-listed\t1\n";
  if (inputs.walk) text += "walk\t1\n";
  // A file of our own: nobody else can have put a link there.
  std::string made = path.string() + ".XXXXXX";
  const int fd = ::mkstemp(made.data());
  if (fd < 0) return;
  const auto wrote = ::write(fd, text.data(), text.size());
  ::close(fd);
  if (wrote == static_cast<ssize_t>(text.size())) fs::rename(made, path, error);
  if (error || wrote != static_cast<ssize_t>(text.size())) {
    fs::remove(made, error);
  }
}

std::optional<InputOptions> last_diff() {
  const fs::path path = place();
  if (path.empty()) return std::nullopt;
  const auto text = base::read_file(path.string());
  if (!text.ok()) return std::nullopt;
  InputOptions out;
  for (std::size_t at = 0; at < text->size();) {
    const auto end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    const auto tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string name = line.substr(0, tab);
    const std::string value = line.substr(tab + 1);
    for (const auto& [known, field] : kLists) {
      if (name == known) out.*field = value;
    }
    for (const auto& [known, field] : kPatterns) {
      if (name == known) (out.*field).push_back(value);
    }
    if (name == "as-listed") out.as_listed = true;
    if (name == "walk") out.walk = true;
  }
  if (out.old_path.empty() || out.new_path.empty()) return std::nullopt;
  return out;
}

}  // namespace rejig::app
