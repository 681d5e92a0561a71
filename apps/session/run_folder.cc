// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_folder.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kRunPrefix = "run-";

// Folders of runs that were killed.
void clear_left_overs(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kRunPrefix)) continue;
    pid_t pid = 0;
    std::from_chars(name.data() + kRunPrefix.size(), name.data() + name.size(),
                    pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) {
      left.push_back(entry.path());
    }
  }
  for (const auto& path : left) fs::remove_all(path, error);
}

// What is recorded is of this machine. A folder that is ours alone says so.
void keep_out_of_git(const fs::path& folder) {
  const fs::path file = folder / ".gitignore";
  std::error_code error;
  if (folder.filename() != ".rejig" || fs::exists(file, error)) return;
  static_cast<void>(base::write_file_atomically(file.string(), "*\n"));
}

}  // namespace

base::Result<std::string> make_run_folder(const std::string& beside) {
  std::error_code error;
  fs::create_directories(beside, error);
  clear_left_overs(beside);
  keep_out_of_git(beside);
  std::string out =
      (fs::path(beside) /
       (std::string(kRunPrefix) + std::to_string(::getpid()) + "-XXXXXX"))
          .string();
  if (::mkdtemp(out.data()) == nullptr) {
    return Error{Errc::kIo, "cannot record: the folder is not writable",
                 beside};
  }
  for (const char* name : {"/rows", "/ask"}) {
    fs::create_directory(out + name, error);
    if (error) return Error{Errc::kIo, error.message(), out + name};
  }
  return out;
}

}  // namespace rejig::app
