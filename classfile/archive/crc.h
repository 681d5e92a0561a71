// SPDX-License-Identifier: Apache-2.0
// The CRC-32 of archives (ISO 3309).
#pragma once

#include <cstdint>

#include "classfile/base/byte_reader.h"

namespace rejig::classfile {

// Of `bytes` behind those whose CRC-32 is `before`.
std::uint32_t crc32(base::Bytes bytes, std::uint32_t before = 0);

}  // namespace rejig::classfile
