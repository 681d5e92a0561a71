// SPDX-License-Identifier: Apache-2.0
// The second path of a build without libzip: there is none.
#include "classfile/archive/zip_fallback.h"

namespace rejig::classfile {

namespace {

base::Error missing() {
  return base::Error{base::Errc::kUnsupported,
                     "only libzip could read it, and this build is without",
                     ""};
}

}  // namespace

struct LibzipArchive::State {};

LibzipArchive::LibzipArchive() = default;
LibzipArchive::~LibzipArchive() = default;

base::Result<std::unique_ptr<LibzipArchive>> LibzipArchive::open(base::Bytes) {
  return missing();
}
std::uint64_t LibzipArchive::count() const { return 0; }
base::Result<ZipRecord> LibzipArchive::record(std::uint64_t) const {
  return missing();
}
base::Result<base::Bytes> LibzipArchive::read(std::uint64_t,
                                              base::Buffer&) const {
  return missing();
}
base::Result<std::pair<std::uint64_t, std::uint32_t>> LibzipArchive::sum(
    std::uint64_t) const {
  return missing();
}

}  // namespace rejig::classfile
