// SPDX-License-Identifier: Apache-2.0
// Which files of two programs are equal, as far as that can be known without
// inflating one? Stored bytes are read from front to back, each once, by all
// threads, and compared, or hashed where one program knows digests only. CRC
// and sizes alone are never proof. Doubt is "not known": the caller reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/program/program.h"

namespace rejig::classfile {

struct FilePair {
  const ProgramFile* a = nullptr;
  const ProgramFile* b = nullptr;
};

enum class Sight : std::uint8_t { kUnknown, kEqual, kDifferent };

// One for each pair.
std::vector<Sight> compare_at_sight(const Program& a, const Program& b,
                                    std::span<const FilePair> pairs,
                                    base::ThreadPool& pool);

}  // namespace rejig::classfile
