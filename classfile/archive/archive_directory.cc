// SPDX-License-Identifier: Apache-2.0
// Class directories: sorted, symbolic links followed as a class
// loader does, loops cut where a folder would contain itself.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>

#include "classfile/archive/archive_tree.h"
#include "classfile/archive/inflate.h"
#include "classfile/base/file.h"
#include "classfile/base/parallel.h"

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

enum class ItemKind : std::uint8_t { kFile, kFolder, kOther, kUnknown };

struct Item {
  std::string name;  // of a folder with '/' behind it
  ItemKind kind = ItemKind::kUnknown;
  int problem = 0;           // errno, of an unknown one
  std::uint32_t folder = 0;  // 0: it is not looked into
  FileStamp stamp;
};

struct Folder {
  std::string name;  // from the root, "" or ending in '/'
  std::vector<std::pair<std::uint64_t, std::uint64_t>> inside;  // device, inode
  std::vector<Item> items;                                      // sorted
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

// With '/' behind folders they stand in the order of the names of all files.
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
    struct stat info {};
    if (::fstatat(::dirfd(folder.get()), one.name.c_str(), &info, 0) != 0) {
      one.problem = errno;
      continue;
    }
    one.stamp = stamp_of(info);
    one.kind = ItemKind::kOther;
    if (S_ISREG(info.st_mode)) one.kind = ItemKind::kFile;
    if (S_ISDIR(info.st_mode)) {
      one.kind = ItemKind::kFolder;
      one.name += '/';
    }
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.name < b.name; });
  return items;
}

// The folder that the item is, if it is to be looked into.
std::optional<Folder> folder_of(const Item& item, const Folder& in,
                                const std::string& root,
                                base::Diagnostics& diagnostics) {
  const auto where = [&] {
    std::string out = root + "/" + in.name + item.name;
    if (out.ends_with('/')) out.pop_back();
    return out;
  };
  switch (item.kind) {
    case ItemKind::kFile:
      return std::nullopt;
    case ItemKind::kUnknown:
      diagnostics.note("skipped: " + base::errno_text(item.problem), where());
      return std::nullopt;
    case ItemKind::kOther:
      diagnostics.note("skipped: neither file nor folder", where());
      return std::nullopt;
    case ItemKind::kFolder:
      break;
  }
  const std::pair place(item.stamp.device, item.stamp.inode);
  if (std::find(in.inside.begin(), in.inside.end(), place) != in.inside.end()) {
    diagnostics.note("skipped: the folder contains itself", where());
    return std::nullopt;
  }
  if (in.inside.size() >= kDeepestFolder) {
    diagnostics.widened("folders deeper than " +
                            std::to_string(kDeepestFolder) + " are not read",
                        where());
    return std::nullopt;
  }
  Folder out{in.name + item.name, in.inside, {}};
  out.inside.push_back(place);
  return out;
}

// Folders of one depth at the same time: asking for what stands in them and
// what it is takes most of the time. The first one is the root.
base::Result<std::deque<Folder>> folders_below(const std::string& root,
                                               base::Diagnostics& diagnostics) {
  struct stat info {};
  if (::stat(root.c_str(), &info) != 0) {
    return Error{Errc::kIo, "cannot read: " + base::errno_text(errno), root};
  }
  std::optional<base::ThreadPool> pool;
  std::deque<Folder> folders;
  folders.push_back({"", {{info.st_dev, info.st_ino}}, {}});
  std::size_t files = 0;
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = folders.size();
    std::vector<base::Result<std::vector<Item>>> listed(end - begin,
                                                        std::vector<Item>());
    const auto list = [&](unsigned, std::size_t i) {
      listed[i] = items_in(root + "/" + folders[begin + i].name);
    };
    if (end - begin < kFewFolders) {
      for (std::size_t i = 0; i < listed.size(); ++i) list(0, i);
    } else {
      if (!pool) pool.emplace();
      pool->for_each(listed.size(), list);
    }
    for (auto& one : listed) {
      Folder& folder = folders[begin++];
      if (!one.ok()) {
        if (folder.name.empty()) return std::move(one).error();
        diagnostics.widened(one.error());
        continue;
      }
      folder.items = std::move(one).value();
      for (Item& item : folder.items) {
        auto next = folder_of(item, folder, root, diagnostics);
        if (!next) continue;
        item.folder = static_cast<std::uint32_t>(folders.size());
        folders.push_back(std::move(*next));
      }
      files += folder.items.size();
      if (files > kMostFilesOnDisk) {
        return Error{Errc::kLimit,
                     "more than the " + std::to_string(kMostFilesOnDisk) +
                         " files that are read from one folder",
                     root};
      }
    }
  }
  return folders;
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
  REJIG_TRY(const auto folders, folders_below(path_, diagnostics));
  struct Step {
    const Folder* folder;
    std::size_t next = 0;
  };
  std::vector<Step> path{{&folders.front()}};
  std::string name;
  while (!path.empty()) {
    auto& [folder, next] = path.back();
    if (next == folder->items.size()) {
      path.pop_back();
      continue;
    }
    const Item& item = folder->items[next++];
    if (item.folder != 0) {
      path.push_back({&folders[item.folder]});
    } else if (item.kind == ItemKind::kFile) {
      Entry entry;
      entry.size = entry.stored_size = item.stamp.size;
      name.assign(folder->name).append(item.name);
      name_order_.push_back(static_cast<std::uint32_t>(entries_.size()));
      REJIG_TRY_VOID(add_entry(entry, Place(), name));
      stamps_.push_back(item.stamp);
    }
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
                                const base::Digest256& content) const {
  if (id.index() >= stamps_.size()) return;
  Known& known = known_[id.index()];
  std::uint8_t nobody = 0;
  if (!known.state.compare_exchange_strong(nobody, 1)) return;
  known.content.content = content;
  known.state.store(2, std::memory_order_release);
}

base::Result<Bytes> TreeArtefact::read_from_directory(
    EntryId id, base::Buffer& buffer) const {
  Known& known = known_[id.index()];
  if (const std::byte* bytes = known.bytes.load(std::memory_order_acquire)) {
    return Bytes(bytes, static_cast<std::size_t>(entries_[id.index()].size));
  }
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
  std::byte* const out = buffer.room(static_cast<std::size_t>(size) + 1);
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
  keep(known, Bytes(out, have));
  return Bytes(out, have);
}

// A class is asked for by the comparison, the discovery of tests, digests and
// the store: they see the same bytes, and the file is opened once. Large
// programs are read again where this would take too much memory.
void TreeArtefact::keep(Known& known, Bytes bytes) const {
  constexpr std::size_t kLargest = std::size_t{1} << 18;
  constexpr std::size_t kMost = std::size_t{1} << 25;
  if (bytes.empty() || bytes.size() > kLargest) return;
  if (kept_.fetch_add(bytes.size()) + bytes.size() > kMost) {
    kept_.fetch_sub(bytes.size());
    return;
  }
  auto copy = std::make_unique<std::byte[]>(bytes.size());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  std::byte* nobody = nullptr;
  if (known.bytes.compare_exchange_strong(nobody, copy.get())) {
    static_cast<void>(copy.release());
  } else {  // another thread was faster
    kept_.fetch_sub(bytes.size());
  }
}

}  // namespace rejig::classfile
