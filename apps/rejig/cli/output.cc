// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/output.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "classfile/base/file.h"

namespace rejig::app {
namespace {

using std::chrono::steady_clock;

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Returns 0 or errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

base::Error io_error(int code, const std::string& path) {
  return {base::Errc::kIo, base::errno_text(code), path};
}

}  // namespace

bool use_color(ColorMode mode, int fd) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  if (set_and_not_empty("NO_COLOR")) return false;
  if (set_and_not_empty("FORCE_COLOR")) return true;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return ::isatty(fd) != 0;
}

Output::~Output() {
  if (!temporary_.empty()) {
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }
}

base::Result<void> Output::open() {
  buffer_.reserve(kBufferSize);
  if (!to_file()) return {};
  const auto place = base::place_to_rename_to(path_);
  if (!place) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) return io_error(errno, path_);
    return {};
  }
  path_ = *place;
  std::string name;
  const auto made = base::new_file_beside(path_, name);
  if (!made.ok()) return made.error();
  fd_ = *made;
  temporary_ = std::move(name);
  return {};
}

void Output::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferSize) flush();
  if (text.size() >= kBufferSize) {
    if (failure_ == 0) failure_ = write_all(fd_, text);
    return;
  }
  buffer_ += text;
}

std::optional<Output::Size> Output::terminal() const {
  if (to_file() || ::isatty(1) == 0) return std::nullopt;
  Size out;
  winsize size{};
  if (::ioctl(1, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col != 0) out.width = size.ws_col;
    if (size.ws_row != 0) out.rows = size.ws_row;
  }
  return out;
}

// As git does it: by the shell, with LESS=FRX unless the user has one.
void Output::start_pager() {
  may_page_ = false;
  const auto size = terminal();
  if (!size) return;
  const auto lines = static_cast<std::size_t>(
      std::count(buffer_.begin(), buffer_.end(), '\n'));
  if (lines < size->rows && buffer_.size() < kBufferSize / 2) return;
  const char* command = std::getenv("REJIG_PAGER");
  if (command == nullptr) command = std::getenv("PAGER");
  if (command == nullptr) command = "less";
  if (*command == '\0' || std::string_view(command) == "cat") return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return;
  }
  if (child == 0) {
    ::dup2(ends[0], 0);
    ::signal(SIGPIPE, SIG_DFL);
    ::setenv("LESS", "FRX", 0);
    ::execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[0]);
  // The pager decides what an interrupt means.
  ::signal(SIGINT, SIG_IGN);
  pager_ = child;
  fd_ = ends[1];
}

void Output::flush() {
  if (may_page_) start_pager();
  if (failure_ == 0) failure_ = write_all(fd_, buffer_);
  buffer_.clear();
}

base::Result<void> Output::close() {
  flush();
  if (failure_ == EPIPE && temporary_.empty()) failure_ = 0;
  if (pager_ != 0) {
    ::close(fd_);
    fd_ = 1;
    while (::waitpid(pager_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pager_ = 0;
  }
  if (!to_file()) {
    return failure_ == 0
               ? base::Result<void>()
               : base::Result<void>(io_error(failure_, "standard output"));
  }
  if (temporary_.empty()) {  // a device or a pipe
    if (::close(fd_) != 0 && failure_ == 0) failure_ = errno;
    return failure_ == 0 ? base::Result<void>()
                         : base::Result<void>(io_error(failure_, path_));
  }
  if (failure_ == 0 && ::fsync(fd_) != 0) failure_ = errno;
  if (failure_ != 0) return io_error(failure_, path_);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return io_error(errno, path_);
  }
  ::close(fd_);
  temporary_.clear();
  const std::size_t slash = path_.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  const int dir = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir >= 0) {
    ::fsync(dir);
    ::close(dir);
  }
  return {};
}

bool Output::color(ColorMode mode) const {
  return to_file() ? mode == ColorMode::kAlways : use_color(mode, fd_);
}

Messages::Messages(ColorMode mode, bool quiet)
    : log_(use_color(mode, 2), quiet),
      terminal_(::isatty(2) != 0),
      quiet_(quiet),
      start_(steady_clock::now()),
      last_(start_) {}

void Messages::error(std::string_view text) {
  end_progress();
  log_.write(Log::Level::kError, text);
}

void Messages::warning(std::string_view text) {
  end_progress();
  log_.write(Log::Level::kWarning, text);
}

void Messages::note(std::string_view text) {
  end_progress();
  log_.write(Log::Level::kNote, text);
}

void Messages::plain(std::string_view text) {
  end_progress();
  write_all(2, std::string(text) + '\n');
}

void Messages::begin_progress() {
  start_ = last_ = steady_clock::now();
  patience_ = std::chrono::milliseconds(500);
}

void Messages::progress(std::string_view what, std::uint64_t done,
                        std::uint64_t all) {
  if (!terminal_ || quiet_) return;
  constexpr auto kInterval = std::chrono::milliseconds(100);
  const auto now = steady_clock::now();
  if (now - start_ < patience_ || now - last_ < kInterval) return;
  last_ = now;
  shown_ = true;
  std::string out = "\r\033[K";
  out += what;
  out += ' ';
  out += std::to_string(done);
  if (all != 0) {
    out += " of ";
    out += std::to_string(all);
  }
  write_all(2, out);
}

void Messages::end_progress() {
  if (!shown_) return;
  shown_ = false;
  write_all(2, "\r\033[K");
}

}  // namespace rejig::app
