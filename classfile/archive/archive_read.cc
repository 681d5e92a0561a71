// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>

#include "classfile/archive/archive_tree.h"
#include "classfile/archive/crc.h"
#include "classfile/archive/front_inflater.h"
#include "classfile/archive/inflate.h"
#include "classfile/archive/zip.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

FrontInflater& front_inflater() {
  thread_local const auto instance = std::make_unique<FrontInflater>();
  return *instance;
}

bool plain(std::uint16_t method) {
  return method == kZipStored || method == kZipDeflated;
}

}  // namespace

base::Error TreeArtefact::placed(Error error, EntryId id) const {
  const std::string at = error.where.empty() ? "" : " " + error.where;
  error.where = where(id) + at;
  return error;
}

base::Error TreeArtefact::shrunk(EntryId id) const {
  return Error{Errc::kIo, "the file changed while it was read", where(id)};
}

std::string TreeArtefact::disk_path(EntryId id) const {
  return path_ + "/" + std::string(entries_[id.index()].name);
}

std::optional<Bytes> TreeArtefact::stored_bytes(EntryId id) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  switch (containers_[entry.container].kind) {
    case ArtefactKind::kClassFile:
      return store.bytes;
    case ArtefactKind::kDirectory:
    case ArtefactKind::kJimage:
      return std::nullopt;
    case ArtefactKind::kZip:
    case ArtefactKind::kJmod:
      break;
  }
  const Place& place = places_[id.index()];
  if (store.directory_by_libzip || (place.flags & kZipEncrypted) != 0) {
    return std::nullopt;
  }
  const auto bytes =
      zip_stored_bytes(store.bytes, store.base, place.local, entry.stored_size);
  if (!bytes.ok()) return std::nullopt;
  return *bytes;
}

std::optional<std::uint64_t> TreeArtefact::stored_place(EntryId id) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  const ArtefactKind kind = containers_[entry.container].kind;
  const Place& place = places_[id.index()];
  const bool in_file =
      (kind == ArtefactKind::kZip || kind == ArtefactKind::kJmod) &&
      store.file != nullptr && store.file == file() && store.file->mapped();
  if (!in_file || store.directory_by_libzip ||
      (place.flags & kZipEncrypted) != 0) {
    return std::nullopt;
  }
  // A nested archive is a part of the file's bytes.
  const auto begin = static_cast<std::uint64_t>(store.bytes.data() -
                                                store.file->bytes().data());
  return begin + store.base + place.local;
}

base::Result<Bytes> TreeArtefact::read(EntryId id,
                                       base::Buffer& buffer) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  const Place& place = places_[id.index()];
  const ArtefactKind kind = containers_[entry.container].kind;
  if (kind == ArtefactKind::kDirectory) return read_from_directory(id, buffer);
  if ((place.flags & kZipEncrypted) != 0) {
    return Error{Errc::kUnsupported, "the entry is encrypted", where(id)};
  }
  if (store.directory_by_libzip || !plain(entry.method)) {
    return read_by_libzip(id, buffer);
  }

  Bytes stored = store.bytes;
  if (kind != ArtefactKind::kClassFile) {
    auto found = zip_stored_bytes(store.bytes, store.base, place.local,
                                  entry.stored_size);
    if (!found.ok()) {
      if (store.file != nullptr && store.file->changed()) return shrunk(id);
      return placed(std::move(found).error(), id);
    }
    stored = *found;
  }
  const bool is_mapped = store.file != nullptr && store.file->mapped();
  Bytes out;
  if (entry.method == kZipDeflated) {
    const auto end = store.bytes.data() + store.bytes.size();
    auto inflated = inflate(
        stored, entry.size, buffer, Wrapper::kRaw,
        static_cast<std::size_t>(end - (stored.data() + stored.size())));
    if (!inflated.ok()) {
      if (is_mapped && store.file->changed()) return shrunk(id);
      return placed(std::move(inflated).error(), id);
    }
    out = *inflated;
  } else if (entry.size != entry.stored_size) {
    return Error{Errc::kMalformed,
                 "stored entry of " + std::to_string(entry.stored_size) +
                     " bytes says it has " + std::to_string(entry.size),
                 where(id)};
  } else if (!is_mapped) {
    out = stored;
  } else if (entry.size > kLargestRead) {
    return Error{Errc::kLimit,
                 "holds " + std::to_string(entry.size) + " bytes; at most " +
                     std::to_string(kLargestRead) + " are read",
                 where(id)};
  } else {
    std::byte* const copy = buffer.room(static_cast<std::size_t>(entry.size) + 1);
    if (!stored.empty()) std::memcpy(copy, stored.data(), stored.size());
    out = Bytes(copy, stored.size());
  }
  if (is_mapped && store.file->damaged()) return shrunk(id);
  if (kind == ArtefactKind::kClassFile) {
    if (is_mapped && store.file->changed()) return shrunk(id);
    return out;
  }
  REJIG_TRY_VOID(sum_up(id, out));
  return out;
}

