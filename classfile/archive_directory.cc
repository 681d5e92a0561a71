// SPDX-License-Identifier: Apache-2.0
// Class directories: walked in sorted order, symbolic links followed as a class
// loader does, loops cut where a folder would contain itself.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "classfile/archive_tree.h"
#include "classfile/base/file.h"
#include "classfile/inflate.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::size_t kDeepestFolder = 256;
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
  std::uint64_t size = 0;
};

base::Result<std::vector<std::string>> names_in(const std::string& path) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
  if (!folder) {
    return Error{Errc::kIo, "cannot open folder: " + base::errno_text(errno),
                 path};
  }
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const item = ::readdir(folder.get());
    if (item == nullptr) break;
    const std::string_view name = item->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) {
    return Error{Errc::kIo, "cannot read folder: " + base::errno_text(errno),
                 path};
  }
  return names;
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
  std::vector<Found> found;
  std::vector<Folder> todo{Folder{}};
  while (!todo.empty()) {
    Folder folder = std::move(todo.back());
    todo.pop_back();
    const std::string full = path_ + "/" + folder.name;
    struct stat info {};
    if (::stat(full.c_str(), &info) != 0) {
      return Error{Errc::kIo, "cannot read: " + base::errno_text(errno), full};
    }
    folder.inside.emplace_back(info.st_dev, info.st_ino);
    auto names = names_in(full);
    if (!names.ok()) {
      if (folder.name.empty()) return std::move(names).error();
      diagnostics.widened(names.error());
      continue;
    }
    for (const std::string& name : *names) {
      const std::string inner = folder.name + name;
      const std::string inner_full = path_ + "/" + inner;
      if (::stat(inner_full.c_str(), &info) != 0) {
        diagnostics.note("skipped: " + base::errno_text(errno), inner_full);
      } else if (S_ISREG(info.st_mode)) {
        found.push_back({inner, static_cast<std::uint64_t>(info.st_size)});
      } else if (!S_ISDIR(info.st_mode)) {
        diagnostics.note("skipped: neither file nor folder", inner_full);
      } else if (std::find(folder.inside.begin(), folder.inside.end(),
                           std::pair<std::uint64_t, std::uint64_t>(
                               info.st_dev, info.st_ino)) !=
                 folder.inside.end()) {
        diagnostics.note("skipped: the folder contains itself", inner_full);
      } else if (folder.inside.size() >= kDeepestFolder) {
        diagnostics.widened("folders deeper than " +
                                std::to_string(kDeepestFolder) +
                                " are not read",
                            inner_full);
      } else {
        todo.push_back({inner + "/", folder.inside});
      }
      if (found.size() + todo.size() > kMostFilesOnDisk) {
        return Error{Errc::kLimit,
                     "more than the " + std::to_string(kMostFilesOnDisk) +
                         " files that are read from one folder",
                     path_};
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.name < b.name; });
  for (const Found& file : found) {
    Entry entry;
    entry.size = entry.stored_size = file.size;
    REJIG_TRY_VOID(add_entry(entry, Place(), file.name));
  }
  stores_[0].count = static_cast<std::uint32_t>(entries_.size());
  return {};
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
