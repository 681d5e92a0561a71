// SPDX-License-Identifier: Apache-2.0
// The store and the matrix in memory against the model: answers, union, bytes.
#include "coverage/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/unit/coverage_store/model.h"

namespace rejig::coverage::test {
namespace {

using classfile::Atom;
using classfile::AtomKind;

std::unique_ptr<Matrix> built(const Model& model) {
  MatrixBuilder builder;
  model.add_to(builder);
  return builder.finish();
}

std::unique_ptr<Matrix> opened(const std::string& path) {
  auto matrix = open_store(path);
  EXPECT_TRUE(matrix.ok()) << matrix.error().message();
  return std::move(*matrix);
}

void write(const std::string& path, const Model& model) {
  const auto matrix = built(model);
  const auto written = write_store(path, *matrix);
  ASSERT_TRUE(written.ok()) << written.error().message();
}

TEST(Store, AnswersAsTheModel) {
  const Folder folder;
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const Model model = random_model(random);
    const auto memory = built(model);
    EXPECT_EQ(model_of(*memory), model);
    expect_same_answers(*memory, model, random);
    write(folder / "m.db", model);
    const auto stored = opened(folder / "m.db");
    EXPECT_EQ(model_of(*stored), model);
    expect_same_answers(*stored, model, random);
    EXPECT_TRUE(verify_store(folder / "m.db").ok());
    if (HasFailure()) FAIL() << "matrix " << i;
  }
}

// Several blocks of rows, atoms, names, and lists with frames of their own.
TEST(Store, AnswersAsTheModelBeyondOneBlock) {
  const Folder folder;
  std::mt19937_64 random(2);
  Model model;
  for (int i = 0; i < 9000; ++i) {
    auto& row = model.rows[{"default", "p.T" + std::to_string(i % 700) + "#m" +
                                           std::to_string(i) + "()"}];
    row.facts = Facts().with(AtomKind::kTest).with(AtomKind::kTestClass).bits();
    row.atoms.insert({AtomKind::kMethod, "p.Everybody.x()V"});
    if (i % 3 == 0) row.atoms.insert({AtomKind::kInst, "p.Third"});
    for (int a = 0; a < 3; ++a) {
      row.atoms.insert({AtomKind::kMethod,
                        "p.C" + std::to_string(random() % 3000) + ".y()"});
    }
    model.classes.emplace("p.C" + std::to_string(i), "d");
    model.facts["class/p.C" + std::to_string(i % 5000)].insert(
        std::to_string(i % 50));
  }
  write(folder / "m.db", model);
  const auto stored = opened(folder / "m.db");
  Model got = model_of(*built(model));
  EXPECT_EQ(got, model);
  expect_same_answers(*stored, model, random);
  MatrixBuilder copy;
  ASSERT_TRUE(copy.add(*stored).ok());
  EXPECT_EQ(model_of(*copy.finish()), model);
  EXPECT_TRUE(verify_store(folder / "m.db").ok());
}

TEST(Store, AnEmptyMatrixIsAStore) {
  const Folder folder;
  write(folder / "m.db", {});
  const auto stored = opened(folder / "m.db");
  EXPECT_EQ(stored->row_count(), 0U);
  EXPECT_EQ(stored->atom_count(), 0U);
  EXPECT_FALSE(stored->has_digests());
  EXPECT_TRUE(stored->rows_with({AtomKind::kMethod, "a.B.c()V"})->empty());
  EXPECT_TRUE(verify_store(folder / "m.db").ok());
}

TEST(Store, BytesDependOnTheContentOnly) {
  const Folder folder;
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) {
    const Model model = random_model(random);
    write(folder / "a.db", model);
    std::vector<std::pair<Model::Key, ModelRow>> rows(model.rows.begin(),
                                                      model.rows.end());
    std::shuffle(rows.begin(), rows.end(), random);
    MatrixBuilder builder;
    builder.intern(AtomKind::kMethod, "nobody.has.This.one()V");
    for (const auto& [key, row] : rows) {
      std::vector<Atom> atoms(row.atoms.begin(), row.atoms.end());
      std::shuffle(atoms.begin(), atoms.end(), random);
      if (!atoms.empty()) atoms.push_back(atoms.front());
      builder.add_row({key.first, key.second, row.grade, row.result, row.ms,
                       Facts::from_bits(row.facts)},
                      atoms);
    }
    Model rest = model;
    rest.rows.clear();
    rest.add_to(builder);
    std::filesystem::create_directory(folder / "elsewhere");
    ASSERT_TRUE(write_store(folder / "elsewhere/b.db", *builder.finish()).ok());
    ASSERT_EQ(bytes_of(folder / "a.db"), bytes_of(folder / "elsewhere/b.db"));
  }
}

