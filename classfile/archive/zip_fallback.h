// SPDX-License-Identifier: Apache-2.0
// What does libzip make of this archive? The checked second path for what our
// own reader does not do: other compression methods and directories it cannot
// walk. One caller at a time; the bytes must outlive the object.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "classfile/archive/zip.h"
#include "classfile/base/buffer.h"
#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

class LibzipArchive {
 public:
  static base::Result<std::unique_ptr<LibzipArchive>> open(base::Bytes archive);
  ~LibzipArchive();

  std::uint64_t count() const;
  base::Result<ZipRecord> record(std::uint64_t index) const;
  // At most kLargestRead bytes.
  base::Result<base::Bytes> read(std::uint64_t index,
                                 base::Buffer& buffer) const;
  // Size and CRC-32 of the content, of any size, in bounded memory.
  base::Result<std::pair<std::uint64_t, std::uint32_t>> sum(
      std::uint64_t index) const;

 private:
  LibzipArchive();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rejig::classfile
