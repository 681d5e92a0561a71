// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/row_file.h"

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/agent/sha256.h"

namespace rejig::agent {
namespace {
constexpr char kMagic[] = "rejigrow";
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kHead = 5;  // size and kind
}  // namespace

RowFile::RowFile() {
  out_.bytes(kMagic, 8);
  out_.u4(kVersion);
  out_.u4(0);
}

RowFile::~RowFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool RowFile::create(std::string_view directory) {
  char path[4096];
  for (int attempt = 0; attempt < 100 && fd_ < 0; ++attempt) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const int n = std::snprintf(
        path, sizeof path, "%.*s/%lld-%09ld-%d.rows",
        static_cast<int>(directory.size()), directory.data(),
        static_cast<long long>(now.tv_sec), now.tv_nsec, ::getpid());
    if (n < 0 || static_cast<std::size_t>(n) >= sizeof path) return false;
    fd_ = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
                 0644);
  }
  return fd_ >= 0;
}

Buffer& RowFile::open(Record kind) {
  record_at_ = out_.size();
  out_.u4(0);
  out_.u1(static_cast<unsigned char>(kind));
  return out_;
}

void RowFile::close() {
  const std::size_t payload = out_.size() - record_at_ - kHead;
  out_.set_u4(record_at_, static_cast<std::uint32_t>(payload));
  out_.u4(crc32(0, out_.data() + record_at_, kHead + payload));
}

bool RowFile::flush() {
  bool fine = fd_ >= 0 && !out_.failed();
  for (std::size_t at = 0; fine && at < out_.size();) {
    const ssize_t n = ::write(fd_, out_.data() + at, out_.size() - at);
    fine = n > 0;
    if (fine) at += static_cast<std::size_t>(n);
  }
  out_.clear();
  if (!fine && fd_ >= 0) {
    ::close(fd_);
    fd_ = -1;
  }
  return fine;
}

}  // namespace rejig::agent