// A wrong sum is noted; the bytes are used.
base::Result<void> TreeArtefact::sum_up(EntryId id, Bytes bytes) const {
  const Entry& entry = entries_[id.index()];
  if (crc32(bytes) == entry.crc) return {};
  const MappedFile* const file = stores_[entry.container].file;
  if (file != nullptr && file->mapped() && file->changed()) return shrunk(id);
  const std::scoped_lock lock(wrong_mutex_);
  wrong_.push_back(id);
  return {};
}

base::Result<Bytes> TreeArtefact::read_front(EntryId id, base::Buffer& buffer,
                                             const MoreWanted& more) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  const auto stored =
      entry.method == kZipDeflated && entry.size <= kLargestRead
          ? stored_bytes(id)
          : std::nullopt;
  // Whatever is not as usual is read as a whole, which says what is wrong.
  if (!stored || !inflates_to_at_most(*stored, entry.size)) {
    return Artefact::read_front(id, buffer, more);
  }
  const auto size = static_cast<std::size_t>(entry.size);
  std::byte* const out = buffer.room(size + FrontInflater::kRoomBehind);
  const auto end = store.bytes.data() + store.bytes.size();
  FrontInflater& inflater = front_inflater();
  inflater.begin(*stored,
                 static_cast<std::size_t>(
                     end - (stored->data() + stored->size())),
                 out, size);
  for (std::size_t wanted = more({}); wanted != 0;) {
    if (!inflater.until(wanted)) {
      return Artefact::read_front(id, buffer, more);
    }
    const Bytes bytes(out, inflater.have());
    wanted = more(bytes);
    if (bytes.size() == size && wanted != 0) break;
  }
  if (store.file != nullptr && store.file->damaged()) return shrunk(id);
  const Bytes bytes(out, inflater.have());
  if (bytes.size() == size) {
    // The stream may go on behind what was asked for.
    if (!inflater.until(size)) return Artefact::read_front(id, buffer, more);
    REJIG_TRY_VOID(sum_up(id, bytes));
  }
  return bytes;
}

base::Result<LibzipArchive*> TreeArtefact::libzip_of(const Store& store) const {
  if (!store.libzip) {
    REJIG_TRY(store.libzip, LibzipArchive::open(store.bytes));
  }
  return store.libzip.get();
}

base::Result<Bytes> TreeArtefact::read_by_libzip(
    EntryId id, base::Buffer& buffer) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  const std::scoped_lock lock(store.libzip_mutex);
  auto archive = libzip_of(store);
  if (!archive.ok()) return placed(std::move(archive).error(), id);
  const std::uint64_t index = places_[id.index()].index;
  auto record = (*archive)->record(index);
  if (!record.ok()) return placed(std::move(record).error(), id);
  if (record->name != local_name(id)) {
    return Error{
        Errc::kMalformed,
        "libzip finds \"" + std::string(record->name) + "\" in its place",
        where(id)};
  }
  auto bytes = (*archive)->read(index, buffer);
  if (!bytes.ok()) return placed(std::move(bytes).error(), id);
  if (store.file != nullptr && store.file->changed()) return shrunk(id);
  return *bytes;
}

base::Result<Checksum> TreeArtefact::checksum(EntryId id) const {
  const Entry& entry = entries_[id.index()];
  const Store& store = stores_[entry.container];
  const ArtefactKind kind = containers_[entry.container].kind;
  const bool is_zip = kind == ArtefactKind::kZip || kind == ArtefactKind::kJmod;
  if (entry.size <= kLargestRead || !is_zip) {
    base::Buffer buffer;
    REJIG_TRY(const Bytes bytes, read(id, buffer));
    return Checksum{bytes.size(), crc32(bytes)};
  }
  if (entry.method == kZipStored && entry.size == entry.stored_size) {
    const auto stored = stored_bytes(id);
    if (!stored) {
      return Error{Errc::kMalformed, "its data lies outside the archive",
                   where(id)};
    }
    const Checksum out{stored->size(), crc32(*stored)};
    if (store.file != nullptr && store.file->changed()) return shrunk(id);
    return out;
  }
  const std::scoped_lock lock(store.libzip_mutex);
  auto archive = libzip_of(store);
  if (!archive.ok()) return placed(std::move(archive).error(), id);
  auto sum = (*archive)->sum(places_[id.index()].index);
  if (!sum.ok()) return placed(std::move(sum).error(), id);
  if (store.file != nullptr && store.file->changed()) return shrunk(id);
  return Checksum{sum->first, sum->second};
}

std::vector<EntryId> TreeArtefact::wrong_checksums() const {
  const std::scoped_lock lock(wrong_mutex_);
  std::vector<EntryId> out = wrong_;
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

base::Result<void> TreeArtefact::check_unchanged() const {
  for (const auto& file : files_) {
    if (file->changed()) {
      return Error{Errc::kIo, "the file changed while it was read", path_};
    }
  }
  return {};
}

const MappedFile* TreeArtefact::file() const {
  return containers_[0].kind == ArtefactKind::kDirectory || files_.empty()
             ? nullptr
             : files_[0].get();
}

}  // namespace rejig::classfile