// Any tree of unions of the same shards is the same file.
TEST(Store, UnionIsCommutativeAssociativeIdempotent) {
  const Folder folder;
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    std::vector<Model> shards(2 + random() % 4);
    Model all;
    for (auto& shard : shards) {
      shard = random_model(random, {8, 6, 8});
      all.add(shard);
    }
    const auto expected = built(all);
    ASSERT_TRUE(write_store(folder / "all.db", *expected).ok());
    std::vector<std::string> files;
    for (std::size_t s = 0; s < shards.size(); ++s) {
      files.push_back(folder / ("s" + std::to_string(s) + ".db"));
      write(files.back(), shards[s]);
    }
    files.push_back(files[random() % files.size()]);
    std::size_t made = 0;
    while (files.size() > 1) {
      std::shuffle(files.begin(), files.end(), random);
      MatrixBuilder builder;
      const auto count = 2 + random() % 2;
      for (std::size_t n = 0; n < count && !files.empty(); ++n) {
        ASSERT_TRUE(builder.add(*opened(files.back())).ok());
        files.pop_back();
      }
      files.push_back(folder / ("u" + std::to_string(made++) + ".db"));
      ASSERT_TRUE(write_store(files.back(), *builder.finish()).ok());
    }
    ASSERT_EQ(model_of(*opened(files[0])), all);
    ASSERT_EQ(bytes_of(files[0]), bytes_of(folder / "all.db"));
  }
}

TEST(Store, UpdateAddsToWhatIsThere) {
  const Folder folder;
  std::mt19937_64 random(5);
  Model all;
  for (int i = 0; i < 10; ++i) {
    const Model shard = random_model(random);
    all.add(shard);
    ASSERT_TRUE(update_store(folder / ".rejig/m.db",
                             [&](MatrixBuilder& builder) -> base::Result<void> {
                               shard.add_to(builder);
                               return {};
                             })
                    .ok());
    EXPECT_EQ(model_of(*opened(folder / ".rejig/m.db")), all);
  }
}

TEST(Store, AFailedUpdateChangesNothing) {
  const Folder folder;
  std::mt19937_64 random(6);
  write(folder / "m.db", random_model(random));
  const auto before = bytes_of(folder / "m.db");
  const auto result = update_store(
      folder / "m.db", [&](MatrixBuilder& builder) -> base::Result<void> {
        random_model(random).add_to(builder);
        return base::Error{base::Errc::kMalformed, "the input is bad", "x:1:1"};
      });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().what, "the input is bad");
  EXPECT_EQ(bytes_of(folder / "m.db"), before);
}

// A reader that is in the middle keeps reading the store that it opened.
TEST(Store, AReaderKeepsItsStoreWhileItIsReplaced) {
  const Folder folder;
  std::mt19937_64 random(7);
  const Model first = random_model(random);
  write(folder / "m.db", first);
  const auto reader = opened(folder / "m.db");
  write(folder / "m.db", random_model(random));
  EXPECT_EQ(model_of(*reader), first);
}

TEST(Store, LeavesOneFileAndKeepsALink) {
  const Folder folder;
  std::mt19937_64 random(8);
  const Model model = random_model(random);
  std::filesystem::create_directory(folder / "real");
  write(folder / "real/m.db", model);
  std::filesystem::create_symlink("real/m.db", folder / "link.db");
  Model more = random_model(random);
  write(folder / "link.db", more);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.db"));
  EXPECT_EQ(model_of(*opened(folder / "real/m.db")), more);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "real"),
                          std::filesystem::directory_iterator()),
            1);
}

TEST(Store, NamesMayNeedEscaping) {
  const Folder folder;
  std::mt19937_64 random(9);
  const Model model = random_model(random);
  const auto path = folder / "a %41?mode=rw#ü.db";
  write(path, model);
  EXPECT_EQ(model_of(*opened(path)), model);
}

}  // namespace
}  // namespace rejig::coverage::test
