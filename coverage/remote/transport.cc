// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/transport.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "classfile/base/file.h"
#include "coverage/remote/http_transport.h"

namespace rejig::coverage {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

bool is_over(Deadline deadline) {
  return std::chrono::steady_clock::now() >= deadline;
}

Error too_late(const std::string& where) {
  return {Errc::kIo, "it took too long", where};
}

class Folder : public Transport {
 public:
  explicit Folder(std::string folder) : folder_(std::move(folder)) {}

  base::Result<std::string> get(const std::string& key, std::size_t limit,
                                Deadline deadline) override {
    const std::string path = folder_ + "/" + key;
    if (is_over(deadline)) return too_late(path);
    // Never waits for whoever might open the other end.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return failed(path);
    auto out = read(file, limit, deadline, path);
    ::close(file);
    return out;
  }

  base::Result<void> put(const std::string& key, const std::string& bytes,
                         Deadline) override {
    std::error_code error;
    const fs::path path = fs::path(folder_) / key;
    if (!fs::is_directory(folder_, error)) {
      return Error{Errc::kIo, "there is no such folder", folder_};
    }
    fs::create_directories(path.parent_path(), error);
    if (error) return Error{Errc::kIo, error.message(), path.string()};
    return base::write_file_atomically(path.string(), bytes);
  }

  base::Result<void> remove(const std::string& key, Deadline) override {
    std::error_code error;
    const fs::path path = fs::path(folder_) / key;
    fs::remove(path, error);
    if (error) return Error{Errc::kIo, error.message(), path.string()};
    // Folders that nothing is in any more; others stay.
    for (fs::path above = path.parent_path();
         above.string().size() > folder_.size() && fs::remove(above, error);
         above = above.parent_path()) {
    }
    return {};
  }

  base::Result<std::vector<Listed>> list(const std::string& folder,
                                         Deadline deadline) override {
    std::vector<Listed> out;
    std::error_code error;
    const fs::path top = fs::path(folder_) / folder;
    if (!fs::is_directory(folder_, error)) {
      return Error{Errc::kIo, "there is no such folder", folder_};
    }
    if (!fs::exists(top, error)) return out;
    for (auto at = fs::recursive_directory_iterator(top, error);
         !error && at != fs::recursive_directory_iterator();
         at.increment(error)) {
      if (is_over(deadline)) return too_late(top.string());
      struct stat info {};
      if (::lstat(at->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
        continue;
      }
      out.push_back({at->path().lexically_relative(folder_).string(),
                     static_cast<std::uint64_t>(info.st_size),
                     info.st_mtim.tv_sec});
    }
    if (error) return Error{Errc::kIo, error.message(), top.string()};
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return out;
  }

 private:
  static Error failed(const std::string& path) {
    const bool absent = errno == ENOENT || errno == ENOTDIR;
    return {absent ? Errc::kNotFound : Errc::kIo, base::errno_text(errno),
            path};
  }

  static base::Result<std::string> read(int file, std::size_t limit,
                                        Deadline deadline,
                                        const std::string& path) {
    struct stat info {};
    if (::fstat(file, &info) != 0) return failed(path);
    if (!S_ISREG(info.st_mode)) {
      return Error{Errc::kMalformed, "it is no file", path};
    }
    std::string out;
    std::array<char, 65536> some{};
    while (true) {
      const auto n = ::read(file, some.data(), some.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failed(path);
      if (n == 0) return out;
      out.append(some.data(), static_cast<std::size_t>(n));
      if (out.size() > limit) {
        return Error{Errc::kLimit,
                     "more than " + std::to_string(limit) + " bytes", path};
      }
      if (is_over(deadline)) return too_late(path);
    }
  }

  std::string folder_;
};

}  // namespace

Transport::~Transport() = default;

std::vector<base::Result<std::string>> Transport::get_all(
    const std::vector<std::string>& keys, std::size_t limit,
    Deadline deadline) {
  std::vector<base::Result<std::string>> out;
  for (const auto& key : keys) out.push_back(get(key, limit, deadline));
  return out;
}

base::Result<std::unique_ptr<Transport>> open_transport(
    const std::string& url) {
  if (url.starts_with("file:")) {
    std::string path = url.substr(5);
    if (path.starts_with("//")) path = path.substr(2);
    std::error_code error;
    path = fs::absolute(path, error).lexically_normal().string();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return std::unique_ptr<Transport>(std::make_unique<Folder>(path));
  }
  if (url.starts_with("http://") || url.starts_with("https://") ||
      url.starts_with("s3://")) {
    return open_http(url);
  }
  return Error{Errc::kUsage, "a remote is file:, http:, https: or s3:", url};
}

bool is_plain_key(const std::string& key) {
  if (key.empty() || key.front() == '/' || key.size() > 1024) return false;
  for (const auto& part : fs::path(key)) {
    if (part == ".." || part == "." || part.empty()) return false;
  }
  return key.find('\0') == std::string::npos &&
         key.find("//") == std::string::npos;
}

}  // namespace rejig::coverage
