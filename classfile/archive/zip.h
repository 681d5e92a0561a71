// SPDX-License-Identifier: Apache-2.0
// What does the central directory of this zip say? Read as the JVM reads it:
// the end record is searched from the end, the directory is walked by its size
// (the entry count is ignored), bytes before the archive and behind it do not
// matter, local headers are used only to find the data. What would make a JVM
// refuse the whole archive is said in refused(), and read on where that is
// possible. Records are views into the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

struct ZipRecord {
  std::string_view name;
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t local = 0;  // local header, from the start of the archive
  std::uint32_t crc = 0;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
};

// A local header without its name and extra fields.
inline constexpr std::size_t kZipLocalSize = 30;

inline constexpr std::uint16_t kZipStored = 0;
inline constexpr std::uint16_t kZipDeflated = 8;
inline constexpr std::uint16_t kZipEncrypted = 1;  // a flag

class ZipDirectory {
 public:
  // Fails when there is no end record or the directory is not in the file.
  static base::Result<ZipDirectory> find(base::Bytes file,
                                         const std::string& where);
  // Is there an end record at all?
  static bool looks_like_zip(base::Bytes file);

  // False at the end, or at the first byte that is no directory header: then
  // broken() says what was found.
  bool next(ZipRecord& out);
  const std::optional<base::Error>& broken() const { return broken_; }
  // Complete once next() has returned false.
  const std::string& refused() const { return refused_; }
  // What this reader and some JVMs take, and others refuse the archive for.
  // Complete once next() has returned false.
  const std::string& refused_by_some() const { return refused_by_some_; }
  // Where offset 0 of the archive lies in the file.
  std::uint64_t base() const { return base_; }
  std::uint64_t size() const { return directory_.size(); }
  // As the end record counts them, but not more than there is room for.
  std::uint64_t likely_entries() const { return likely_entries_; }

 private:
  void refuse(std::string why);
  void refuse_by_some(std::string why);
  void read_zip64(base::Bytes extra, std::uint16_t disk, ZipRecord& record);

  std::string where_;
  base::Bytes directory_;
  std::uint64_t at_ = 0;  // of the directory in the file
  std::uint64_t base_ = 0;
  std::size_t pos_ = 0;
  std::uint64_t likely_entries_ = 0;
  std::string refused_;
  std::string refused_by_some_;
  std::optional<base::Error> broken_;
};

// The bytes of an entry as they are stored: its local header is asked for its
// own length only.
base::Result<base::Bytes> zip_stored_bytes(base::Bytes file,
                                           std::uint64_t archive_base,
                                           std::uint64_t local,
                                           std::uint64_t stored_size);

bool is_utf8(std::string_view text);

}  // namespace rejig::classfile
