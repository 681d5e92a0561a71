// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/archive/zip_builder.h"

#include <libdeflate.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

namespace rejig::test {

namespace {

void put2(std::string& out, std::uint64_t v) {
  out += static_cast<char>(v & 0xff);
  out += static_cast<char>(v >> 8 & 0xff);
}
void put4(std::string& out, std::uint64_t v) {
  put2(out, v & 0xffff);
  put2(out, v >> 16 & 0xffff);
}
void put8(std::string& out, std::uint64_t v) {
  put4(out, v & 0xffffffff);
  put4(out, v >> 32);
}
void big2(std::string& out, unsigned v) {
  out += static_cast<char>(v >> 8 & 0xff);
  out += static_cast<char>(v & 0xff);
}
void big4(std::string& out, unsigned v) {
  big2(out, v >> 16);
  big2(out, v & 0xffff);
}

constexpr std::uint32_t kFull = 0xffffffff;

}  // namespace

std::string deflate(std::string_view content) {
  const std::unique_ptr<libdeflate_compressor,
                        decltype(&libdeflate_free_compressor)>
      compressor(libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  std::string out(
      libdeflate_deflate_compress_bound(compressor.get(), content.size()), 0);
  out.resize(libdeflate_deflate_compress(compressor.get(), content.data(),
                                         content.size(), out.data(),
                                         out.size()));
  return out;
}

std::uint32_t crc_of(std::string_view content) {
  return libdeflate_crc32(0, content.data(), content.size());
}

ZipItem zip_item(std::string name, std::string content, bool deflated) {
  ZipItem out;
  out.name = std::move(name);
  out.content = std::move(content);
  out.deflated = deflated;
  return out;
}

std::string make_zip(const std::vector<ZipItem>& items,
                     const ZipLayout& layout) {
  std::string out = layout.prefix;
  const std::size_t start =
      layout.offsets_count_prefix ? 0 : layout.prefix.size();
  std::string directory;
  for (const ZipItem& item : items) {
    const std::string stored =
        item.deflated ? deflate(item.content) : item.content;
    const std::uint16_t method = item.method.value_or(
        item.deflated ? std::uint16_t{8} : std::uint16_t{0});
    const std::uint32_t crc = crc_of(item.content);
    const auto flags =
        static_cast<std::uint16_t>(item.flags | (item.data_descriptor ? 8 : 0));
    const std::string local_name = item.local_name.value_or(item.name);
    const std::uint64_t offset =
        item.offset.value_or(out.size() - start + layout.shift);

    put4(out, 0x04034b50);
    put2(out, 20);
    put2(out, flags);
    put2(out, method);
    put4(out, 0);
    if (item.data_descriptor) {
      put4(out, 0);
      put4(out, 0);
      put4(out, 0);
    } else {
      put4(out, item.local_crc.value_or(crc));
      put4(out,
           item.local_size.value_or(static_cast<std::uint32_t>(stored.size())));
      put4(out, item.local_size.value_or(
                    static_cast<std::uint32_t>(item.content.size())));
    }
    put2(out, local_name.size());
    put2(out, 0);
    out += local_name;
    out += stored;
    if (item.data_descriptor) {
      put4(out, 0x08074b50);
      put4(out, crc);
      put4(out, stored.size());
      put4(out, item.content.size());
    }

    const std::uint64_t size = item.size.value_or(item.content.size());
    const std::uint64_t stored_size = item.stored_size.value_or(stored.size());
    std::string extra = item.extra;
    if (item.zip64) {
      put2(extra, 1);
      put2(extra, 24);
      put8(extra, size);
      put8(extra, stored_size);
      put8(extra, offset);
    }
    put4(directory, 0x02014b50);
    put2(directory, 20);
    put2(directory, 20);
    put2(directory, flags);
    put2(directory, method);
    put4(directory, 0);
    put4(directory, item.crc.value_or(crc));
    put4(directory, item.zip64 ? kFull : stored_size);
    put4(directory, item.zip64 ? kFull : size);
    put2(directory, item.name.size());
    put2(directory, extra.size());
    put2(directory, 0);
    put4(directory, 0);
    put4(directory, 0);
    put4(directory, item.zip64 ? kFull : offset);
    directory += item.name;
    directory += extra;
  }
  out += layout.gap;
  const std::size_t directory_at =
      out.size() - start + static_cast<std::size_t>(layout.shift);
  out += directory;
  if (layout.zip64_end) {
    const std::size_t end64_at =
        out.size() - start + static_cast<std::size_t>(layout.shift);
    put4(out, 0x06064b50);
    put8(out, 44);
    put2(out, 45);
    put2(out, 45);
    put4(out, 0);
    put4(out, 0);
    put8(out, items.size());
    put8(out, items.size());
    put8(out, directory.size());
    put8(out, directory_at);
    put4(out, 0x07064b50);
    put4(out, 0);
    put8(out, end64_at);
    put4(out, 1);
  }
  put4(out, 0x06054b50);
  put2(out, 0);
  put2(out, 0);
  const auto count = layout.count.value_or(
      layout.zip64_end ? std::uint16_t{0xffff}
                       : static_cast<std::uint16_t>(items.size()));
  put2(out, count);
  put2(out, count);
  put4(out,
       layout.directory_size.value_or(
           layout.zip64_end ? kFull
                            : static_cast<std::uint32_t>(directory.size())));
  put4(out, layout.directory_offset.value_or(
                layout.zip64_end ? kFull
                                 : static_cast<std::uint32_t>(directory_at)));
  put2(out, layout.comment_length.value_or(
                static_cast<std::uint16_t>(layout.comment.size())));
  out += layout.comment;
  out += layout.trailing;
  return out;
}

TempFolder::TempFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "rejig-archive-XXXXXX")
          .string();
  path_ = mkdtemp(name.data()) == nullptr ? "" : name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name,
                              std::string_view content) const {
  const std::filesystem::path file = std::filesystem::path(path_) / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
  return file.string();
}

std::string tiny_class(const std::string& name) {
  std::string out;
  big4(out, 0xcafebabe);
  big4(out, 52);
  big2(out, 5);
  for (const std::string& text : {name, std::string("java/lang/Object")}) {
    out += '\1';
    big2(out, static_cast<unsigned>(text.size()));
    out += text;
  }
  for (const unsigned index : {1u, 2u}) {
    out += '\7';
    big2(out, index);
  }
  big2(out, 0x21);
  big2(out, 3);
  big2(out, 4);
  for (int i = 0; i < 4; ++i) big2(out, 0);
  return out;
}

}  // namespace rejig::test
