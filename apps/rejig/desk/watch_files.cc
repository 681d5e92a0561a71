// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/desk/watch_files.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
                                  IN_DELETE | IN_CREATE | IN_ONLYDIR;

bool is_output_folder(std::string_view name) {
  constexpr std::string_view kNames[] = {"target", "build", "out", "bin",
                                         "node_modules", "__pycache__"};
  return name.starts_with('.') ||
         std::ranges::find(kNames, name) != std::end(kNames);
}

// What editors make beside a file while they save it.
bool is_of_an_editor(std::string_view name) {
  return name.starts_with('.') || name.ends_with('~') ||
         name.ends_with(".swp") || name.ends_with(".tmp") ||
         name.starts_with('#') || name == "4913" ||
         name.find("___jb_") != std::string_view::npos;
}

}  // namespace

WatchedFiles::~WatchedFiles() {
  if (fd_ >= 0) ::close(fd_);
}

base::Result<void> WatchedFiles::watch(const std::vector<std::string>& roots) {
  fd_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd_ < 0) return Error{Errc::kIo, base::errno_text(errno), "inotify"};
  for (const auto& root : roots) {
    std::error_code error;
    const fs::path full = fs::weakly_canonical(root, error);
    if (!fs::is_directory(full, error)) {
      return Error{Errc::kNotFound, "no such folder", root};
    }
    add_tree(full.string());
  }
  if (!full_.empty()) {
    return Error{Errc::kIo,
                 full_ + " (fs.inotify.max_user_watches); say --watch DIR",
                 roots.front()};
  }
  return {};
}

void WatchedFiles::add_tree(const std::string& folder) {
  if (is_ignored(folder)) return;
  const int one = ::inotify_add_watch(fd_, folder.c_str(), kEvents);
  if (one < 0) {
    if (errno == ENOSPC || errno == ENOMEM) full_ = base::errno_text(errno);
    return;
  }
  folders_[one] = folder;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_directory(error) || entry.is_symlink(error)) continue;
    if (is_output_folder(entry.path().filename().string())) continue;
    add_tree(entry.path().string());
  }
}

bool WatchedFiles::is_ignored(const std::string& path) const {
  return std::ranges::any_of(ignored_, [&](const auto& one) {
    return path == one ||
           (path.starts_with(one) && path[one.size()] == '/');
  });
}

void WatchedFiles::ignore(const std::vector<std::string>& folders) {
  for (const auto& folder : folders) {
    const bool watched_itself = std::ranges::any_of(
        folders_, [&](const auto& one) { return one.second == folder; });
    ignored_.insert(folder);
    if (!watched_itself) continue;
    for (auto at = folders_.begin(); at != folders_.end();) {
      if (!is_ignored(at->second)) {
        ++at;
        continue;
      }
      ::inotify_rm_watch(fd_, at->first);
      at = folders_.erase(at);
    }
  }
}

std::set<std::string> WatchedFiles::changed(bool running) {
  std::set<std::string> out;
  alignas(inotify_event) std::array<char, 16384> buffer{};
  while (true) {
    const auto n = ::read(fd_, buffer.data(), buffer.size());
    if (n <= 0) break;
    for (std::size_t at = 0; at < static_cast<std::size_t>(n);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = buffer.data() + at + sizeof event;
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        out.insert("");  // somewhere
        continue;
      }
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end()) continue;
      if ((event.mask & IN_IGNORED) != 0) {
        folders_.erase(folder);
        continue;
      }
      if (event.len == 0) continue;
      const std::string file = name;
      const std::string path = folder->second + "/" + file;
      if ((event.mask & IN_ISDIR) != 0) {
        if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
            !is_output_folder(file)) {
          add_tree(path);
          // What was put there before it was watched.
          std::error_code error;
          for (const auto& entry : fs::directory_iterator(path, error)) {
            if (entry.is_regular_file(error)) out.insert(entry.path().string());
          }
        }
        continue;
      }
      if ((event.mask & IN_CREATE) != 0) continue;  // it is closed later
      if (is_of_an_editor(file) || is_ignored(path)) continue;
      out.insert(path);
    }
  }
  std::erase_if(out, [&](const auto& path) { return is_ignored(path); });
  if (running) written_now_.insert(out.begin(), out.end());
  return out;
}

std::vector<std::string> WatchedFiles::begin_run() {
  std::vector<std::string> own;
  std::ranges::set_intersection(written_now_, written_before_,
                                std::back_inserter(own));
  std::erase(own, std::string());
  ignored_.insert(own.begin(), own.end());
  written_before_ = std::move(written_now_);
  written_now_.clear();
  return own;
}

}  // namespace rejig::app
