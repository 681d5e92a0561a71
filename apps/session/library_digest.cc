// SPDX-License-Identifier: Apache-2.0
#include "apps/session/library_digest.h"

#include "classfile/archive/mapped_file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

using base::Errc;
using base::Error;
using classfile::MappedFile;

namespace {

base::Result<std::string> digest_of(const MappedFile& file,
                                    const std::string& path) {
  std::string out = base::to_hex(base::digest256(file.bytes()));
  if (file.damaged()) {
    return Error{Errc::kIo, "the file shrank while it was read", path};
  }
  return out;
}

}  // namespace

base::Result<std::string> library_digest(const classfile::Artefact& artefact) {
  if (artefact.file() != nullptr) {
    return digest_of(*artefact.file(), artefact.path());
  }
  std::string text;
  const auto entries = artefact.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    base::Buffer buffer;
    REJIG_TRY(const auto bytes,
              artefact.read(classfile::EntryId::of(i), buffer));
    text += std::string(entries[i].name) + '\n' +
            base::to_hex(base::digest256(bytes)) + '\n';
  }
  return base::to_hex(base::digest256(text));
}

base::Result<std::string> library_digest(const std::string& path) {
  REJIG_TRY(const auto file, MappedFile::open(path));
  return digest_of(*file, path);
}

}  // namespace rejig::app
