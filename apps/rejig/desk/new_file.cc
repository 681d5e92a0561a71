// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/desk/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

base::Result<NewFile> write_new(const std::string& path,
                                const std::string& text) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return Error{Errc::kIo, error.message(), folder.string()};
  const int fd =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    if (errno != EEXIST) return Error{Errc::kIo, base::errno_text(errno), path};
    const auto there = base::read_file(path);
    return there.ok() && *there == text ? NewFile::kSame : NewFile::kOther;
  }
  std::size_t at = 0;
  int failure = 0;
  while (at < text.size() && failure == 0) {
    const auto n = ::write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) failure = errno;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  if (::close(fd) != 0 && failure == 0) failure = errno;
  if (failure != 0) {
    ::unlink(path.c_str());
    return Error{Errc::kIo, base::errno_text(failure), path};
  }
  return NewFile::kWritten;
}

}  // namespace rejig::app
