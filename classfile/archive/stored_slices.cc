// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/stored_slices.h"

#include "classfile/archive/zip.h"

namespace rejig::classfile {

namespace {

// What a local header may have beyond what the directory says.
constexpr std::uint64_t kExtra = 256;

}  // namespace

std::optional<StoredExtent> stored_extent(const Artefact& artefact,
                                          EntryId id) {
  const auto local = artefact.stored_place(id);
  const MappedFile* const file = artefact.file();
  if (!local || file == nullptr) return std::nullopt;
  const Entry& entry = artefact.entries()[id.index()];
  const std::uint64_t size = file->bytes().size();
  StoredExtent out;
  out.begin = *local;
  if (out.begin >= size || entry.stored_size > size - out.begin) {
    return std::nullopt;
  }
  out.end = std::min(size, out.begin + kZipLocalSize + entry.name.size() +
                               kExtra + entry.stored_size);
  return out;
}

std::optional<base::Bytes> StoredWindow::stored(
    const StoredExtent& extent, std::uint64_t stored_size) const {
  const auto found =
      zip_stored_bytes(bytes_, 0, extent.begin - begin_, stored_size);
  if (!found.ok()) return std::nullopt;
  return *found;
}

}  // namespace rejig::classfile
