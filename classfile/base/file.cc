// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

namespace rejig::base {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  int close_now() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd);
  }

 private:
  int fd_;
};

Error io_error(const std::string& doing, const std::string& path) {
  return Error{Errc::kIo, doing + ": " + errno_text(errno), path};
}

Result<void> write_all(int fd, std::string_view content,
                       const std::string& path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot write", path);
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> sync_parent(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string parent =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor dir(
      ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir.get() < 0) return io_error("cannot open folder", parent);
  if (::fsync(dir.get()) != 0 && errno != EINVAL) {
    return io_error("cannot sync folder", parent);
  }
  return {};
}

}  // namespace

std::string errno_text(int code) {
  return std::generic_category().message(code) + " (errno " +
         std::to_string(code) + ")";
}

std::optional<std::string> place_to_rename_to(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return path;
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return std::nullopt;
  struct stat link {};
  if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return path;
  const std::unique_ptr<char, decltype(&std::free)> real(
      ::realpath(path.c_str(), nullptr), &std::free);
  return real == nullptr ? path : std::string(real.get());
}

// Not mkstemp(): its mode would have to be mended by the umask, which can only be
// read by setting it, for all threads of the process.
Result<int> new_file_beside(const std::string& path, std::string& name) {
  constexpr int kTries = 100;
  static std::atomic<unsigned> made = 0;
  for (int i = 0; i < kTries; ++i) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    name = path + "." + std::to_string(::getpid()) + "-" +
           std::to_string(now.tv_nsec) + "-" + std::to_string(++made);
    const int fd =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return fd;
    if (errno != EEXIST) break;
  }
  return io_error("cannot create a file beside", path);
}

Result<void> write_file_atomically(const std::string& name,
                                   std::string_view content) {
  const auto place = place_to_rename_to(name);
  if (!place) {
    Descriptor device(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) return io_error("cannot open", name);
    return write_all(device.get(), content, name);
  }
  const std::string& path = *place;
  std::string temp;
  REJIG_TRY(const int made, new_file_beside(path, temp));
  Descriptor out(made);
  auto fail = [&](Error error) {
    ::unlink(temp.c_str());
    return error;
  };
  if (auto done = write_all(out.get(), content, temp); !done.ok()) {
    return fail(std::move(done).error());
  }
  if (::fsync(out.get()) != 0) return fail(io_error("cannot sync", temp));
  if (out.close_now() != 0) return fail(io_error("cannot close", temp));
  if (::rename(temp.c_str(), path.c_str()) != 0) {
    return fail(io_error("cannot rename to", path));
  }
  return sync_parent(path);
}

Result<int> open_stream(const std::string& path) {
  constexpr int kPatienceMs = 5000;
  constexpr int kPauseMs = 20;
  Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) {
    return Error{errno == ENOENT ? Errc::kNotFound : Errc::kIo,
                 errno_text(errno), path};
  }
  struct stat info {};
  if (::fstat(in.get(), &info) != 0) return io_error("cannot stat", path);
  if (S_ISFIFO(info.st_mode)) {
    // tee() takes nothing out, and tells a pipe without a writer (0) from one
    // whose writer has said nothing yet (EAGAIN).
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
      return io_error("cannot make a pipe", path);
    }
    const Descriptor out(ends[0]);
    const Descriptor into(ends[1]);
    for (int waited = 0;
         ::tee(in.get(), into.get(), 1, SPLICE_F_NONBLOCK) == 0;
         waited += kPauseMs) {
      if (waited >= kPatienceMs) {
        return Error{Errc::kIo, "a pipe that nobody writes to", path};
      }
      ::poll(nullptr, 0, kPauseMs);
    }
  }
  const int flags = ::fcntl(in.get(), F_GETFL);
  if (flags < 0 || ::fcntl(in.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return io_error("cannot read", path);
  }
  return in.release();
}

Result<std::string> read_file(const std::string& path) {
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) return io_error("cannot open", path);
  struct stat info {};
  if (::fstat(in.get(), &info) != 0) return io_error("cannot stat", path);
  if (!S_ISREG(info.st_mode)) {
    return Error{Errc::kIo, "not a regular file", path};
  }
  std::string out;
  out.resize(static_cast<std::size_t>(info.st_size));
  std::size_t have = 0;
  while (true) {
    if (have == out.size()) out.resize(out.size() + 4096);
    const ssize_t n = ::read(in.get(), out.data() + have, out.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", path);
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  out.resize(have);
  return out;
}

}  // namespace rejig::base
