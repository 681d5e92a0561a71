// SPDX-License-Identifier: Apache-2.0
// What a hostile or changing disk can do to the reader.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <filesystem>

#include "classfile/program/program.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using ::testing::HasSubstr;

std::string open_error(const std::string& path) {
  base::Diagnostics ignored;
  const auto opened = classfile::Artefact::open(path, ignored);
  return opened.ok() ? "" : opened.error().message();
}

// Bytes that neither deflate nor repeat.
std::string noise(std::size_t n) {
  std::string out(n, 0);
  std::uint32_t x = 2463534242u;
  for (char& c : out) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    c = static_cast<char>(x);
  }
  return out;
}

// One mebibyte of zeros, deflated `n` times behind itself: a raw stream.
std::string deflated_zeros(std::size_t mebibytes) {
  const std::vector<unsigned char> zeros(std::size_t{1} << 20);
  std::vector<unsigned char> out(std::size_t{1} << 16);
  z_stream z{};
  EXPECT_EQ(deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
  const auto run = [&](std::size_t n, int flush) {
    z.next_in = const_cast<unsigned char*>(zeros.data());
    z.avail_in = static_cast<unsigned>(n);
    z.next_out = out.data();
    z.avail_out = static_cast<unsigned>(out.size());
    deflate(&z, flush);
    return std::string(reinterpret_cast<const char*>(out.data()),
                       out.size() - z.avail_out);
  };
  const std::string piece = run(zeros.size(), Z_FULL_FLUSH);
  const std::string end = run(0, Z_FINISH);
  deflateEnd(&z);
  std::string stream;
  for (std::size_t i = 0; i < mebibytes; ++i) stream += piece;
  return stream + end;
}

std::size_t peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

TEST(Robustness, WhatIsNoArtefact) {
  const TempFolder folder;
  EXPECT_THAT(open_error(folder.write("empty.jar", "")),
              HasSubstr("empty.jar: the file is empty"));
  EXPECT_THAT(open_error(folder.write("text.jar", "hello, world\n")),
              HasSubstr("it begins with 68 65 6c 6c"));
  EXPECT_THAT(open_error(folder / "missing.jar"),
              HasSubstr("missing.jar: cannot open: No such file"));
  ASSERT_EQ(mkfifo((folder / "pipe.jar").c_str(), 0600), 0);
  EXPECT_THAT(open_error(folder / "pipe.jar"), HasSubstr("not a regular file"));
  EXPECT_THAT(open_error("/dev/zero"), HasSubstr("not a regular file"));
}

TEST(Robustness, AFileThatMayNotBeRead) {
  const TempFolder folder;
  const std::string jar = folder.write("x.jar", make_zip({zip_item("a", "1")}));
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(jar.c_str(), 0), 0);
  const uid_t user = geteuid();
  if (user == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const std::string error = open_error(jar);
  if (user == 0) {
    ASSERT_EQ(seteuid(user), 0);
  }
  EXPECT_THAT(error, HasSubstr("x.jar: cannot open: Permission denied"));
}

TEST(Robustness, PipesAndLoopsInsideAFolder) {
  const TempFolder folder;
  folder.write("a/B.class", "B");
  ASSERT_EQ(mkfifo((folder / "a/pipe.class").c_str(), 0600), 0);
  std::filesystem::create_directory_symlink("..", folder / "a/up");
  std::filesystem::create_directory_symlink("a", folder / "twin");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  const auto tree = ArchiveText::at(folder.path());
  EXPECT_EQ(tree.names(),
            (std::vector<std::string>{"a/B.class", "twin/B.class"}));
  EXPECT_THAT(tree.diagnostics(), HasSubstr("pipe.class: skipped: neither"));
  EXPECT_THAT(tree.diagnostics(),
              HasSubstr("a/up: skipped: the folder contains"));
}

TEST(Robustness, AMappedFileThatShrinksIsAnErrorNotASignal) {
  const TempFolder folder;
  const std::string big = noise(std::size_t{3} << 20);
  const std::string bytes =
      make_zip({zip_item("first", "first"), zip_item("stored", big),
                zip_item("deflated", big, true), zip_item("last", "last")});
  const std::string path = folder.write("x.jar", bytes);
  const auto jar = ArchiveText::at(path);
  EXPECT_EQ(jar.text("last"), "last");
  ASSERT_TRUE(jar.artefact().check_unchanged().ok());
  ASSERT_EQ(truncate(path.c_str(), std::int64_t{1} << 20), 0);
  EXPECT_EQ(jar.text("first"), "first");
  for (const std::string name : {"last", "stored", "deflated"}) {
    EXPECT_THAT(jar.error(name), HasSubstr("x.jar!/" + name +
                                           ": the file changed while it was"));
  }
  EXPECT_FALSE(jar.artefact().check_unchanged().ok());
}

TEST(Robustness, AFileThatShrinksByLessThanAPage) {
  const TempFolder folder;
  const std::string bytes = make_zip(
      {zip_item("big", noise(std::size_t{2} << 20)), zip_item("last", "last")});
  const std::string path = folder.write("x.jar", bytes);
  const auto jar = ArchiveText::at(path);
  const std::size_t last = bytes.find("last");
  ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(last + 5)), 0);
  EXPECT_THAT(jar.error("last"),
              HasSubstr("the file changed while it was read"));
}

