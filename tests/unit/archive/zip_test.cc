// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "classfile/archive/archive.h"
#include "tests/unit/archive/archive_text.h"
#include "tests/unit/archive/zip_builder.h"

namespace rejig::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kText(3000, 'x');

ZipItem stored(const std::string& name, const std::string& content) {
  return zip_item(name, content);
}
ZipItem deflated(const std::string& name, const std::string& content) {
  return zip_item(name, content, true);
}

TEST(Zip, StoredAndDeflatedEntries) {
  const ArchiveText zip(make_zip({stored("a", "one"), deflated("b", kText),
                                  stored("folder/", ""), stored("c", "")}));
  EXPECT_EQ(zip.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(zip.text("a"), "one");
  EXPECT_EQ(zip.text("b"), kText);
  EXPECT_EQ(zip.text("c"), "");
  EXPECT_EQ(zip.diagnostics(), "");
}

TEST(Zip, DataDescriptorsZip64FieldsAndEndRecord) {
  ZipItem a = deflated("a", kText);
  a.data_descriptor = true;
  ZipItem b = stored("b", "two");
  b.zip64 = true;
  ZipLayout layout;
  layout.zip64_end = true;
  const ArchiveText zip(make_zip({a, b}, layout));
  EXPECT_EQ(zip.text("a"), kText);
  EXPECT_EQ(zip.text("b"), "two");
  layout.prefix = "#!/bin/sh\nexec java -jar \"$0\"\n";
  const ArchiveText behind(make_zip({a, b}, layout));
  EXPECT_EQ(behind.text("a"), kText);
  EXPECT_EQ(behind.text("b"), "two");
  // No JVM here looks for it where it is.
  EXPECT_NE(behind.diagnostics().find("not where its locator says"),
            std::string::npos);
}

TEST(Zip, BytesBeforeBetweenAndBehindDoNotMatter) {
  for (const bool counted : {false, true}) {
    ZipLayout layout;
    layout.prefix = std::string(77, '#');
    layout.offsets_count_prefix = counted;
    layout.gap = std::string(33, '-');
    layout.comment = "PK\5\6 in a comment";
    // With bytes behind it a JVM wants a local header where offset 0 lies.
    if (!counted) layout.trailing = std::string(500, '\0') + "PK\5\6";
    const ArchiveText zip(make_zip({stored("a", "one")}, layout));
    EXPECT_EQ(zip.text("a"), "one") << counted;
    EXPECT_EQ(zip.diagnostics(), "") << counted;
  }
}

TEST(Zip, TheDirectoryIsWalkedByItsSizeNotItsCount) {
  ZipLayout layout;
  for (const unsigned lie : {0u, 1u, 9u, 65535u}) {
    layout.count = static_cast<std::uint16_t>(lie);
    const ArchiveText zip(make_zip(
        {stored("a", "1"), stored("b", "2"), stored("c", "3")}, layout));
    EXPECT_EQ(zip.names(), (std::vector<std::string>{"a", "b", "c"})) << lie;
  }
}

TEST(Zip, OfTwoEntriesWithOneNameTheLastIsFound) {
  const ArchiveText zip(make_zip(
      {stored("a", "first"), stored("b", "other"), stored("a", "last")}));
  const auto entries = zip.artefact().entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries[0].hidden);
  EXPECT_FALSE(entries[1].hidden);
  EXPECT_FALSE(entries[2].hidden);
  EXPECT_EQ(zip.text("a"), "last");
}

TEST(Zip, LocalHeadersAreOnlyAskedForTheDataOffset) {
  ZipItem item = deflated("a", kText);
  item.local_name = "quite/another/name";
  item.local_crc = 1;
  item.local_size = 0x7fffffff;
  const ArchiveText zip(make_zip({item}));
  EXPECT_EQ(zip.text("a"), kText);
  EXPECT_EQ(zip.diagnostics(), "");
}

