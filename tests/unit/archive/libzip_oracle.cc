// SPDX-License-Identifier: Apache-2.0
// Does libzip see the same names, sizes and bytes in every archive that is
// given as an argument (files, or folders searched for archives)?
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "classfile/archive/inflate.h"
#include "classfile/archive/zip_fallback.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

std::vector<std::string> archives;

base::Bytes whole(const std::string& path, base::Buffer& buffer) {
  std::FILE* const in = std::fopen(path.c_str(), "rb");
  if (in == nullptr) return {};
  const std::size_t size = std::filesystem::file_size(path);
  std::byte* const bytes = buffer.room(size);
  const std::size_t n = std::fread(bytes, 1, size, in);
  std::fclose(in);
  return {bytes, n};
}

void compare(const std::string& path, std::size_t& entries) {
  base::Diagnostics diagnostics;
  auto ours = classfile::Artefact::open(path, diagnostics);
  ASSERT_TRUE(ours.ok()) << ours.error().message();
  const classfile::Artefact& artefact = **ours;
  base::Buffer buffer;
  base::Bytes bytes = whole(path, buffer);
  if (artefact.kind() == classfile::ArtefactKind::kJmod) {
    bytes = bytes.subspan(4);
  }
  auto libzip = classfile::LibzipArchive::open(bytes);
  ASSERT_TRUE(libzip.ok()) << path << ": " << libzip.error().message();

  base::Buffer one;
  base::Buffer two;
  std::size_t i = 0;
  for (std::uint64_t index = 0; index < (*libzip)->count(); ++index) {
    const auto record = (*libzip)->record(index);
    ASSERT_TRUE(record.ok());
    if (record->name.ends_with('/')) continue;
    const auto id = classfile::EntryId::of(i++);
    ASSERT_LT(id.index(), artefact.entries().size()) << path;
    const classfile::Entry& entry = artefact.entries()[id.index()];
    ASSERT_EQ(entry.container, 0u) << path;
    ASSERT_EQ(entry.name, record->name);
    ASSERT_EQ(entry.size, record->size) << artefact.where(id);
    ASSERT_EQ(entry.stored_size, record->stored_size) << artefact.where(id);
    ASSERT_EQ(entry.crc, record->crc) << artefact.where(id);
    ASSERT_EQ(entry.method, record->method) << artefact.where(id);
    const auto a = artefact.read(id, one);
    const auto b = (*libzip)->read(index, two);
    ASSERT_TRUE(a.ok()) << a.error().message();
    ASSERT_TRUE(b.ok()) << artefact.where(id) << b.error().message();
    ASSERT_TRUE(std::equal(a->begin(), a->end(), b->begin(), b->end()))
        << artefact.where(id);
    ++entries;
  }
  const auto all = artefact.entries();
  EXPECT_TRUE(i == all.size() || all[i].container != 0) << path;
  EXPECT_TRUE(artefact.wrong_checksums().empty()) << path;
}

TEST(LibzipOracle, EveryArchiveIsReadAlike) {
  ASSERT_FALSE(archives.empty());
  std::size_t entries = 0;
  for (const std::string& path : archives) compare(path, entries);
  RecordProperty("archives", static_cast<int>(archives.size()));
  RecordProperty("entries", static_cast<int>(entries));
  std::printf("%zu archives, %zu entries\n", archives.size(), entries);
  EXPECT_GT(entries, archives.size());
}

}  // namespace
}  // namespace rejig::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (std::filesystem::is_regular_file(path)) {
      rejig::test::archives.push_back(path.string());
      continue;
    }
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& item :
         std::filesystem::recursive_directory_iterator(path)) {
      const std::string end = item.path().extension().string();
      if (end == ".jar" || end == ".war" || end == ".jmod") {
        rejig::test::archives.push_back(item.path().string());
      }
    }
  }
  std::sort(rejig::test::archives.begin(), rejig::test::archives.end());
  return RUN_ALL_TESTS();
}
