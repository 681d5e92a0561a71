// SPDX-License-Identifier: Apache-2.0
// How a shrinking file is survived: every mapping is registered in a table that
// the SIGBUS handler may read. A fault inside a registered mapping marks it as
// damaged and puts a page of zeros under the faulting address, so the access
// continues; any other fault goes to the handler that was there before. The
// handler uses atomics and the mmap system call only.
#include "classfile/archive/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>

#include "classfile/base/file.h"

namespace rejig::classfile {

namespace {

struct Region {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> damaged{false};
};

constexpr std::size_t kRegions = 4096;
std::array<Region, kRegions> regions;
std::atomic<std::size_t> regions_used{0};
std::atomic<std::uintptr_t> page_size{4096};
struct sigaction previous_action;

void on_sigbus(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const std::size_t used = regions_used.load();
  for (std::size_t i = 0; i < used; ++i) {
    Region& region = regions[i];
    const std::uintptr_t begin = region.begin.load();
    if (begin == 0 || at < begin || at >= region.end.load()) continue;
    region.damaged.store(true);
    const std::uintptr_t size = page_size.load();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address from siginfo_t
    void* const page = reinterpret_cast<void*>(at / size * size);
    if (::mmap(page, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
               -1, 0) != MAP_FAILED) {
      errno = saved_errno;
      return;
    }
  }
  errno = saved_errno;
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(number, info, context);
  } else if (previous_action.sa_handler != SIG_DFL &&
             previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(number);
  } else {
    ::sigaction(SIGBUS, &previous_action, nullptr);
  }
}

std::mutex registration;

bool install_handler() {
  static const bool installed = [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_sigbus;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &previous_action) == 0;
  }();
  return installed;
}

// The index of the new region, or kRegions when the table is full.
std::size_t add_region(const void* begin, std::size_t size) {
  const std::scoped_lock lock(registration);
  if (!install_handler()) return kRegions;
  for (std::size_t i = 0; i < kRegions; ++i) {
    Region& region = regions[i];
    if (region.begin.load() != 0) continue;
    const auto at = reinterpret_cast<std::uintptr_t>(begin);
    region.damaged = false;
    region.end = at + size;
    region.begin = at;
    if (regions_used < i + 1) regions_used = i + 1;
    return i;
  }
  return kRegions;
}

void remove_region(std::size_t i) {
  const std::scoped_lock lock(registration);
  regions[i].begin = 0;
}

base::Error io_error(const std::string& doing, const std::string& path) {
  return base::Error{errno == ENOENT || errno == ENOTDIR ? base::Errc::kNotFound
                                                         : base::Errc::kIo,
                     doing + ": " + base::errno_text(errno), path};
}

}  // namespace

bool MappedFile::identify(Identity& out) const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return false;
  out.device = info.st_dev;
  out.inode = info.st_ino;
  out.size = static_cast<std::uint64_t>(info.st_size);
  out.seconds = info.st_mtim.tv_sec;
  out.nanoseconds = info.st_mtim.tv_nsec;
  return true;
}

bool MappedFile::map() {
  const std::size_t size = identity_.size;
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_, 0);
  if (at == MAP_FAILED) return false;
  slot_ = add_region(at, size);
  if (slot_ == kRegions) {
    ::munmap(at, size);
    return false;
  }
  mapped_ = true;
  bytes_ = base::Bytes(static_cast<const std::byte*>(at), size);
  return true;
}

base::Result<std::unique_ptr<MappedFile>> MappedFile::open(
    const std::string& path, std::size_t map_from) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return io_error("cannot open", path);
  if (!S_ISREG(info.st_mode)) {
    return base::Error{base::Errc::kIo,
                       "not a regular file (a pipe, socket or device is never "
                       "opened)",
                       path};
  }
  std::unique_ptr<MappedFile> file(new MappedFile());
  file->fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file->fd_ < 0) return io_error("cannot open", path);
  if (::fstat(file->fd_, &info) != 0) return io_error("cannot stat", path);
  if (!S_ISREG(info.st_mode) || !file->identify(file->identity_)) {
    return base::Error{base::Errc::kIo, "not a regular file", path};
  }
  if (file->identity_.size >= map_from && file->identity_.size > 0 &&
      file->map()) {
    return file;
  }
  auto& memory = file->memory_;
  memory.resize(file->identity_.size);
  std::size_t have = 0;
  while (have < memory.size()) {
    const ssize_t n = ::pread(file->fd_, memory.data() + have,
                              memory.size() - have, static_cast<off_t>(have));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", path);
    if (n == 0) {
      return base::Error{
          base::Errc::kIo,
          "the file shrank while it was read: " + std::to_string(have) +
              " of " + std::to_string(memory.size()) + " bytes",
          path};
    }
    have += static_cast<std::size_t>(n);
  }
  file->bytes_ = memory;
  if (file->changed()) {
    return base::Error{base::Errc::kIo, "the file changed while it was read",
                       path};
  }
  ::close(file->fd_);
  file->fd_ = -1;
  return file;
}

std::unique_ptr<MappedFile> MappedFile::spill(base::Bytes bytes) {
  const char* folder = std::getenv("TMPDIR");
  if (folder == nullptr || *folder == '\0') folder = "/tmp";
  std::unique_ptr<MappedFile> file(new MappedFile());
  file->fd_ = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file->fd_ < 0) return nullptr;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::write(file->fd_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return nullptr;
    done += static_cast<std::size_t>(n);
  }
  if (!file->identify(file->identity_) || file->identity_.size == 0 ||
      !file->map()) {
    return nullptr;
  }
  return file;
}

bool MappedFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (fd_ < 0) return false;
  std::size_t have = 0;
  while (have < out.size()) {
    const ssize_t n = ::pread(fd_, out.data() + have, out.size() - have,
                              static_cast<off_t>(offset + have));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    have += static_cast<std::size_t>(n);
  }
  return true;
}

MappedFile::~MappedFile() {
  if (mapped_) {
    remove_region(slot_);
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  if (fd_ >= 0) ::close(fd_);
}

bool MappedFile::damaged() const {
  return mapped_ && regions[slot_].damaged.load();
}

bool MappedFile::changed() const {
  if (fd_ < 0) return false;
  Identity now;
  return damaged() || !identify(now) || !(now == identity_);
}

bool MappedFile::in_last_page(base::Bytes part) const {
  if (!mapped_) return false;
  const std::size_t end =
      static_cast<std::size_t>(part.data() - bytes_.data()) + part.size();
  const std::size_t page = page_size.load();
  return end > (bytes_.size() - 1) / page * page;
}

bool MappedFile::same_file(const MappedFile& other) const {
  return identity_ == other.identity_;
}

}  // namespace rejig::classfile
