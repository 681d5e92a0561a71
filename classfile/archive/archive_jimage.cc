// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/archive_jimage.h"

#include <cstring>

#include "classfile/archive/crc.h"
#include "classfile/archive/inflate.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

// Entry::method of a resource that jlink has compressed; no zip method.
constexpr std::uint16_t kJlinkCompressed = 0xffff;

}  // namespace

base::Result<std::unique_ptr<Artefact>> JimageArtefact::open(
    const std::string& path, std::unique_ptr<MappedFile> file) {
  REJIG_TRY(Jimage image, Jimage::parse(file->bytes(), path));
  std::unique_ptr<JimageArtefact> out(
      new JimageArtefact(path, std::move(file), std::move(image)));
  out->container_.kind = ArtefactKind::kJimage;
  const auto& resources = out->image_.resources();
  out->entries_.reserve(resources.size());
  for (std::size_t i = 0; i < resources.size(); ++i) {
    Entry entry;
    entry.name = resources[i].name;
    entry.size = resources[i].size;
    entry.stored_size = resources[i].stored_size;
    entry.method = resources[i].compressed ? kJlinkCompressed : 0;
    entry.hidden =
        i + 1 < resources.size() && resources[i + 1].name == entry.name;
    out->entries_.push_back(entry);
  }
  if (out->file_->damaged()) {
    return Error{Errc::kIo, "the file shrank while it was read", path};
  }
  return std::unique_ptr<Artefact>(std::move(out));
}

base::Error JimageArtefact::shrunk(EntryId id) const {
  return Error{Errc::kIo, "the file changed while it was read", where(id)};
}

std::optional<Bytes> JimageArtefact::stored_bytes(EntryId id) const {
  const JimageResource& resource = image_.resources()[id.index()];
  return file_->bytes().subspan(static_cast<std::size_t>(resource.offset),
                                static_cast<std::size_t>(resource.stored_size));
}

base::Result<Bytes> JimageArtefact::read(EntryId id,
                                         base::Buffer& buffer) const {
  const JimageResource& resource = image_.resources()[id.index()];
  const Bytes stored = *stored_bytes(id);
  Bytes out;
  if (resource.compressed) {
    auto done = image_.decompress(resource, stored, buffer, where(id));
    if (!done.ok()) {
      if (file_->changed()) return shrunk(id);
      return std::move(done).error();
    }
    out = *done;
  } else if (resource.size > kLargestRead) {
    return Error{Errc::kLimit,
                 "holds " + std::to_string(resource.size) + " bytes; at most " +
                     std::to_string(kLargestRead) + " are read",
                 where(id)};
  } else {
    std::byte* const copy = buffer.room(static_cast<std::size_t>(resource.size) + 1);
    if (!stored.empty()) std::memcpy(copy, stored.data(), stored.size());
    out = Bytes(copy, stored.size());
  }
  if (file_->damaged() || (file_->in_last_page(stored) && file_->changed())) {
    return shrunk(id);
  }
  return out;
}

base::Result<Checksum> JimageArtefact::checksum(EntryId id) const {
  base::Buffer buffer;
  REJIG_TRY(const Bytes bytes, read(id, buffer));
  return Checksum{bytes.size(), crc32(bytes)};
}

base::Result<void> JimageArtefact::check_unchanged() const {
  if (file_->changed()) {
    return Error{Errc::kIo, "the file changed while it was read", path_};
  }
  return {};
}

}  // namespace rejig::classfile
