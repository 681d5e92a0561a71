// SPDX-License-Identifier: Apache-2.0
// For a static build: Debian has no static ISA-L.
#include <libdeflate.h>

#include "classfile/archive/crc.h"

namespace rejig::classfile {

std::uint32_t crc32(base::Bytes bytes, std::uint32_t before) {
  return ::libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace rejig::classfile
