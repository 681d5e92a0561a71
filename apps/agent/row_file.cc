// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/row_file.h"

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/agent/log.h"
#include "apps/agent/sha256.h"

namespace rejig::agent {
namespace {
constexpr char kMagic[] = "rejigrow";
constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kHead = 5;  // size and kind
constexpr std::size_t kLarge = std::size_t{32} * 1024;
}  // namespace

RowFile::RowFile() { pthread_mutex_init(&mutex_, nullptr); }

RowFile::~RowFile() {
  if (fd_ >= 0) ::close(fd_);
  pthread_mutex_destroy(&mutex_);
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
  Buffer head;
  head.bytes(kMagic, 8);
  head.u4(kVersion);
  head.u4(0);
  return fd_ >= 0 && put(head);
}

Buffer& Records::open(Record kind) {
  record_at_ = out_.size();
  out_.u4(0);
  out_.u1(static_cast<unsigned char>(kind));
  return out_;
}

void Records::close() {
  const std::size_t payload = out_.size() - record_at_ - kHead;
  out_.set_u4(record_at_, static_cast<std::uint32_t>(payload));
  out_.u4(crc32(0, out_.data() + record_at_, kHead + payload));
}

bool RowFile::put(const Buffer& bytes) {
  bool fine = !bytes.failed();
  for (std::size_t at = 0; fine && at < bytes.size();) {
    const ssize_t n = ::write(fd_, bytes.data() + at, bytes.size() - at);
    fine = n > 0;
    if (fine) at += static_cast<std::size_t>(n);
  }
  return fine;
}

bool RowFile::write(Records& records) {
  pthread_mutex_lock(&mutex_);
  if (fd_ >= 0 && !put(records.out_)) {
    say("the row file cannot be written; nothing more is recorded");
    ::close(fd_);
    fd_ = -1;
  }
  const bool fine = fd_ >= 0;
  pthread_mutex_unlock(&mutex_);
  records.out_.drop(kLarge);
  return fine;
}

}  // namespace rejig::agent
