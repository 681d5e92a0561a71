// SPDX-License-Identifier: Apache-2.0
// What a cache tells of files must be what they hold, and nothing when it is
// damaged in any way. The sources of the tests are the files: they are older
// than the tick of any clock.
#include "classfile/program/stat_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "classfile/archive/archive.h"
#include "classfile/base/file.h"
#include "classfile/program/file_keys.h"

namespace rejig::classfile {
namespace {

namespace fs = std::filesystem;

class StatCacheTest : public ::testing::Test {
 protected:
  StatCacheTest()
      : folder_(fs::temp_directory_path() /
                ("stat_cache_test." + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~StatCacheTest() override { fs::remove_all(folder_); }

  static Program sources() {
    base::Diagnostics diagnostics;
    auto program = Program::load({REJIG_TEST_SOURCES}, {}, diagnostics);
    EXPECT_TRUE(program.ok());
    return std::move(program).value();
  }
  static std::size_t known(const Program& program) {
    std::size_t out = 0;
    for (const auto& file : program.resources()) {
      if (program.artefact_of(file).known_content(file.entry) != nullptr) ++out;
    }
    return out;
  }
  static void read_all(const Program& program) {
    base::ThreadPool pool(2);
    file_keys(program, program.resources(), pool);
  }

  fs::path folder_;
};

TEST_F(StatCacheTest, TellsWhatFilesHold) {
  const std::string path = folder_ / "cache";
  const Program first = sources();
  ASSERT_GT(first.resources().size(), 40u);
  EXPECT_EQ(known(first), 0u);
  read_all(first);
  EXPECT_EQ(known(first), first.resources().size());
  StatCache cache(path);
  cache.tell(first);
  ASSERT_TRUE(cache.keep({{&first}}).ok());

  const Program again = sources();
  StatCache(path).tell(again);
  EXPECT_EQ(known(again), again.resources().size());
  for (const auto& file : again.resources()) {
    base::Buffer buffer;
    const auto bytes = again.read(file, buffer);
    ASSERT_TRUE(bytes.ok()) << file.name;
    EXPECT_EQ(again.artefact_of(file).known_content(file.entry)->content,
              base::digest256(*bytes))
        << file.name;
  }
  // Nothing new is known, so nothing is written.
  const auto written = fs::last_write_time(path);
  StatCache next(path);
  next.tell(again);
  ASSERT_TRUE(next.keep({{&again}}).ok());
  EXPECT_EQ(fs::last_write_time(path), written);
}

TEST_F(StatCacheTest, WhatWasWrittenJustNowIsNotKept) {
  const fs::path classes = folder_ / "fresh";
  fs::create_directories(classes);
  for (int i = 0; i < 100; ++i) {
    std::ofstream(classes / ("f" + std::to_string(i))) << i;
  }
  base::Diagnostics diagnostics;
  const auto program = Program::load({classes}, {}, diagnostics);
  ASSERT_TRUE(program.ok());
  read_all(*program);
  EXPECT_EQ(known(*program), 100u);
  const std::string path = folder_ / "cache";
  ASSERT_TRUE(StatCache(path).keep({{&*program}}).ok());
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(StatCacheTest, DamagedOnesKnowNothing) {
  const std::string path = folder_ / "cache";
  const Program program = sources();
  read_all(program);
  ASSERT_TRUE(StatCache(path).keep({{&program}}).ok());
  const auto whole = base::read_file(path);
  ASSERT_TRUE(whole.ok());
  const auto known_by = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    const Program asked = sources();
    StatCache(path).tell(asked);
    return known(asked);
  };
  EXPECT_EQ(known_by(""), 0u);
  EXPECT_EQ(known_by(whole->substr(0, 40)), 0u);
  EXPECT_EQ(known_by(whole->substr(0, whole->size() - 1)), 0u);
  EXPECT_EQ(known_by(*whole + '\0'), 0u);
  for (std::size_t at = 0; at < whole->size(); at += 1 + whole->size() / 50) {
    std::string bytes = *whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT_EQ(known_by(bytes), 0u) << at;
  }
  EXPECT_EQ(known_by(*whole), program.resources().size());
}

}  // namespace
}  // namespace rejig::classfile
