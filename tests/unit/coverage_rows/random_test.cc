// SPDX-License-Identifier: Apache-2.0
// The join shares what tests have in common; it says what a join says that
// shares nothing, whatever the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/file.h"
#include "classfile/base/parallel.h"
#include "coverage/store/store.h"
#include "tests/unit/coverage_rows/random_file.h"
#include "tests/unit/coverage_rows/slow_join.h"

namespace rejig::coverage {
namespace {

namespace fs = std::filesystem;
using Rows = std::map<std::string, std::set<std::string>>;

class RandomRows : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "rows-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"a", "b", "c.class"}) {
      std::ofstream(folder_ + "/" + name) << name;
    }
    fs::create_directory(folder_ + "/d");
    options_.project = folder_;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Rows rows_of(Matrix& matrix) {
    Rows out;
    const auto rows = matrix.rows();
    EXPECT_TRUE(rows.ok());
    for (std::size_t i = 0; i < rows->size(); ++i) {
      auto& atoms = out[std::string((*rows)[i].test)];
      const auto ids = matrix.atoms_of(RowId::of(i));
      EXPECT_TRUE(ids.ok());
      for (const auto id : *ids) {
        atoms.insert(classfile::to_string(*matrix.atom(id)));
      }
    }
    return out;
  }
  // The same atom by atom: what stores and selections ask for.
  static Rows by_atom(Matrix& matrix) {
    Rows out;
    const auto rows = matrix.rows();
    for (const auto& row : *rows) out[std::string(row.test)];
    for (std::size_t a = 0; a < matrix.atom_count(); ++a) {
      std::vector<RowId> having;
      EXPECT_TRUE(matrix.append_rows_with(AtomId::of(a), having).ok());
      for (const auto row : having) {
        out[std::string((*rows)[row.index()].test)].insert(
            classfile::to_string(*matrix.atom(AtomId::of(a))));
      }
    }
    return out;
  }

  void compare(const std::vector<RowFile>& files, std::uint64_t seed) {
    const Rows slow = slow_join(files, options_);
    MatrixBuilder builder;
    join_row_files(files, options_, builder);
    const auto matrix = builder.finish();
    const Rows fast = rows_of(*matrix);
    ASSERT_EQ(fast.size(), slow.size()) << "seed " << seed;
    for (const auto& [test, atoms] : slow) {
      ASSERT_EQ(fast.at(test), atoms) << test << ", seed " << seed;
    }
    ASSERT_EQ(by_atom(*matrix), fast) << "seed " << seed;
    atoms_seen_.merge(std::set(fast.begin()->second));
  }
  void compare_all(RandomShape shape, int rounds) {
    shape.folder = folder_;
    for (int seed = 1; seed <= rounds && !HasFatalFailure(); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed));
      compare({random_file(shape, random)}, static_cast<std::uint64_t>(seed));
    }
  }
  // A kind that never occurs was not compared.
  void expect_kinds(const std::vector<std::string>& kinds) const {
    for (const auto& kind : kinds) {
      EXPECT_TRUE(std::ranges::any_of(atoms_seen_, [&](const auto& atom) {
        return atom.starts_with(kind + ":") || atom == kind;
      })) << kind;
    }
  }

  std::string folder_;
  JoinOptions options_;
  std::set<std::string> atoms_seen_;
};

TEST_F(RandomRows, AreWhatTheRulesSay) {
  compare_all({}, 1500);
  expect_kinds({"m", "inst", "init", "load", "ext", "refl", "miss", "res",
                "resmiss", "recv", "state", "left", "stackapi"});
}

TEST_F(RandomRows, OfRunsWithoutJoins) {
  RandomShape shape;
  shape.joins = false;
  shape.containers = 4;
  shape.tests = 60;
  compare_all(shape, 100);
}

TEST_F(RandomRows, WithMuchThatLasts) {
  RandomShape shape;
  shape.classes = 60;
  shape.methods = 120;
  shape.facts = 400;
  shape.tests = 80;
  shape.joins = false;
  shape.lasting = true;
  compare_all(shape, 10);
}

TEST_F(RandomRows, OfTestsThatAllRanBesideOthers) {
  RandomShape shape;
  shape.tests = 150;
  shape.classes = 20;
  shape.methods = 60;
  compare_all(shape, 10);
}

// What a run keeps of the store before it.
TEST_F(RandomRows, AreKeptOneByOne) {
  RandomShape shape;
  shape.folder = folder_;
  shape.tests = 60;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    MatrixBuilder builder;
    join_row_files({random_file(shape, random)}, options_, builder);
    const auto all = builder.finish();
    const auto before = all->rows();
    ASSERT_TRUE(before.ok());
    Rows expected = rows_of(*all);
    std::vector<std::optional<Row>> kept(before->begin(), before->end());
    for (auto& row : kept) {
      if (random() % 3 != 0) continue;
      expected.erase(std::string(row->test));
      row.reset();
    }
    MatrixBuilder again;
    ASSERT_TRUE(again.add_rows(*all, kept, {}).ok());
    const auto matrix = again.finish();
    ASSERT_EQ(rows_of(*matrix), expected) << "seed " << seed;
    ASSERT_EQ(by_atom(*matrix), expected) << "seed " << seed;
  }
}

TEST_F(RandomRows, OfEachThreadAreTheSameBytes) {
  RandomShape shape;
  shape.folder = folder_;
  shape.tests = 200;
  shape.classes = 60;
  shape.methods = 300;
  std::mt19937_64 random(1);
  const RowFile file = random_file(shape, random);
  std::set<std::string> stores;
  for (const unsigned workers : {1U, 4U}) {
    base::ThreadPool pool(workers);
    options_.pool = &pool;
    MatrixBuilder builder;
    join_row_files({file}, options_, builder);
    const auto matrix = builder.finish();
    const std::string path = folder_ + "/store.db";
    ASSERT_TRUE(write_store(path, *matrix, {.pool = &pool}).ok());
    const auto bytes = base::read_file(path);
    ASSERT_TRUE(bytes.ok());
    stores.insert(*bytes);
  }
  EXPECT_EQ(stores.size(), 1u);
}

TEST_F(RandomRows, OfChildrenOnAllThreads) {
  base::ThreadPool pool(3);
  options_.pool = &pool;
  RandomShape shape;
  shape.folder = folder_;
  for (std::uint64_t seed = 1; seed <= 200 && !HasFatalFailure(); ++seed) {
    std::mt19937_64 random(seed);
    std::vector<RowFile> files;
    for (std::uint32_t i = 0; i < 3; ++i) {
      files.push_back(random_file(shape, random));
      files.back().pid = 10 + i;
      files.back().parent_pid = i == 0 ? 1 : 10;
      files.back().started = i == 0 ? 0 : 1100 + 1000 * (random() % 8);
    }
    compare(files, seed);
  }
}

}  // namespace
}  // namespace rejig::coverage
