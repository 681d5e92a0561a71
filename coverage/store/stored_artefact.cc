// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/stored_artefact.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "classfile/base/hash.h"

namespace rejig::coverage {

using base::Bytes;
using base::Errc;
using base::Error;
using classfile::EntryId;

namespace {

// Classes are asked in the order of their names, from a few threads at a time.
constexpr std::size_t kPacksKept = 32;

}  // namespace

base::Result<PackReader::Pack> PackReader::pack(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  if (const auto at = kept_.find(number); at != kept_.end()) return at->second;
  REJIG_TRY(auto contents,
            matrix_.facts(kPackPrefix + base::to_hex(packs_[number])));
  if (contents.size() != 1 || base::digest256(contents[0]) != packs_[number]) {
    return Error{Errc::kMalformed,
                 "a part of the old program is missing or another one",
                 base::to_hex(packs_[number])};
  }
  if (kept_.size() >= kPacksKept) kept_.erase(kept_.begin());
  auto pack = std::make_shared<const std::string>(std::move(contents[0]));
  kept_.emplace(number, pack);
  return pack;
}

base::Result<Bytes> PackReader::read(const StoredFile& file, std::uint64_t size,
                                     base::Buffer& buffer) {
  REJIG_TRY(const Pack all, pack(file.pack));
  if (file.offset > all->size() || size > all->size() - file.offset) {
    return Error{Errc::kMalformed, "it ends behind its part of the program",
                 ""};
  }
  const auto bytes = std::as_bytes(
      std::span(all->data() + file.offset, static_cast<std::size_t>(size)));
  std::byte* const out = buffer.room(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), out);
  return Bytes(out, bytes.size());
}

EntryId StoredArtefact::add(std::string_view name, classfile::Entry entry,
                            const StoredFile& file) {
  entry.name = names_.copy(name);
  entries_.push_back(entry);
  files_.push_back(file);
  return EntryId::of(entries_.size() - 1);
}

void StoredArtefact::add_refused(std::string in, std::string why) {
  refused_.push_back(
      {std::move(in), Error{Errc::kMalformed, std::move(why), path_}});
}

void StoredArtefact::add_refused_by_some(std::string_view in,
                                         std::string why) {
  classfile::Container& container = containers_.emplace_back();
  container.prefix = names_.copy(in);
  container.refused_by_some = std::move(why);
}

base::Result<Bytes> StoredArtefact::read(EntryId id,
                                         base::Buffer& buffer) const {
  const StoredFile& file = files_[id.index()];
  if (!file.readable || file.pack >= packs_->count()) {
    return Error{Errc::kUnsupported,
                 file.readable ? "the matrix keeps its digest only"
                               : "it could not be read when it was stored",
                 where(id)};
  }
  auto bytes = packs_->read(file, entries_[id.index()].size, buffer);
  if (bytes.ok()) return *bytes;
  Error error = bytes.error();
  error.where = where(id) + (error.where.empty() ? "" : " in " + error.where);
  return error;
}

base::Result<classfile::Checksum> StoredArtefact::checksum(EntryId id) const {
  return Error{Errc::kUnsupported, "no checksum is kept", where(id)};
}

}  // namespace rejig::coverage