TEST(Robustness, AFileThatIsReplacedWhileItIsReadIsNoticed) {
  const TempFolder folder;
  const std::string big = noise(std::size_t{2} << 20);
  const std::string path = folder.write("x.jar", make_zip({zip_item("a", big)}));
  const auto jar = ArchiveText::at(path);
  ASSERT_TRUE(jar.artefact().check_unchanged().ok());
  struct timespec times[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  EXPECT_FALSE(jar.artefact().check_unchanged().ok());
}

TEST(Robustness, ShrunkFilesAreNotKnownToBeEqual) {
  const TempFolder folder;
  const std::string bytes = make_zip({zip_item("A.class", noise(3u << 20))});
  base::Diagnostics diagnostics;
  std::vector<classfile::Program> programs;
  for (const std::string name : {"a.jar", "b.jar"}) {
    auto program =
        classfile::Program::load({folder.write(name, bytes)}, {}, diagnostics);
    ASSERT_TRUE(program.ok());
    programs.push_back(std::move(program).value());
  }
  const auto equal = [&] {
    return known_equal(programs[0], programs[0].classes()[0], programs[1],
                       programs[1].classes()[0]);
  };
  EXPECT_TRUE(equal());
  for (const std::string name : {"a.jar", "b.jar"}) {
    ASSERT_EQ(truncate((folder / name).c_str(), 4096), 0);
  }
  EXPECT_FALSE(equal());
}

TEST(Robustness, ABombCostsNoMemory) {
  const std::string stream = deflated_zeros(10240);
  ASSERT_LT(stream.size(), std::size_t{16} << 20);
  const std::uint64_t honest = std::uint64_t{10} << 30;
  ZipItem bomb = zip_item("bomb.class", stream);
  bomb.method = 8;
  bomb.zip64 = true;
  bomb.size = honest;
  ZipItem liar = bomb;
  liar.name = "liar.class";
  liar.size = 1000;
  ZipItem nested = bomb;
  nested.name = "bomb.jar";
  const std::string bytes = make_zip({bomb, liar, nested});
  const TempFolder folder;
  const std::string path = folder.write("x.jar", bytes);
  const std::size_t before = peak_kib();
  const auto jar = ArchiveText::at(path);
  EXPECT_THAT(jar.error("bomb.class"),
              HasSubstr("says it inflates to 10737418240 bytes; at most"));
  EXPECT_THAT(jar.error("liar.class"), HasSubstr("more than the 1000 bytes"));
  EXPECT_THAT(jar.diagnostics(), HasSubstr("bomb.jar"));
  EXPECT_LT(peak_kib() - before, std::size_t{64} << 10);
}

TEST(Robustness, AFileTooLargeToReadStillHasAChecksum) {
  const std::string stream = deflated_zeros(300);
  std::uint32_t crc = 0;
  const std::string zeros(std::size_t{1} << 20, '\0');
  for (int i = 0; i < 300; ++i) {
    crc = static_cast<std::uint32_t>(
        ::crc32(crc, reinterpret_cast<const unsigned char*>(zeros.data()),
                static_cast<unsigned>(zeros.size())));
  }
  ZipItem large = zip_item("large", stream);
  large.method = 8;
  large.size = std::uint64_t{300} << 20;
  large.crc = crc;
  const std::string bytes = make_zip({large});
  const std::size_t before = peak_kib();
  const ArchiveText jar(bytes);
  const auto sum = jar.artefact().checksum(jar.id("large"));
  ASSERT_TRUE(sum.ok()) << sum.error().message();
  EXPECT_EQ(sum->size, std::uint64_t{300} << 20);
  EXPECT_EQ(sum->crc, crc);
  EXPECT_LT(peak_kib() - before, std::size_t{64} << 10);
}

TEST(Robustness, FiveGigabytesInASparseFile) {
  const TempFolder folder;
  const std::string path = folder / "huge.jar";
  const std::uint64_t huge = std::uint64_t{5} << 30;
  const std::uint64_t tail_at = huge + 4096;
  ZipItem big = zip_item("big.bin", "");
  big.zip64 = true;
  big.offset = 0;
  big.size = big.stored_size = huge;
  ZipItem cls = zip_item("x/Y.class", tiny_class("x/Y"), true);
  cls.zip64 = true;
  ZipLayout layout;
  layout.zip64_end = true;
  layout.shift = tail_at;
  const std::string tail = make_zip({cls, big}, layout);
  const std::string head = make_zip({zip_item("big.bin", "")}).substr(0, 37);
  const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(pwrite(fd, head.data(), head.size(), 0),
            static_cast<ssize_t>(head.size()));
  ASSERT_EQ(pwrite(fd, tail.data(), tail.size(), static_cast<off_t>(tail_at)),
            static_cast<ssize_t>(tail.size()));
  ASSERT_EQ(close(fd), 0);

  const std::size_t before = peak_kib();
  const auto jar = ArchiveText::at(path);
  EXPECT_EQ(jar.text("x/Y.class"), tiny_class("x/Y"));
  EXPECT_THAT(jar.error("big.bin"), HasSubstr("holds 5368709120 bytes"));
  EXPECT_EQ(jar.diagnostics(), "");
  EXPECT_LT(peak_kib() - before, std::size_t{64} << 10);
}

}  // namespace
}  // namespace rejig::test
