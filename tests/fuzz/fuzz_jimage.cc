// SPDX-License-Identifier: Apache-2.0
// Any bytes as a jimage: parsed, every resource decompressed.
#include <cstdio>
#include <cstdlib>

#include "classfile/archive/jimage.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace rejig;
  const base::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto image = classfile::Jimage::parse(bytes, "input");
  if (!image.ok()) return 0;
  base::Buffer buffer;
  std::size_t left = 200;
  for (const auto& resource : image->resources()) {
    if (left-- == 0) break;
    const base::Bytes stored =
        bytes.subspan(static_cast<std::size_t>(resource.offset),
                      static_cast<std::size_t>(resource.stored_size));
    const auto out = image->decompress(resource, stored, buffer, "input");
    if (out.ok() && out->size() != resource.size) std::abort();
  }
  return 0;
}
