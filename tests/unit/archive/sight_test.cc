// SPDX-License-Identifier: Apache-2.0
// What is seen of two files without inflating them, against their bytes: equal
// is equal, different is different, in every kind of container, whatever the
// directories claim. Equal keys are equal contents as well.
#include "classfile/program/sight.h"

#include <gtest/gtest.h>

#include <random>

#include "classfile/program/file_keys.h"
#include "tests/unit/archive/zip_builder.h"

namespace rejig::classfile {
namespace {

using test::make_zip;
using test::TempFolder;
using test::ZipItem;

constexpr int kRounds = 60;
constexpr std::size_t kFiles = 30;

class Sights : public ::testing::Test {
 protected:
  std::size_t random(std::size_t below) { return random_() % below; }

  // Few different texts, some long, so that files are equal, alike, or equal
  // but for a byte.
  std::string content() {
    std::string out(random(3) * 700 + random(4),
                    static_cast<char>('a' + random(2)));
    if (random(3) == 0 && !out.empty()) out[random(out.size())] = 'x';
    return out;
  }

  Program version(const std::string& name) {
    std::vector<ZipItem> items;
    const bool folder = random(3) == 0;
    for (std::size_t i = 0; i < kFiles; ++i) {
      ZipItem item;
      item.name = "p/f" + std::to_string(i);
      if (contents_.size() <= i) contents_.resize(i + 1);
      if (random(2) == 0) contents_[i] = content();
      item.content = contents_[i];
      item.deflated = random(2) == 0;
      item.data_descriptor = random(4) == 0;
      // A directory may lie; bytes are what counts.
      if (!folder && random(8) == 0) item.crc = 7;
      if (folder) folder_.write(name + "/" + item.name, item.content);
      items.push_back(std::move(item));
    }
    const std::string path =
        folder ? folder_ / name : folder_.write(name + ".jar", make_zip(items));
    base::Diagnostics diagnostics;
    auto program = Program::load({path}, {}, diagnostics);
    EXPECT_TRUE(program.ok()) << path;
    return std::move(program).value();
  }

  static std::string bytes_of(const Program& program, const ProgramFile& file) {
    base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    EXPECT_TRUE(bytes.ok()) << file.name;
    if (!bytes.ok()) return {};
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }

  std::mt19937 random_{5};
  std::vector<std::string> contents_;  // of the version before
  TempFolder folder_;
  base::ThreadPool pool_{2};
};

TEST_F(Sights, SayWhatTheBytesSay) {
  std::size_t equal = 0, different = 0, unknown = 0, same_keys = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = std::to_string(round);
    const Program a = version(name + "a");
    const Program b = version(name + "b");
    std::vector<FilePair> pairs;
    for (const auto& of_a : a.resources()) {
      for (const auto& of_b : b.resources()) {
        if (of_a.name == of_b.name) pairs.push_back({&of_a, &of_b});
      }
    }
    ASSERT_GE(pairs.size(), kFiles);
    // Of the second half one side knows digests, as directories and stores do.
    const auto keys_a = file_keys(a, a.resources(), pool_);
    const auto keys_b = file_keys(b, b.resources(), pool_);
    const auto sights = compare_at_sight(a, b, pairs, pool_);
    ASSERT_EQ(sights.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool same = bytes_of(a, *pairs[i].a) == bytes_of(b, *pairs[i].b);
      equal += sights[i] == Sight::kEqual ? 1U : 0U;
      different += sights[i] == Sight::kDifferent ? 1U : 0U;
      unknown += sights[i] == Sight::kUnknown ? 1U : 0U;
      if (sights[i] == Sight::kEqual) {
        EXPECT_TRUE(same) << pairs[i].a->name;
      }
      if (sights[i] == Sight::kDifferent) {
        EXPECT_FALSE(same) << pairs[i].a->name;
      }
      const auto key_of = [](const Program& program, const ProgramFile* file,
                             const std::vector<FileKey>& keys) {
        std::string out;
        keys[static_cast<std::size_t>(file - program.resources().data())]
            .append_to(out);
        return out;
      };
      if (key_of(a, pairs[i].a, keys_a) == key_of(b, pairs[i].b, keys_b)) {
        ++same_keys;
        EXPECT_TRUE(same) << pairs[i].a->name;
      }
    }
  }
  EXPECT_GT(equal, 50u);
  EXPECT_GT(different, 50u);
  EXPECT_GT(unknown, 50u);
  EXPECT_GT(same_keys, 50u);
}

TEST_F(Sights, TheSameProgramIsEqual) {
  const Program a = version("one");
  std::vector<FilePair> pairs;
  for (const auto& file : a.resources()) pairs.push_back({&file, &file});
  for (const Sight sight : compare_at_sight(a, a, pairs, pool_)) {
    EXPECT_EQ(sight, Sight::kEqual);
  }
}

}  // namespace
}  // namespace rejig::classfile
