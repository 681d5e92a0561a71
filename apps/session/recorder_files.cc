// SPDX-License-Identifier: Apache-2.0
#include "apps/session/recorder_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <vector>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr mode_t kPrivate = 0700;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

std::string first_file(const std::vector<fs::path>& candidates) {
  for (const auto& path : candidates) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
      return fs::weakly_canonical(path, error).string();
    }
  }
  return {};
}

// Ours alone: what lies there the JVM will run.
bool is_private(const fs::path& path, mode_t kind) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 &&
         (found.st_mode & S_IFMT) == kind && found.st_uid == ::geteuid() &&
         (found.st_mode & kOthersWrite) == 0;
}

// The user's cache; where there is none, a folder of the system's.
std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/')
    out.emplace_back(fs::path(cache) / "rejig");
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    out.emplace_back(fs::path(home) / ".cache/rejig");
  }
  std::error_code error;
  const auto temporary = fs::temp_directory_path(error);
  if (!error) {
    out.emplace_back(temporary / ("rejig-" + std::to_string(::geteuid())));
  }
  return out;
}

}  // namespace

base::Result<std::string> unpacked(std::string_view name,
                                   std::string_view content) {
  const auto digest =
      base::to_hex(base::sha256(std::as_bytes(std::span(content))));
  Error last{Errc::kIo, "no folder to unpack the recorder into", ""};
  for (const auto& folder : folders()) {
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), kPrivate) != 0 && errno != EEXIST) {
      last = {Errc::kIo, base::errno_text(errno), folder.string()};
      continue;
    }
    if (!is_private(folder, S_IFDIR)) {
      last = {Errc::kIo, "others can write here: the recorder is not unpacked",
              folder.string()};
      continue;
    }
    const fs::path below = folder / digest.substr(0, 32);
    if (::mkdir(below.c_str(), kPrivate) != 0 && errno != EEXIST) {
      last = {Errc::kIo, base::errno_text(errno), below.string()};
      continue;
    }
    const fs::path file = below / name;
    if (is_private(below, S_IFDIR) && is_private(file, S_IFREG)) {
      const auto there = base::read_file(file.string());
      if (there.ok() && *there == content) return file.string();
    }
    const auto written = base::write_file_atomically(file.string(), content);
    if (written.ok() && is_private(file, S_IFREG)) return file.string();
    last = written.ok()
               ? Error{Errc::kIo, "others can write to it", file.string()}
               : written.error();
  }
  return last;
}

base::Result<std::string> this_program() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) return Error{Errc::kIo, error.message(), "/proc/self/exe"};
  return path.string();
}

base::Result<RecorderPaths> find_recorder() {
  REJIG_TRY(const std::string program, this_program());
  const fs::path here = fs::path(program).parent_path();
  RecorderPaths out;
  const char* agent = std::getenv("REJIG_AGENT");
  const char* jar = std::getenv("REJIG_JUNIT_JAR");
  out.agent = agent != nullptr
                  ? first_file({agent})
                  : first_file({here / "../lib/librejig-agent.so",
                                here / "../lib/rejig/librejig-agent.so",
                                here / "../agent/librejig-agent.so"});
  out.jar = jar != nullptr
                ? first_file({jar})
                : first_file({here / "../share/java/rejig-junit.jar",
                              here / "../share/rejig/java/rejig-junit.jar",
                              here / "../lib/rejig-junit.jar",
                              here / "../agent/rejig-junit.jar"});
  const Carried all = carried();
  // Both or none: they speak with each other.
  if (agent == nullptr && jar == nullptr && !all.agent.empty() &&
      (out.agent.empty() || out.jar.empty())) {
    REJIG_TRY(out.agent, unpacked("librejig-agent.so", all.agent));
    REJIG_TRY(out.jar, unpacked("rejig-junit.jar", all.junit_jar));
  }
  if (out.agent.empty() || out.jar.empty()) {
    return Error{
        Errc::kNotFound,
        out.agent.empty() ? "the recorder's library was not found; set "
                            "REJIG_AGENT to its path"
                          : "the recorder's jar was not found; set "
                            "REJIG_JUNIT_JAR to its path",
        agent != nullptr && out.agent.empty() ? agent
        : jar != nullptr && out.jar.empty()
            ? jar
            : (here / "../lib/librejig-agent.so").lexically_normal().string()};
  }
  return out;
}

base::Result<std::string> find_jar(std::string_view name) {
  REJIG_TRY(const std::string program, this_program());
  const fs::path here = fs::path(program).parent_path();
  const std::string jar = first_file(
      {here / "../share/java" / name, here / "../share/rejig/java" / name,
       here / "../lib" / name, here / "../check" / name});
  if (!jar.empty()) return jar;
  const Carried all = carried();
  if (name == "rejig-check.jar" && !all.check_jar.empty()) {
    return unpacked(name, all.check_jar);
  }
  return Error{Errc::kNotFound, "not part of this installation",
               std::string(name)};
}

}  // namespace rejig::app
