// SPDX-License-Identifier: Apache-2.0
// Which files does this artefact hold, and what are their bytes? An Artefact is
// an opened jar, war, ear, Spring Boot jar, jmod, jimage (lib/modules), class
// directory or single class file; nested archives are part of it, their files
// are named "BOOT-INF/lib/a.jar!/x/Y.class". Opening reads directories only;
// read() inflates on demand and is safe from many threads. Entry names and
// stored bytes live as long as the Artefact.
// A file that cannot be opened is an Error; what cannot be read inside it is an
// Error of read(), naming artefact, entry and offset.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/buffer.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/diagnostics.h"
#include "classfile/base/hash.h"
#include "classfile/base/ids.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

using EntryId = base::Id<struct EntryTag>;
class MappedFile;

enum class ArtefactKind : std::uint8_t {
  kZip,  // jar, war, ear, rar, zip
  kJmod,
  kJimage,  // lib/modules
  kDirectory,
  kClassFile,
};

struct Entry {
  std::string_view name;          // inside the artefact, as dump's "in"
  std::uint64_t size = 0;         // uncompressed
  std::uint64_t stored_size = 0;  // compressed
  std::uint32_t crc = 0;          // as the directory says (0: not stored)
  std::uint16_t method = 0;       // 0 stored, 8 deflated, others by libzip
  bool hidden = false;            // a later entry of the same name hides it
  std::uint32_t container = 0;    // index into containers()
};

// The artefact itself (index 0) or an archive nested in it.
struct Container {
  std::string_view prefix;  // of its entries' names: "" or "lib/a.jar!/"
  ArtefactKind kind = ArtefactKind::kZip;
  std::uint32_t parent = 0;    // index into containers(); 0 of the artefact
  EntryId entry;               // the nested archive; none() of the artefact
  EntryId manifest;            // none() when there is none
  std::uint32_t depth = 0;     // 0: the artefact itself; at most 8
  bool multi_release = false;  // its manifest says so (directories never do)
  // Why a JVM refuses the whole archive (an encrypted entry, say); empty: it
  // does not. Its entries are listed all the same.
  std::string refused;
  // Why some releases of the JVM refuse it, while others use it.
  std::string refused_by_some;
};

// A nested archive that cannot be read; `in` ends in "!/".
struct Unreadable {
  std::string in;
  base::Error error;
};

struct Checksum {
  std::uint64_t size = 0;
  std::uint32_t crc = 0;  // CRC-32
};

// What a file holds, known without reading it.
struct KnownContent {
  base::Digest256 content;
  std::optional<base::Digest256> stored;  // of its bytes as they were stored
};

// What the file system says of a file; times in ns since 1970. Equal stamps: it
// was not written in between, but for the last tick of its clock.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // 0: nothing is known
  std::uint64_t size = 0;
  std::int64_t written = 0;
  std::int64_t changed = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

class Artefact {
 public:
  virtual ~Artefact() = default;

  static base::Result<std::unique_ptr<Artefact>> open(
      const std::string& path, base::Diagnostics& diagnostics);

  virtual ArtefactKind kind() const = 0;
  virtual const std::string& path() const = 0;
  // In directory order; a nested archive's files follow the archive itself.
  // Class directories: sorted by name.
  virtual std::span<const Entry> entries() const = 0;
  // The places of the entries, sorted by name; of one name in their own order.
  // Empty: nobody has sorted them.
  virtual std::span<const std::uint32_t> name_order() const { return {}; }
  // The bytes, in `buffer` or in the mapping; valid while both live.
  virtual base::Result<base::Bytes> read(
      EntryId id, base::Buffer& buffer) const = 0;
  // The same, from the begin and as far as somebody wants to read: `more` is
  // given what there is and answers how many bytes it wants in all, 0 when that
  // is enough. It is asked until then, or until there is no more. What is less
  // than the whole file is not compared with the file's CRC (nor does a class
  // loader do that).
  using MoreWanted = std::function<std::size_t(base::Bytes)>;
  virtual base::Result<base::Bytes> read_front(EntryId id, base::Buffer& buffer,
                                               const MoreWanted& more) const;
  // The bytes as they are stored (compressed), when they can be had without
  // inflating. Equal method, sizes, CRC and stored bytes mean equal content.
  virtual std::optional<base::Bytes> stored_bytes(EntryId id) const = 0;
  // Where in file() its local header begins, when these bytes are there.
  virtual std::optional<std::uint64_t> stored_place(EntryId) const {
    return std::nullopt;
  }
  // nullptr: only reading tells.
  virtual const KnownContent* known_content(EntryId) const { return nullptr; }

  // Of class directories: one for each of the first entries. And when they were
  // looked at.
  virtual std::span<const FileStamp> stamps() const { return {}; }
  virtual std::int64_t stamped_at() const { return 0; }
  // Somebody knows the content of an entry that has a stamp. From any thread.
  virtual void note_content(EntryId, const base::Digest256&) const {}

  virtual std::span<const Container> containers() const = 0;
  virtual std::span<const Unreadable> unreadable() const = 0;
  // Size and CRC-32 of the bytes really read or inflated, also of files too
  // large for read().
  virtual base::Result<Checksum> checksum(EntryId id) const = 0;
  // Wrong CRCs seen by read() so far, in the order of the entries; the bytes
  // were used, as the JVM does.
  virtual std::vector<EntryId> wrong_checksums() const = 0;
  // An Error when a file of the artefact is not any more what it was when the
  // artefact was opened: what was read until now is a mixture.
  virtual base::Result<void> check_unchanged() const = 0;
  // The file behind the artefact; nullptr for a directory.
  virtual const MappedFile* file() const = 0;

  // The name inside its own archive: "x/Y.class".
  std::string_view local_name(EntryId id) const;

  // "app.jar!/a/B.class": the path as it was given, then the entry.
  std::string where(EntryId id) const;
};

}  // namespace rejig::classfile
