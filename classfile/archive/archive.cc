// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/archive.h"

#include <sys/stat.h>

#include <algorithm>

#include "classfile/archive/archive_jimage.h"
#include "classfile/archive/archive_tree.h"
#include "classfile/archive/zip.h"

namespace rejig::classfile {

namespace {

using base::ByteReader;
using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::uint32_t kClassMagic = 0xcafebabe;
constexpr std::uint32_t kJmodMagic = 0x4a4d0000;  // "JM" and a version

std::string first_bytes(Bytes bytes) {
  std::string out;
  for (const std::byte b :
       bytes.first(std::min<std::size_t>(bytes.size(), 4))) {
    const auto v = std::to_integer<unsigned>(b);
    if (!out.empty()) out += ' ';
    out += "0123456789abcdef"[v >> 4];
    out += "0123456789abcdef"[v & 15];
  }
  return out;
}

}  // namespace

base::Result<Bytes> Artefact::read_front(EntryId id, base::Buffer& buffer,
                                         const MoreWanted& more) const {
  auto bytes = read(id, buffer);
  if (bytes.ok()) more(*bytes);
  return bytes;
}

base::Result<std::unique_ptr<Artefact>> Artefact::open(
    const std::string& path, base::Diagnostics& diagnostics) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    std::string folder = path;
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    return TreeArtefact::open_directory(folder, diagnostics);
  }
  REJIG_TRY(auto file, MappedFile::open(path));
  const Bytes bytes = file->bytes();
  if (bytes.empty()) {
    return Error{Errc::kMalformed,
                 "the file is empty; an archive, a jimage or a class file is "
                 "expected",
                 path};
  }
  ByteReader in(bytes);
  const std::uint32_t magic = in.u4();
  if (Jimage::has_magic(bytes)) {
    return JimageArtefact::open(path, std::move(file));
  }
  if (ZipDirectory::looks_like_zip(bytes)) {
    const ArtefactKind kind = (magic & 0xffff0000) == kJmodMagic
                                  ? ArtefactKind::kJmod
                                  : ArtefactKind::kZip;
    return TreeArtefact::open_file(path, std::move(file), kind, diagnostics);
  }
  if (magic == kClassMagic) {
    return TreeArtefact::open_file(path, std::move(file),
                                   ArtefactKind::kClassFile, diagnostics);
  }
  return Error{Errc::kMalformed,
               "neither archive, jimage nor class file: no zip end record in "
               "its " +
                   std::to_string(bytes.size()) +
                   " bytes, and it begins with " + first_bytes(bytes),
               path};
}

std::string Artefact::where(EntryId id) const {
  const std::string& own = path();
  std::string_view between = "!/";
  if (kind() == ArtefactKind::kClassFile) return own;
  if (kind() == ArtefactKind::kDirectory) between = "/";
  const std::string_view name = entries()[id.index()].name;
  std::string out;
  out.reserve(own.size() + between.size() + name.size());
  out += own;
  out += between;
  out += name;
  return out;
}

std::string_view Artefact::local_name(EntryId id) const {
  const Entry& entry = entries()[id.index()];
  std::string_view name = entry.name;
  name.remove_prefix(containers()[entry.container].prefix.size());
  return name;
}

}  // namespace rejig::classfile
