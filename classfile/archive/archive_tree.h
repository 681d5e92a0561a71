// SPDX-License-Identifier: Apache-2.0
// The Artefact behind everything but a jimage: one outer container (zip, jmod,
// class directory, class file) and the archives nested in it. Private to the
// archive_*.cc files.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/archive/mapped_file.h"
#include "classfile/archive/zip_fallback.h"
#include "classfile/base/arena.h"

namespace rejig::classfile {

class TreeArtefact : public Artefact {
 public:
  static base::Result<std::unique_ptr<Artefact>> open_file(
      const std::string& path, std::unique_ptr<MappedFile> file,
      ArtefactKind kind, base::Diagnostics& diagnostics);
  static base::Result<std::unique_ptr<Artefact>> open_directory(
      const std::string& path, base::Diagnostics& diagnostics);

  ArtefactKind kind() const override { return containers_[0].kind; }
  const std::string& path() const override { return path_; }
  std::span<const Entry> entries() const override { return entries_; }
  std::span<const std::uint32_t> name_order() const override {
    return name_order_;
  }
  base::Result<base::Bytes> read(EntryId id,
                                 base::Buffer& buffer) const override;
  base::Result<base::Bytes> read_front(EntryId id, base::Buffer& buffer,
                                       const MoreWanted& more) const override;
  std::optional<base::Bytes> stored_bytes(EntryId id) const override;
  std::optional<std::uint64_t> stored_place(EntryId id) const override;
  const KnownContent* known_content(EntryId id) const override;
  std::span<const FileStamp> stamps() const override { return stamps_; }
  std::int64_t stamped_at() const override { return stamped_at_; }
  void note_content(EntryId id, const base::Digest256& content) const override;
  std::span<const Container> containers() const override { return containers_; }
  std::span<const Unreadable> unreadable() const override {
    return unreadable_;
  }
  base::Result<Checksum> checksum(EntryId id) const override;
  std::vector<EntryId> wrong_checksums() const override;
  base::Result<void> check_unchanged() const override;
  const MappedFile* file() const override;

 private:
  // Where the bytes of a container are.
  struct Store {
    base::Bytes bytes;
    const MappedFile* file = nullptr;  // nullptr: in memory of our own
    std::uint64_t base = 0;            // of the archive in bytes
    std::uint32_t first = 0;           // its entries
    std::uint32_t count = 0;
    bool directory_by_libzip = false;
    mutable std::mutex libzip_mutex;
    mutable std::unique_ptr<LibzipArchive> libzip;
  };
  // Where the bytes of an entry are in its container.
  struct Place {
    std::uint64_t local = 0;
    std::uint32_t index = 0;  // in the zip's own directory
    std::uint16_t flags = 0;
  };

  // What is known of a file: what somebody said of its content, and its bytes
  // once they were read.
  struct Known {
    ~Known() { delete[] bytes.load(); }
    std::atomic<std::uint8_t> state = 0;  // 1: being written, 2: there
    KnownContent content;
    std::atomic<std::byte*> bytes = nullptr;
  };

  explicit TreeArtefact(std::string path) : path_(std::move(path)) {}
  base::Result<void> add_zip(std::uint32_t container,
                             base::Diagnostics& diagnostics);
  base::Result<void> add_zip_by_libzip(std::uint32_t container,
                                       const base::Error& ours);
  base::Result<void> add_directory(base::Diagnostics& diagnostics);
  void add_nested(std::uint32_t container, base::Diagnostics& diagnostics);
  base::Result<void> open_nested(EntryId id, std::uint32_t container,
                                 base::Diagnostics& diagnostics);
  base::Result<void> add_entry(Entry entry, Place place, std::string_view name);
  std::vector<std::uint32_t> order_from(std::size_t first) const;
  void hide_duplicates(std::uint32_t container);
  void sort_names();
  void read_manifest(std::uint32_t container);
  void refuse(std::uint32_t container, std::string why);
  void drop_entries_from(std::size_t first);
  void keep(Known& known, base::Bytes bytes) const;
  base::Result<base::Bytes> read_from_directory(
      EntryId id, base::Buffer& buffer) const;
  base::Result<void> sum_up(EntryId id, base::Bytes bytes) const;
  base::Result<base::Bytes> read_by_libzip(
      EntryId id, base::Buffer& buffer) const;
  base::Result<LibzipArchive*> libzip_of(const Store& store) const;
  base::Error shrunk(EntryId id) const;
  base::Error placed(base::Error error, EntryId id) const;
  std::string disk_path(EntryId id) const;

  std::string path_;
  base::Arena names_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> name_order_;
  std::vector<FileStamp> stamps_;
  std::int64_t stamped_at_ = 0;
  std::unique_ptr<Known[]> known_;  // of those with a stamp
  mutable std::atomic<std::size_t> kept_ = 0;  // bytes of files in known_
  std::vector<Container> containers_;
  std::deque<Store> stores_;
  std::vector<Unreadable> unreadable_;
  std::deque<base::Buffer> memory_;  // inflated nested archives
  std::vector<std::unique_ptr<MappedFile>> files_;
  std::uint64_t inflated_ = 0;  // bytes of nested archives
  mutable std::mutex wrong_mutex_;
  mutable std::vector<EntryId> wrong_;
};

}  // namespace rejig::classfile