TEST(Zip, WrongChecksumsAreReportedAndTheBytesUsed) {
  ZipItem item = deflated("b", kText);
  item.crc = 7;
  const ArchiveText zip(make_zip({stored("a", "one"), item}));
  EXPECT_EQ(zip.text("b"), kText);
  EXPECT_EQ(zip.text("a"), "one");
  EXPECT_THAT(zip.artefact().wrong_checksums(),
              ElementsAre(classfile::EntryId(1)));
  const auto sum = zip.artefact().checksum(classfile::EntryId(1));
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum->crc, crc_of(kText));
  EXPECT_EQ(sum->size, kText.size());
}

// What stands behind an entry may be looked at, never be used.
TEST(Zip, AStreamThatEndsBehindItsEntryIsBroken) {
  ZipItem cut = deflated("cut", kText);
  cut.stored_size = deflate(kText).size() - 1;
  const ArchiveText zip(make_zip({cut, stored("good", "g")}));
  EXPECT_THAT(zip.error("cut"), HasSubstr("x.zip!/cut: "));
  EXPECT_EQ(zip.text("good"), "g");
}

TEST(Zip, SizesThatLieAreErrorsOfTheEntry) {
  ZipItem more = deflated("more", kText);
  more.size = kText.size() - 1;
  ZipItem fewer = deflated("fewer", kText);
  fewer.size = kText.size() + 1;
  ZipItem uneven = stored("uneven", "abc");
  uneven.size = 2;
  ZipItem outside = stored("outside", "abc");
  outside.size = outside.stored_size = 100000;
  ZipItem giant = deflated("giant", kText);
  giant.size = std::uint64_t{10} << 30;
  giant.zip64 = true;
  ZipItem broken = stored("broken", "\xff\xff\xff\xff");
  broken.method = 8;
  const ArchiveText zip(make_zip(
      {more, fewer, uneven, outside, giant, broken, stored("good", "g")}));
  EXPECT_THAT(zip.error("more"),
              HasSubstr("x.zip!/more: inflates to more than the 2999"));
  EXPECT_THAT(zip.error("fewer"), HasSubstr("inflates to fewer than the 3001"));
  EXPECT_THAT(zip.error("uneven"),
              HasSubstr("stored entry of 3 bytes says it has 2"));
  EXPECT_THAT(zip.error("outside"),
              HasSubstr("100000 stored bytes does not fit"));
  EXPECT_THAT(zip.error("giant"), HasSubstr("10737418240"));
  EXPECT_THAT(zip.error("broken"),
              HasSubstr("broken deflated data of 4 bytes"));
  EXPECT_EQ(zip.text("good"), "g");
}

TEST(Zip, LocalHeadersThatAreNotThere) {
  ZipItem wrong = stored("wrong", "abc");
  wrong.offset = 3;
  ZipItem beyond = stored("beyond", "abc");
  beyond.offset = 0xfffffff0;
  ZipItem wrapped = stored("wrapped", "abc");
  wrapped.offset = 0xfffffffffffffff0;
  wrapped.zip64 = true;
  const ArchiveText zip(make_zip({stored("a", "one"), wrong, beyond, wrapped}));
  EXPECT_THAT(zip.error("wrong"), HasSubstr("@0x3: found 0x"));
  EXPECT_THAT(zip.error("beyond"), HasSubstr("local header lies outside"));
  EXPECT_THAT(zip.error("wrapped"), HasSubstr("local header lies outside"));
  EXPECT_EQ(zip.text("a"), "one");
}

TEST(Zip, OverlappingEntriesAreReadLikeAnyOther) {
  ZipItem again = stored("again", "one");
  again.offset = 0;
  const ArchiveText zip(make_zip({stored("a", "one"), again}));
  EXPECT_EQ(zip.text("a"), "one");
  EXPECT_EQ(zip.text("again"), "one");
}

TEST(Zip, NamesThatClimbAreOnlyNames) {
  const ArchiveText zip(
      make_zip({stored("../../x.class", "up"), stored("/etc/passwd", "abs")}));
  EXPECT_EQ(zip.text("../../x.class"), "up");
  EXPECT_EQ(zip.text("/etc/passwd"), "abs");
}

