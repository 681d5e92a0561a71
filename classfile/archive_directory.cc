// SPDX-License-Identifier: Apache-2.0
// Class directories: walked in sorted order, symbolic links followed as a class
// loader does, loops cut where a folder would contain itself.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "classfile/archive_tree.h"
#include "classfile/base/file.h"
#include "classfile/base/parallel.h"
#include "classfile/base/string_order.h"
#include "classfile/inflate.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::size_t kDeepestFolder = 256;
constexpr std::size_t kFewFolders = 8;  // not worth a thread
constexpr std::size_t kMostFilesOnDisk = std::size_t{1} << 22;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

struct Folder {
  std::string name;  // from the root, "" or ending in '/'
  std::vector<std::pair<std::uint64_t, std::uint64_t>> inside;  // device, inode
};

struct Found {
  std::string name;
  FileStamp stamp;
};

constexpr std::int64_t kSecond = 1'000'000'000;
std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

FileStamp stamp_of(const struct stat& info) {
  return {static_cast<std::uint64_t>(info.st_dev),
          static_cast<std::uint64_t>(info.st_ino),
          static_cast<std::uint64_t>(info.st_size), nanoseconds(info.st_mtim),
          nanoseconds(info.st_ctim)};
}

struct Item {
  std::string name;
  int problem = 0;  // errno
  struct stat info {};
};

base::Result<std::vector<Item>> items_in(const std::string& path) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
  if (!folder) {
    return Error{Errc::kIo, "cannot open folder: " + base::errno_text(errno),
                 path};
  }
  std::vector<Item> items;
  while (true) {
    errno = 0;
    const dirent* const item = ::readdir(folder.get());
    if (item == nullptr) break;
    const std::string_view name = item->d_name;
    if (name != "." && name != "..") items.emplace_back().name = name;
  }
  if (errno != 0) {
    return Error{Errc::kIo, "cannot read folder: " + base::errno_text(errno),
                 path};
  }
  for (Item& one : items) {
    if (::fstatat(::dirfd(folder.get()), one.name.c_str(), &one.info, 0) != 0) {
      one.problem = errno;
    }
  }
  return items;
}

base::Result<void> add_items(const std::string& root, const Folder& folder,
                             const std::vector<Item>& items,
                             std::vector<Found>& found,
                             std::vector<Folder>& todo,
                             base::Diagnostics& diagnostics) {
  for (const Item& item : items) {
    std::string inner = folder.name + item.name;
    if (item.problem != 0) {
      diagnostics.note("skipped: " + base::errno_text(item.problem),
                       root + "/" + inner);
    } else if (S_ISREG(item.info.st_mode)) {
      found.push_back({std::move(inner), stamp_of(item.info)});
    } else if (!S_ISDIR(item.info.st_mode)) {
      diagnostics.note("skipped: neither file nor folder", root + "/" + inner);
    } else if (std::find(folder.inside.begin(), folder.inside.end(),
                         std::pair<std::uint64_t, std::uint64_t>(
                             item.info.st_dev, item.info.st_ino)) !=
               folder.inside.end()) {
      diagnostics.note("skipped: the folder contains itself",
                       root + "/" + inner);
    } else if (folder.inside.size() >= kDeepestFolder) {
      diagnostics.widened("folders deeper than " +
                              std::to_string(kDeepestFolder) + " are not read",
                          root + "/" + inner);
    } else {
      Folder next{inner + "/", folder.inside};
      next.inside.emplace_back(item.info.st_dev, item.info.st_ino);
      todo.push_back(std::move(next));
    }
    if (found.size() + todo.size() > kMostFilesOnDisk) {
      return Error{Errc::kLimit,
                   "more than the " + std::to_string(kMostFilesOnDisk) +
                       " files that are read from one folder",
                   root};
    }
  }
  return {};
}

}  // namespace

base::Result<std::unique_ptr<Artefact>> TreeArtefact::open_directory(
    const std::string& path, base::Diagnostics& diagnostics) {
  std::unique_ptr<TreeArtefact> out(new TreeArtefact(path));
  Container container;
  container.kind = ArtefactKind::kDirectory;
  out->containers_.push_back(container);
  out->stores_.emplace_back();
  REJIG_TRY_VOID(out->add_directory(diagnostics));
  out->add_nested(0, diagnostics);
  out->sort_names();
  return std::unique_ptr<Artefact>(std::move(out));
}

