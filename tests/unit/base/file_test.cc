// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace rejig::base {
namespace {

using ::testing::HasSubstr;

class File : public testing::Test {
 protected:
  File() {
    std::string name =
        std::filesystem::temp_directory_path() / "rejig-file-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~File() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  std::size_t files() const {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto& item :
         std::filesystem::directory_iterator(folder_)) {
      ++n;
    }
    return n;
  }

  std::string folder_;
};

TEST_F(File, WrittenIsRead) {
  std::string content(100000, 'x');
  content += '\0';
  content += "end";
  ASSERT_TRUE(write_file_atomically(at("a"), content).ok());
  const auto read = read_file(at("a"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, content);
  ASSERT_TRUE(write_file_atomically(at("a"), "").ok());
  EXPECT_EQ(*read_file(at("a")), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, HasTheModeOfAnyNewFile) {
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_file_atomically(at("a"), "x").ok());
  ::umask(before);
  struct stat info {};
  ASSERT_EQ(::stat(at("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(File, AFailureLeavesTheOldFileAndNothingBeside) {
  // A folder cannot be replaced by a file.
  ASSERT_TRUE(std::filesystem::create_directory(at("a")));
  const auto refused = write_file_atomically(at("a"), "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("cannot rename to"));
  EXPECT_TRUE(std::filesystem::is_directory(at("a")));
  EXPECT_EQ(files(), 1u);
  const auto nowhere = write_file_atomically(at("none/a"), "x");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_THAT(nowhere.error().message(), HasSubstr("No such file"));
}

TEST_F(File, BehindALinkTheLinkStays) {
  ASSERT_TRUE(write_file_atomically(at("a"), "old").ok());
  std::filesystem::create_symlink("a", at("link"));
  ASSERT_TRUE(write_file_atomically(at("link"), "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(at("link")));
  EXPECT_EQ(*read_file(at("a")), "new");
  std::filesystem::create_symlink("none", at("dangling"));
  ASSERT_TRUE(write_file_atomically(at("dangling"), "x").ok());
  EXPECT_EQ(*read_file(at("dangling")), "x");
}

TEST_F(File, APipeIsWrittenToAndNotReplaced) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const int reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file_atomically(at("pipe"), "x").ok());
  char got = 0;
  EXPECT_EQ(::read(reader, &got, 1), 1);
  EXPECT_EQ(got, 'x');
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(at("pipe")));
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, WhatCannotBeReadIsSaid) {
  EXPECT_THAT(read_file(at("none")).error().message(),
              HasSubstr("none: cannot open: No such file or directory"));
  EXPECT_THAT(read_file(folder_).error().message(),
              HasSubstr("not a regular file"));
}

// A writer that is killed at any moment leaves the old content or the new one.
TEST_F(File, AKilledWriterLeavesOneOfBoth) {
  const std::string old_content(300000, 'o');
  const std::string new_content(300000, 'n');
  for (int round = 0; round < 40; ++round) {
    ASSERT_TRUE(write_file_atomically(at("a"), old_content).ok());
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      while (true) {
        if (!write_file_atomically(at("a"), new_content).ok()) std::abort();
        if (!write_file_atomically(at("a"), old_content).ok()) std::abort();
      }
    }
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::microseconds(round * 50);
    while (std::chrono::steady_clock::now() < end) {
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    const auto left = read_file(at("a"));
    ASSERT_TRUE(left.ok());
    ASSERT_TRUE(*left == old_content || *left == new_content);
  }
}

}  // namespace
}  // namespace rejig::base
