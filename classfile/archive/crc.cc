// SPDX-License-Identifier: Apache-2.0
// ISA-L's is three to six times faster than libdeflate's (of Debian 12), and
// every class that is read is summed: 2 to 4 % of reading a jar.
#include "classfile/archive/crc.h"

#include <isa-l/crc.h>

namespace rejig::classfile {

std::uint32_t crc32(base::Bytes bytes, std::uint32_t before) {
  return ::crc32_gzip_refl(
      before, reinterpret_cast<const unsigned char*>(bytes.data()),
      bytes.size());
}

}  // namespace rejig::classfile