base::Result<void> TreeArtefact::add_directory(base::Diagnostics& diagnostics) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  stamped_at_ = nanoseconds(now);
  std::vector<Found> found;
  struct stat info {};
  if (::stat(path_.c_str(), &info) != 0) {
    return Error{Errc::kIo, "cannot read: " + base::errno_text(errno), path_};
  }
  // Folders of one depth at the same time: asking for what stands in them and
  // what it is takes most of the time.
  std::optional<base::ThreadPool> pool;
  std::vector<Folder> todo{Folder{{}, {{info.st_dev, info.st_ino}}}};
  while (!todo.empty()) {
    const std::vector<Folder> folders = std::exchange(todo, {});
    std::vector<base::Result<std::vector<Item>>> listed(folders.size(),
                                                        std::vector<Item>());
    const auto list = [&](unsigned, std::size_t i) {
      listed[i] = items_in(path_ + "/" + folders[i].name);
    };
    if (folders.size() < kFewFolders) {
      for (std::size_t i = 0; i < folders.size(); ++i) list(0, i);
    } else {
      if (!pool) pool.emplace();
      pool->for_each(folders.size(), list);
    }
    for (std::size_t i = 0; i < folders.size(); ++i) {
      const Folder& folder = folders[i];
      if (listed[i].ok()) {
        REJIG_TRY_VOID(
            add_items(path_, folder, *listed[i], found, todo, diagnostics));
      } else if (folder.name.empty()) {
        return std::move(listed[i]).error();
      } else {
        diagnostics.widened(listed[i].error());
      }
    }
  }
  std::vector<std::string_view> names;
  names.reserve(found.size());
  for (const Found& file : found) names.push_back(file.name);
  for (const std::uint32_t i : base::order_of(names)) {
    const FileStamp& stamp = found[i].stamp;
    Entry entry;
    entry.size = entry.stored_size = stamp.size;
    REJIG_TRY_VOID(add_entry(entry, Place(), found[i].name));
    stamps_.push_back(stamp);
  }
  known_ = std::make_unique<Known[]>(stamps_.size());
  stores_[0].count = static_cast<std::uint32_t>(entries_.size());
  return {};
}

const KnownContent* TreeArtefact::known_content(EntryId id) const {
  if (id.index() >= stamps_.size()) return nullptr;
  const Known& known = known_[id.index()];
  return known.state.load(std::memory_order_acquire) == 2 ? &known.content
                                                          : nullptr;
}

void TreeArtefact::note_content(EntryId id,
                                const base::Digest128& content) const {
  if (id.index() >= stamps_.size()) return;
  Known& known = known_[id.index()];
  std::uint8_t nobody = 0;
  if (!known.state.compare_exchange_strong(nobody, 1)) return;
  known.content.content = content;
  known.state.store(2, std::memory_order_release);
}

base::Result<Bytes> TreeArtefact::read_from_directory(
    EntryId id, std::vector<std::byte>& buffer) const {
  const std::string path = disk_path(id);
  const auto failed = [&](std::string what) {
    return Error{Errc::kIo, std::move(what), where(id)};
  };
  struct Descriptor {
    int fd;
    ~Descriptor() {
      if (fd >= 0) ::close(fd);
    }
  } const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) return failed("cannot open: " + base::errno_text(errno));
  struct stat info {};
  if (::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return failed("not a regular file any more");
  }
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size != entries_[id.index()].size) {
    return failed(
        "the file changed while it was read: " + std::to_string(size) +
        " bytes, before " + std::to_string(entries_[id.index()].size));
  }
  if (size > kLargestRead) {
    return Error{Errc::kLimit,
                 "holds " + std::to_string(size) + " bytes; at most " +
                     std::to_string(kLargestRead) + " are read",
                 where(id)};
  }
  std::byte* const out = room_for(buffer, size + 1);
  std::size_t have = 0;
  while (have <= size) {
    const ssize_t n =
        ::read(file.fd, out + have, static_cast<std::size_t>(size) + 1 - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("cannot read: " + base::errno_text(errno));
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  if (have != size) return failed("the file changed while it was read");
  return Bytes(out, have);
}

}  // namespace rejig::classfile
