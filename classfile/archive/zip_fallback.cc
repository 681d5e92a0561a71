// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/zip_fallback.h"

#include <zip.h>

#include <array>
#include <cstring>

#include "classfile/archive/crc.h"
#include "classfile/archive/inflate.h"

namespace rejig::classfile {

namespace {

using base::Bytes;
using base::Errc;
using base::Error;

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using OpenFile = std::unique_ptr<zip_file_t, CloseFile>;

std::string text_of(zip_error_t* error) { return zip_error_strerror(error); }

base::Result<OpenFile> open_entry(zip_t* archive, std::uint64_t index) {
  OpenFile file(zip_fopen_index(archive, index, 0));
  if (!file) {
    return Error{Errc::kUnsupported,
                 "libzip: " + text_of(zip_get_error(archive)), ""};
  }
  return file;
}

Error read_error(zip_file_t* file) {
  return Error{Errc::kMalformed, "libzip: " + text_of(zip_file_get_error(file)),
               ""};
}

}  // namespace

struct LibzipArchive::State {
  zip_t* archive = nullptr;
};

LibzipArchive::LibzipArchive() : state_(std::make_unique<State>()) {}

LibzipArchive::~LibzipArchive() {
  if (state_->archive != nullptr) zip_discard(state_->archive);
}

base::Result<std::unique_ptr<LibzipArchive>> LibzipArchive::open(
    Bytes archive) {
  zip_error_t error;
  zip_error_init(&error);
  const auto failed = [&] {
    Error out{Errc::kMalformed, "libzip: " + text_of(&error), ""};
    zip_error_fini(&error);
    return out;
  };
  zip_source_t* const source =
      zip_source_buffer_create(archive.data(), archive.size(), 0, &error);
  if (source == nullptr) return failed();
  std::unique_ptr<LibzipArchive> out(new LibzipArchive());
  out->state_->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (out->state_->archive == nullptr) {
    zip_source_free(source);
    return failed();
  }
  zip_error_fini(&error);
  return out;
}

std::uint64_t LibzipArchive::count() const {
  const zip_int64_t n = zip_get_num_entries(state_->archive, 0);
  return n < 0 ? 0 : static_cast<std::uint64_t>(n);
}

base::Result<ZipRecord> LibzipArchive::record(std::uint64_t index) const {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(state_->archive, index, ZIP_FL_ENC_RAW, &stat) != 0 ||
      (stat.valid & ZIP_STAT_NAME) == 0) {
    return Error{Errc::kMalformed,
                 "libzip: " + text_of(zip_get_error(state_->archive)), ""};
  }
  ZipRecord out;
  out.name = stat.name;
  if ((stat.valid & ZIP_STAT_SIZE) != 0) out.size = stat.size;
  if ((stat.valid & ZIP_STAT_COMP_SIZE) != 0) out.stored_size = stat.comp_size;
  if ((stat.valid & ZIP_STAT_CRC) != 0) out.crc = stat.crc;
  if ((stat.valid & ZIP_STAT_COMP_METHOD) != 0) out.method = stat.comp_method;
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 &&
      stat.encryption_method != ZIP_EM_NONE) {
    out.flags = kZipEncrypted;
  }
  return out;
}

base::Result<Bytes> LibzipArchive::read(std::uint64_t index,
                                        base::Buffer& buffer) const {
  REJIG_TRY(const OpenFile file, open_entry(state_->archive, index));
  constexpr std::size_t kStep = std::size_t{1} << 16;
  std::vector<std::byte> found;
  std::size_t have = 0;
  while (true) {
    if (found.size() < have + kStep) found.resize(2 * have + kStep);
    const zip_int64_t n = zip_fread(file.get(), found.data() + have, kStep);
    if (n < 0) return read_error(file.get());
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
    if (have > kLargestRead) {
      return Error{Errc::kLimit,
                   "holds more than the " + std::to_string(kLargestRead) +
                       " bytes that are read",
                   ""};
    }
  }
  std::byte* const out = buffer.room(have + 1);
  if (have != 0) std::memcpy(out, found.data(), have);
  return Bytes(out, have);
}

base::Result<std::pair<std::uint64_t, std::uint32_t>> LibzipArchive::sum(
    std::uint64_t index) const {
  REJIG_TRY(const OpenFile file, open_entry(state_->archive, index));
  std::vector<std::byte> step(std::size_t{1} << 18);
  std::pair<std::uint64_t, std::uint32_t> out{0, 0};
  while (true) {
    const zip_int64_t n = zip_fread(file.get(), step.data(), step.size());
    if (n < 0) return read_error(file.get());
    if (n == 0) return out;
    out.first += static_cast<std::uint64_t>(n);
    out.second =
        crc32(Bytes(step.data(), static_cast<std::size_t>(n)), out.second);
  }
}

}  // namespace rejig::classfile
