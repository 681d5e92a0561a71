// SPDX-License-Identifier: Apache-2.0
// Any bytes as a manifest.
#include <cstdlib>

#include "classfile/archive/archive_manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace rejig;
  const auto manifest = classfile::Manifest::parse(
      base::Bytes(reinterpret_cast<const std::byte*>(data), size));
  for (const auto& word : manifest.class_path()) {
    if (word.empty()) std::abort();
  }
  if (manifest.multi_release() && !manifest.attribute("multi-release")) {
    std::abort();
  }
  return 0;
}
