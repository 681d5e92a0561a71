// SPDX-License-Identifier: Apache-2.0
// The Artefact behind a JDK's lib/modules. Private to archive*.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/archive/jimage.h"
#include "classfile/archive/mapped_file.h"

namespace rejig::classfile {

class JimageArtefact : public Artefact {
 public:
  static base::Result<std::unique_ptr<Artefact>> open(
      const std::string& path, std::unique_ptr<MappedFile> file);

  ArtefactKind kind() const override { return ArtefactKind::kJimage; }
  const std::string& path() const override { return path_; }
  std::span<const Entry> entries() const override { return entries_; }
  base::Result<base::Bytes> read(EntryId id,
                                 base::Buffer& buffer) const override;
  std::optional<base::Bytes> stored_bytes(EntryId id) const override;
  std::span<const Container> containers() const override {
    return {&container_, 1};
  }
  std::span<const Unreadable> unreadable() const override { return {}; }
  base::Result<Checksum> checksum(EntryId id) const override;
  std::vector<EntryId> wrong_checksums() const override { return {}; }
  base::Result<void> check_unchanged() const override;
  const MappedFile* file() const override { return file_.get(); }

 private:
  JimageArtefact(std::string path, std::unique_ptr<MappedFile> file,
                 Jimage image)
      : path_(std::move(path)),
        file_(std::move(file)),
        image_(std::move(image)) {}
  base::Error shrunk(EntryId id) const;

  std::string path_;
  std::unique_ptr<MappedFile> file_;
  Jimage image_;
  Container container_;
  std::vector<Entry> entries_;
};

}  // namespace rejig::classfile
