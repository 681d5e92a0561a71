// SPDX-License-Identifier: Apache-2.0
// Which bytes does this file hold, and are they still there? Small files are
// read into memory, large ones mapped. A mapped file that shrinks gives zeros
// instead of SIGBUS and sets damaged(): whoever has copied or inflated bytes
// out of it asks changed() before using them, and reports an Error if it is
// true. bytes() live as long as the object. Only regular files are opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

class MappedFile {
 public:
  static constexpr std::size_t kMapFrom = std::size_t{1} << 20;

  static base::Result<std::unique_ptr<MappedFile>> open(
      const std::string& path, std::size_t map_from = kMapFrom);
  // An anonymous file of $TMPDIR that holds these bytes; nullptr when there is
  // no room for one.
  static std::unique_ptr<MappedFile> spill(base::Bytes bytes);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  base::Bytes bytes() const { return bytes_; }
  bool mapped() const { return mapped_; }
  // Fills `out` with the file's bytes from there on, past the mapping. False: not
  // all of them could be read.
  bool read_at(std::uint64_t offset, std::span<std::byte> out) const;
  // A page of the mapping was missing when somebody touched it.
  bool damaged() const;
  // damaged(), or size, time or identity differ from those at opening; asks the
  // operating system.
  bool changed() const;
  // True when bytes up to `end` may have become zeros without damaged(): they
  // lie in the file's last page, which never faults.
  bool in_last_page(base::Bytes part) const;
  // The same file of the same file system, not written in between.
  bool same_file(const MappedFile& other) const;

 private:
  struct Identity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    friend bool operator==(const Identity&, const Identity&) = default;
  };

  MappedFile() = default;
  bool identify(Identity& out) const;
  bool map();

  int fd_ = -1;
  bool mapped_ = false;
  std::size_t slot_ = 0;
  Identity identity_;
  base::Bytes bytes_;
  std::vector<std::byte> memory_;
};

}  // namespace rejig::classfile