TEST(Zip, WhatMakesAJvmRefuseTheArchiveIsSaidAndTheRestRead) {
  ZipItem secret = stored("secret", "abc");
  secret.flags = 1;
  const ArchiveText encrypted(make_zip({stored("a", "one"), secret}));
  EXPECT_THAT(encrypted.diagnostics(), HasSubstr("\"secret\" is encrypted"));
  EXPECT_EQ(encrypted.text("a"), "one");
  EXPECT_THAT(encrypted.error("secret"), HasSubstr("encrypted"));
  EXPECT_FALSE(encrypted.artefact().containers()[0].refused.empty());

  ZipItem odd = stored("odd", "abc");
  odd.method = 97;
  const ArchiveText method(make_zip({stored("a", "one"), odd}));
  EXPECT_THAT(method.diagnostics(), HasSubstr("compression method 97"));
  EXPECT_THAT(method.error("odd"), HasSubstr("libzip"));

  const ArchiveText name(make_zip({stored("\xe4.class", "latin")}));
  EXPECT_THAT(name.diagnostics(), HasSubstr("is not UTF-8"));
  EXPECT_EQ(name.text("\xe4.class"), "latin");

  ZipLayout layout;
  layout.comment = "short";
  layout.comment_length = 500;
  const ArchiveText comment(make_zip({stored("a", "one")}, layout));
  EXPECT_THAT(comment.diagnostics(), HasSubstr("comment is cut off"));
  EXPECT_EQ(comment.text("a"), "one");
}

// What our reader does not take on is read by libzip: here bzip2.
TEST(Zip, OtherCompressionMethodsAreReadByLibzip) {
  // printf 'hello, hello, hello\n' | bzip2 -9
  constexpr unsigned char kBzip2[] = {
      0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0xcb, 0x52,
      0xe5, 0x67, 0x00, 0x00, 0x05, 0x51, 0x00, 0x00, 0x10, 0x40, 0x04, 0x02,
      0x44, 0xa0, 0x00, 0x21, 0x24, 0x31, 0x08, 0x60, 0x2f, 0x18, 0x44, 0xc7,
      0x15, 0x17, 0x8b, 0xb9, 0x22, 0x9c, 0x28, 0x48, 0x65, 0xa9, 0x72, 0xb3,
      0x80,
  };
  ZipItem item = stored("a.txt", std::string(reinterpret_cast<const char*>(kBzip2),
                                             sizeof kBzip2));
  item.method = 12;
  item.size = 20;
  item.crc = 0x526e42e7;
  const ArchiveText zip(make_zip({item, stored("b", "two")}));
  EXPECT_THAT(zip.diagnostics(), HasSubstr("compression method 12"));
  EXPECT_EQ(zip.text("a.txt"), "hello, hello, hello\n");
  EXPECT_EQ(zip.text("b"), "two");
  item.crc = 1;
  EXPECT_THAT(ArchiveText(make_zip({item})).error("a.txt"), HasSubstr("CRC"));
}

TEST(Zip, ADirectoryWeCannotWalkIsNotAnArchive) {
  std::string bytes = make_zip({stored("a", "one"), stored("b", "two")});
  bytes[bytes.rfind("PK\1\2")] = 'Q';
  EXPECT_THAT(ArchiveText::failure(bytes),
              HasSubstr("where a directory entry (0x2014b50) must begin"));
  ZipLayout layout;
  layout.directory_size = 5000;
  EXPECT_THAT(ArchiveText::failure(make_zip({stored("a", "one")}, layout)),
              HasSubstr("directory of 5000 bytes"));
}

TEST(Zip, EveryTruncationEndsInAnErrorOrAnArchive) {
  const std::string whole =
      make_zip({stored("a", "one"), deflated("b", kText)});
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_NE(ArchiveText::failure(whole.substr(0, n)), "") << n;
  }
}

TEST(Zip, EveryDamagedByteIsSurvived) {
  const std::string whole =
      make_zip({stored("a", "one"), deflated("b", kText)});
  std::size_t opened = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {1, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      if (ArchiveText::failure(bytes).empty()) {
        const ArchiveText zip(bytes);
        for (const std::string& name : zip.names()) {
          EXPECT_TRUE(zip.reads(name) || !zip.error(name).empty());
        }
        ++opened;
      }
    }
  }
  EXPECT_GT(opened, whole.size());
}

}  // namespace
}  // namespace rejig::test
