// SPDX-License-Identifier: Apache-2.0
// Zip files with every lie a test may need: each field of headers and end
// record can be set apart from the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::test {

struct ZipItem {
  std::string name;
  std::string content;
  bool deflated = false;
  bool data_descriptor = false;  // sizes and CRC behind the data
  bool zip64 = false;            // sizes and offset in a zip64 extra field
  std::uint16_t flags = 0;
  std::optional<std::uint16_t> method;       // in both headers
  std::optional<std::uint32_t> crc;          // in the directory
  std::optional<std::uint64_t> size;         // in the directory
  std::optional<std::uint64_t> stored_size;  // in the directory
  std::optional<std::uint64_t> offset;       // in the directory
  std::optional<std::string> local_name;
  std::optional<std::uint32_t> local_crc;
  std::optional<std::uint32_t> local_size;  // both sizes
  std::string extra;                        // in the directory, as it is
};

// One that tells no lies.
ZipItem zip_item(std::string name, std::string content, bool deflated = false);

struct ZipLayout {
  std::string prefix;  // before the archive
  bool offsets_count_prefix = false;
  std::string gap;  // between entries and directory
  std::string comment;
  std::optional<std::uint16_t> comment_length;
  std::string trailing;  // behind the archive
  std::optional<std::uint16_t> count;
  std::optional<std::uint32_t> directory_size;
  std::optional<std::uint32_t> directory_offset;
  bool zip64_end = false;
  std::uint64_t shift = 0;  // added to every offset that is not overridden
};

std::string make_zip(const std::vector<ZipItem>& items,
                     const ZipLayout& layout = {});
std::string deflate(std::string_view content);
std::uint32_t crc_of(std::string_view content);

// A folder of its own for each test, removed with all it holds.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }
  // Writes a file, with its folders; returns its path.
  std::string write(const std::string& name, std::string_view content) const;
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

// A class file of nothing but a name: enough for a loader.
std::string tiny_class(const std::string& name);

}  // namespace rejig::test
