// SPDX-License-Identifier: Apache-2.0
// The files of a stored program as an Artefact, and how their list is coded.
// Private to coverage/.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/base/arena.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

inline constexpr const char* kPackPrefix = "pack/";
inline constexpr const char* kListPrefix = "list/";
inline constexpr std::string_view kProgramMagic = "rejig-program 3";
// Contents of neighbours are packed together up to about this many bytes.
inline constexpr std::size_t kPackSize = std::size_t{1} << 16;
inline constexpr std::uint32_t kNoPack = 0xffffffff;

struct StoredFile {
  classfile::KnownContent known;
  std::uint32_t pack = kNoPack;  // kNoPack: only the digest is kept
  std::uint32_t offset = 0;
  bool readable = true;  // false: nobody could read it when it was stored
};

// The packs of one program; one reader serves all its artefacts.
class PackReader {
 public:
  PackReader(Matrix& matrix, std::vector<base::Digest256> packs)
      : matrix_(matrix), packs_(std::move(packs)) {}

  std::size_t count() const { return packs_.size(); }
  // From any thread. kMalformed: not that many bytes there.
  base::Result<base::Bytes> read(const StoredFile& file, std::uint64_t size,
                                 base::Buffer& buffer);

 private:
  using Pack = std::shared_ptr<const std::string>;
  base::Result<Pack> pack(std::uint32_t number);

  Matrix& matrix_;
  std::vector<base::Digest256> packs_;
  std::mutex mutex_;
  std::map<std::uint32_t, Pack> kept_;  // a few, by number
};

class StoredArtefact : public classfile::Artefact {
 public:
  StoredArtefact(std::shared_ptr<PackReader> packs, std::string label)
      : packs_(std::move(packs)), path_(std::move(label)), containers_(1) {}

  classfile::EntryId add(std::string_view name, classfile::Entry entry,
                         const StoredFile& file);
  void add_refused(std::string in, std::string why);
  void add_refused_by_some(std::string_view in, std::string why);
  const StoredFile& stored(classfile::EntryId id) const {
    return files_[id.index()];
  }

  classfile::ArtefactKind kind() const override {
    return classfile::ArtefactKind::kZip;
  }
  const std::string& path() const override { return path_; }
  std::span<const classfile::Entry> entries() const override {
    return entries_;
  }
  base::Result<base::Bytes> read(classfile::EntryId id,
                                 base::Buffer& buffer) const override;
  std::optional<base::Bytes> stored_bytes(classfile::EntryId) const override {
    return std::nullopt;
  }
  const classfile::KnownContent* known_content(
      classfile::EntryId id) const override {
    const StoredFile& file = files_[id.index()];
    return file.readable ? &file.known : nullptr;
  }
  std::span<const classfile::Container> containers() const override {
    return containers_;
  }
  std::span<const classfile::Unreadable> unreadable() const override {
    return refused_;
  }
  base::Result<classfile::Checksum> checksum(
      classfile::EntryId id) const override;
  std::vector<classfile::EntryId> wrong_checksums() const override {
    return {};
  }
  base::Result<void> check_unchanged() const override { return {}; }
  const classfile::MappedFile* file() const override { return nullptr; }

 private:
  std::shared_ptr<PackReader> packs_;
  std::string path_;
  base::Arena names_;
  std::vector<classfile::Container> containers_;
  std::vector<classfile::Unreadable> refused_;
  std::vector<classfile::Entry> entries_;
  std::vector<StoredFile> files_;
};

}  // namespace rejig::coverage
