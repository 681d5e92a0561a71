// SPDX-License-Identifier: Apache-2.0
// How an artefact becomes a flat list of entries: the entries of one container
// are appended in its order, then those of each archive nested in it, depth
// first. A stored nested archive is a part of its parent's bytes; a deflated
// one is inflated once and kept in memory, or in an unlinked temporary file
// when it is large.
#include "classfile/archive/archive_tree.h"

#include <algorithm>

#include "classfile/archive/archive_manifest.h"
#include "classfile/archive/inflate.h"
#include "classfile/archive/zip.h"
#include "classfile/base/string_order.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::uint32_t kDeepest = 8;
constexpr std::size_t kMostEntries = std::size_t{1} << 23;
constexpr std::size_t kMostContainers = std::size_t{1} << 16;
constexpr std::uint64_t kMostInflated = std::uint64_t{2} << 30;
constexpr std::uint64_t kKeptInMemory = std::uint64_t{32} << 20;

bool is_archive_name(std::string_view name) {
  if (!name.ends_with('r')) return false;  // nearly all names: .class
  for (const std::string_view end : {".jar", ".war", ".ear", ".rar"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

}  // namespace

base::Result<std::unique_ptr<Artefact>> TreeArtefact::open_file(
    const std::string& path, std::unique_ptr<MappedFile> file,
    ArtefactKind kind, base::Diagnostics& diagnostics) {
  std::unique_ptr<TreeArtefact> out(new TreeArtefact(path));
  Container container;
  container.kind = kind;
  out->containers_.push_back(container);
  Store& store = out->stores_.emplace_back();
  store.bytes = file->bytes();
  store.file = file.get();
  out->files_.push_back(std::move(file));
  if (kind == ArtefactKind::kClassFile) {
    Entry entry;
    entry.size = entry.stored_size = store.bytes.size();
    const auto slash = path.rfind('/');
    REJIG_TRY_VOID(out->add_entry(
        entry, Place(),
        slash == std::string::npos ? path : path.substr(slash + 1)));
    store.count = 1;
  } else {
    REJIG_TRY_VOID(out->add_zip(0, diagnostics));
    out->add_nested(0, diagnostics);
  }
  out->sort_names();
  if (out->files_[0]->damaged()) {
    return Error{Errc::kIo, "the file shrank while it was read", path};
  }
  return std::unique_ptr<Artefact>(std::move(out));
}

base::Result<void> TreeArtefact::add_entry(Entry entry, Place place,
                                           std::string_view name) {
  if (entries_.size() >= kMostEntries) {
    return Error{Errc::kLimit,
                 "more than the " + std::to_string(kMostEntries) +
                     " files that are read from one artefact",
                 path_};
  }
  const std::string_view prefix = containers_[entry.container].prefix;
  if (prefix.empty()) {
    entry.name = names_.copy(name);
  } else {
    entry.name = names_.copy(std::string(prefix) + std::string(name));
  }
  entries_.push_back(entry);
  places_.push_back(place);
  return {};
}

void TreeArtefact::drop_entries_from(std::size_t first) {
  entries_.resize(first);
  places_.resize(first);
}

base::Result<void> TreeArtefact::add_zip(std::uint32_t c,
                                         base::Diagnostics& diagnostics) {
  Store& store = stores_[c];
  const std::string where =
      path_ + (c == 0 ? "" : "!/" + std::string(containers_[c].prefix));
  const std::size_t first = entries_.size();
  store.first = static_cast<std::uint32_t>(first);

  std::optional<Error> ours;
  auto found = ZipDirectory::find(store.bytes, where);
  if (found.ok()) {
    ZipDirectory& directory = found.value();
    store.base = directory.base();
    const std::size_t guess =
        first + static_cast<std::size_t>(directory.likely_entries());
    if (c == 0) {
      entries_.reserve(std::min(guess, kMostEntries));
      places_.reserve(std::min(guess, kMostEntries));
    }
    ZipRecord record;
    for (std::uint32_t index = 0; directory.next(record); ++index) {
      if (record.name.ends_with('/')) continue;
      Entry entry;
      entry.size = record.size;
      entry.stored_size = record.stored_size;
      entry.crc = record.crc;
      entry.method = record.method;
      entry.container = c;
      REJIG_TRY_VOID(add_entry(entry, Place{record.local, index, record.flags},
                               record.name));
    }
    ours = directory.broken();
    containers_[c].refused = directory.refused();
    containers_[c].refused_by_some = directory.refused_by_some();
    if (!directory.refused_by_some().empty()) {
      diagnostics.widened(
          directory.refused_by_some() + "; newer JVMs refuse the whole archive",
          where);
    }
  } else {
    ours = found.error();
  }
  if (ours) {
    drop_entries_from(first);
    REJIG_TRY_VOID(add_zip_by_libzip(c, *ours));
  }
  store.count = static_cast<std::uint32_t>(entries_.size() - first);
  hide_duplicates(c);
  read_manifest(c);
  if (!containers_[c].refused.empty()) {
    diagnostics.widened(
        "a JVM refuses the whole archive: " + containers_[c].refused, where);
  }
  return {};
}

base::Result<void> TreeArtefact::add_zip_by_libzip(std::uint32_t c,
                                                   const Error& ours) {
  Store& store = stores_[c];
  auto archive = LibzipArchive::open(store.bytes);
  if (!archive.ok()) return ours;
  store.libzip = std::move(archive).value();
  store.directory_by_libzip = true;
  const std::uint64_t n = store.libzip->count();
  for (std::uint64_t i = 0; i < n; ++i) {
    auto record = store.libzip->record(i);
    if (!record.ok()) return ours;
    if (record->name.ends_with('/')) continue;
    Entry entry;
    entry.size = record->size;
    entry.stored_size = record->stored_size;
    entry.crc = record->crc;
    entry.method = record->method;
    entry.container = c;
    REJIG_TRY_VOID(
        add_entry(entry, Place{0, static_cast<std::uint32_t>(i), record->flags},
                  record->name));
  }
  containers_[c].refused = ours.what;
  return {};
}

std::vector<std::uint32_t> TreeArtefact::order_from(std::size_t first) const {
  std::vector<std::string_view> names;
  names.reserve(entries_.size() - first);
  for (std::size_t i = first; i < entries_.size(); ++i) {
    names.push_back(entries_[i].name);
  }
  return base::order_of(names);
}

// Of several entries with one name the JVM finds the last.
void TreeArtefact::hide_duplicates(std::uint32_t c) {
  const std::uint32_t first = stores_[c].first;
  std::vector<std::uint32_t> order = order_from(first);
  for (std::size_t i = 1; i < order.size(); ++i) {
    Entry& before = entries_[first + order[i - 1]];
    if (before.name == entries_[first + order[i]].name) before.hidden = true;
  }
  if (c == 0) name_order_ = std::move(order);
}

// Of the archive itself they are sorted already.
void TreeArtefact::sort_names() {
  if (name_order_.size() != entries_.size()) name_order_ = order_from(0);
}

void TreeArtefact::refuse(std::uint32_t c, std::string why) {
  if (containers_[c].refused.empty()) containers_[c].refused = std::move(why);
}

void TreeArtefact::read_manifest(std::uint32_t c) {
  const Store& store = stores_[c];
  EntryId manifest;
  for (std::uint32_t i = store.first; i < store.first + store.count; ++i) {
    std::string_view name = entries_[i].name;
    name.remove_prefix(containers_[c].prefix.size());
    if (equal_ignoring_case(name, "META-INF/MANIFEST.MF")) {
      manifest = EntryId(i);
    }
  }
  containers_[c].manifest = manifest;
  if (!manifest || containers_[c].kind == ArtefactKind::kJmod) return;
  base::Buffer buffer;
  const auto bytes = read(manifest, buffer);
  if (!bytes.ok()) {
    refuse(c, "its manifest cannot be read");
    return;
  }
  const Manifest parsed = Manifest::parse(*bytes);
  containers_[c].multi_release = parsed.multi_release();
  if (parsed.drops_jar()) refuse(c, "its manifest cannot be parsed");
}

void TreeArtefact::add_nested(std::uint32_t c, base::Diagnostics& diagnostics) {
  const std::uint32_t first = stores_[c].first;
  const std::uint32_t end = first + stores_[c].count;
  for (std::uint32_t i = first; i < end; ++i) {
    if (entries_[i].hidden || !is_archive_name(entries_[i].name)) continue;
    const EntryId id(i);
    if (containers_[c].depth == kDeepest) {
      diagnostics.widened("archives nested deeper than " +
                              std::to_string(kDeepest) + " are not read",
                          where(id));
      continue;
    }
    const std::size_t first_entry = entries_.size();
    const std::size_t first_container = containers_.size();
    auto opened = open_nested(id, c, diagnostics);
    if (opened.ok()) continue;
    drop_entries_from(first_entry);
    containers_.resize(first_container);
    while (stores_.size() > first_container) stores_.pop_back();
    diagnostics.widened(opened.error());
    unreadable_.push_back(
        {std::string(entries_[i].name) + "!/", std::move(opened).error()});
  }
}

base::Result<void> TreeArtefact::open_nested(EntryId id, std::uint32_t parent,
                                             base::Diagnostics& diagnostics) {
  if (containers_.size() >= kMostContainers) {
    return Error{Errc::kLimit,
                 "more than the " + std::to_string(kMostContainers) +
                     " nested archives that are read from one artefact",
                 where(id)};
  }
  const Entry entry = entries_[id.index()];
  Bytes bytes;
  const MappedFile* file = stores_[parent].file;
  const auto stored = stored_bytes(id);
  if (containers_[parent].kind == ArtefactKind::kDirectory) {
    REJIG_TRY(auto opened, MappedFile::open(disk_path(id)));
    bytes = opened->bytes();
    file = opened.get();
    files_.push_back(std::move(opened));
  } else if (stored && entry.method == kZipStored &&
             entry.size == entry.stored_size) {
    bytes = *stored;
  } else {
    if (entry.size > kMostInflated - std::min(inflated_, kMostInflated)) {
      return Error{
          Errc::kLimit,
          "nested archives of this artefact inflate to more than the " +
              std::to_string(kMostInflated) + " bytes that are read",
          where(id)};
    }
    base::Buffer buffer;
    REJIG_TRY(bytes, read(id, buffer));
    inflated_ += bytes.size();
    std::unique_ptr<MappedFile> spilled;
    if (inflated_ > kKeptInMemory) spilled = MappedFile::spill(bytes);
    if (spilled) {
      bytes = spilled->bytes();
      file = spilled.get();
      files_.push_back(std::move(spilled));
    } else {
      memory_.push_back(std::move(buffer));
      file = nullptr;
    }
  }
  Container container;
  container.prefix = names_.copy(std::string(entry.name) + "!/");
  container.parent = parent;
  container.entry = id;
  container.depth = containers_[parent].depth + 1;
  const auto c = static_cast<std::uint32_t>(containers_.size());
  containers_.push_back(container);
  Store& store = stores_.emplace_back();
  store.bytes = bytes;
  store.file = file;
  REJIG_TRY_VOID(add_zip(c, diagnostics));
  add_nested(c, diagnostics);
  return {};
}

}  // namespace rejig::classfile
