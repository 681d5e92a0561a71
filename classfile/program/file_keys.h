// SPDX-License-Identifier: Apache-2.0
// What tells each file of a program from any other content? A digest of its
// stored bytes with what the directory says of them, or of its content where
// it lies by itself. Equal keys are equal content; different ones mean nothing
// unless both are of the content.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/base/parallel.h"
#include "classfile/program/program.h"

namespace rejig::classfile {

struct FileKey {
  enum class Kind : std::uint8_t { kNone, kStored, kContent };

  Kind kind = Kind::kNone;  // kNone: it could not be read; equals nothing
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0;
  base::Digest256 digest;

  // For a digest of many keys: what they are, byte for byte.
  void append_to(std::string& out) const;
};

// One for each file; stored bytes are read from front to back, by all threads.
std::vector<FileKey> file_keys(const Program& program,
                               std::span<const ProgramFile> files,
                               base::ThreadPool& pool);

// The same of one file whose content is at hand.
FileKey file_key(const Program& program, const ProgramFile& file,
                 base::Bytes content);

}  // namespace rejig::classfile
