// SPDX-License-Identifier: Apache-2.0
// A file that is not the store that was written: each is an error that says so,
// or every byte of content is still there; never another answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "coverage/store/store.h"
#include "tests/unit/coverage_store/model.h"

namespace rejig::coverage::test {
namespace {

using base::Errc;
using testing::HasSubstr;

Model sample() {
  std::mt19937_64 random(11);
  Model model = random_model(random, {60, 30, 40});
  model.add(random_model(random, {60, 30, 40}));
  for (const std::size_t size : {3'000u, 11'000u, 20'000u}) {
    std::string noise(size, '\0');
    for (auto& c : noise) c = static_cast<char>(random());
    model.facts["class/p.Large"].insert(noise);
  }
  return model;
}

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    MatrixBuilder builder;
    model_.add_to(builder);
    ASSERT_TRUE(write_store(path_, *builder.finish()).ok());
    bytes_ = bytes_of(path_);
  }
  void put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  base::Error error_of(const std::string& bytes) const {
    put(bytes);
    const auto opened = open_store(path_);
    EXPECT_FALSE(opened.ok());
    return opened.ok() ? base::Error{} : opened.error();
  }

  const Folder folder_;
  const std::string path_ = folder_ / "m.db";
  const Model model_ = sample();
  std::string bytes_;
};

TEST_F(Damage, MissingIsNotFound) {
  const auto opened = open_store(folder_ / "none.db");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Errc::kNotFound);
  EXPECT_EQ(opened.error().where, folder_ / "none.db");
}

TEST_F(Damage, AFolderIsNotAStore) {
  const auto opened = open_store(folder_.path().string());
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().what, HasSubstr("not a regular file"));
}

TEST_F(Damage, ForeignFilesAreNamedSo) {
  EXPECT_THAT(error_of("").what, HasSubstr("truncated: 0 bytes"));
  EXPECT_THAT(error_of(std::string(5000, '{')).what,
              HasSubstr("not an SQLite file"));
  std::string other = bytes_;
  other[68] = 1;
  EXPECT_THAT(error_of(other).what, HasSubstr("SQLite file of application"));
}

TEST_F(Damage, ANewerFormatIsNotRead) {
  std::string newer = bytes_;
  newer[63] = 4;
  const auto error = error_of(newer);
  EXPECT_EQ(error.code, Errc::kUnsupported);
  EXPECT_EQ(error.what, "store format 4, this rejig reads format 3");
}

TEST_F(Damage, NorIsAnOlderOne) {
  std::string older = bytes_;
  older[63] = 2;
  EXPECT_EQ(error_of(older).what, "store format 2, this rejig reads format 3");
}

TEST_F(Damage, EveryTruncationIsAnError) {
  for (std::size_t size = 0; size < bytes_.size(); size += 97) {
    const auto error = error_of(bytes_.substr(0, size));
    EXPECT_THAT(error.message(), HasSubstr("m.db"));
  }
  EXPECT_THAT(error_of(bytes_.substr(0, bytes_.size() - 1)).what,
              HasSubstr("its header says"));
  EXPECT_THAT(error_of(bytes_ + "x").what, HasSubstr("its header says"));
}

TEST_F(Damage, EveryFlippedByteIsAnErrorOrChangesNothing) {
  std::mt19937_64 random(12);
  std::size_t errors = 0;
  std::size_t unchanged = 0;
  for (std::size_t i = 0; i < bytes_.size(); i += 1 + random() % 48) {
    std::string flipped = bytes_;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << random() % 8));
    put(flipped);
    if (!verify_store(path_).ok()) {
      ++errors;
      continue;
    }
    auto matrix = open_store(path_);
    ASSERT_TRUE(matrix.ok()) << i;
    ASSERT_EQ(model_of(**matrix), model_) << "byte " << i;
    ++unchanged;
  }
  // Both must happen: free space of a page and payload of a block.
  EXPECT_GT(errors, bytes_.size() / 100);
  EXPECT_GT(unchanged, 0U);
}

// What select does: open, then ask by atom. Each answer is right or an error.
TEST_F(Damage, NoQuestionIsAnsweredFromDamagedBytes) {
  std::mt19937_64 random(13);
  std::set<classfile::Atom> atoms;
  for (const auto& [key, row] : model_.rows) {
    atoms.insert(row.atoms.begin(), row.atoms.end());
  }
  for (int i = 0; i < 1500; ++i) {
    std::string hurt = bytes_;
    for (auto n = 1 + random() % 3; n > 0; --n) {
      hurt[random() % hurt.size()] = static_cast<char>(random());
    }
    put(hurt);
    auto matrix = open_store(path_);
    if (!matrix.ok()) continue;
    const auto rows = (*matrix)->rows();
    if (!rows.ok()) continue;
    for (const auto& atom : atoms) {
      const auto answer = (*matrix)->rows_with(atom);
      if (!answer.ok()) continue;
      std::set<Model::Key> got;
      answer->each([&](RowId row) {
        got.emplace((*rows)[row.index()].suite, (*rows)[row.index()].test);
      });
      ASSERT_EQ(got, model_.having(atom)) << "round " << i;
    }
  }
}

TEST_F(Damage, SwappedPagesAreAnError) {
  const std::size_t page = 8192;
  ASSERT_GT(bytes_.size(), 3 * page);
  for (std::size_t a = 1; a * page < bytes_.size(); ++a) {
    for (std::size_t b = a + 1; b * page < bytes_.size(); ++b) {
      std::string swapped = bytes_;
      std::swap_ranges(swapped.begin() + static_cast<long>(a * page),
                       swapped.begin() + static_cast<long>((a + 1) * page),
                       swapped.begin() + static_cast<long>(b * page));
      put(swapped);
      EXPECT_FALSE(verify_store(path_).ok()) << a << " and " << b;
    }
  }
}

TEST_F(Damage, AWriterDoesNotReplaceWhatItCannotRead) {
  std::string hurt = bytes_;
  hurt[hurt.size() / 2] = static_cast<char>(hurt[hurt.size() / 2] ^ 1);
  for (const auto& bytes : {hurt.substr(0, hurt.size() - 5),
                            std::string("my notes, not a store, keep them")}) {
    put(bytes);
    const auto result = update_store(
        path_, [](MatrixBuilder&) -> base::Result<void> { return {}; });
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(bytes_of(path_), bytes);
  }
}

}  // namespace
}  // namespace rejig::coverage::test
