// SPDX-License-Identifier: Apache-2.0
#include "apps/session/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/session/old_program.h"
#include "coverage/store/store.h"
#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// p.A has two methods, of which f changes; a test for each, and one of a class
// that stays.
class Selection : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.write_class("old", "p.A", {{"f", 1}, {"g", 1}});
    project_.write_class("old", "p.B", {{"f", 1}});
    project_.write_class("new", "p.A", {{"f", 2}, {"g", 1}});
    project_.write_class("new", "p.B", {{"f", 1}});
  }
  std::vector<StoredRow> rows() const {
    return {{"default", "t.T#f()", {"m:p.A.f()I"}},
            {"default", "t.T#g()", {"m:p.A.g()I"}},
            {"default", "t.U#f()", {"m:p.B.f()I"}}};
  }
  SelectOptions options() const {
    SelectOptions o;
    o.inputs.old_path = "old";
    o.inputs.new_path = "new";
    o.coverage = "rows.db";
    return o;
  }
  coverage::Answer ask(const SelectOptions& o) {
    Work work(heard_);
    work.jobs = 1;
    auto done = run_selection(o, work);
    if (!done.ok()) {
      ADD_FAILURE() << done.error().message();
      return {};
    }
    return (*done)->answer;
  }
  static std::vector<std::string> ids(const coverage::Answer& answer) {
    std::vector<std::string> out;
    for (const auto& one : answer.selected) out.push_back(one.key.test);
    return out;
  }

  Project project_;
  Heard heard_;
};

TEST_F(Selection, WhoRanTheChangedMethod) {
  project_.write_store("rows.db", rows());
  const auto answer = ask(options());
  EXPECT_EQ(coverage::Mode::kSome, answer.mode);
  EXPECT_THAT(ids(answer), ElementsAre("t.T#f()"));
  EXPECT_EQ(2U, answer.unaffected.size());
}

TEST_F(Selection, WithoutAMatrixAll) {
  const auto answer = ask(options());
  EXPECT_EQ(coverage::Mode::kAll, answer.mode);
  EXPECT_THAT(answer.reasons, ElementsAre("there is no matrix yet (rows.db)"));
  EXPECT_THAT(heard_.lines,
              Contains("all tests, because there is no matrix yet (rows.db)"));
}

TEST_F(Selection, ADamagedMatrixIsAllAndNoError) {
  project_.write_store("rows.db", rows());
  project_.write("rows.db", "SQLite format 3");
  const auto answer = ask(options());
  EXPECT_EQ(coverage::Mode::kAll, answer.mode);
  ASSERT_EQ(1U, answer.reasons.size());
  EXPECT_THAT(answer.reasons[0], HasSubstr("the matrix cannot be used: "));
}

// Rows of other bytes than OLD say nothing about OLD.
TEST_F(Selection, RowsOfOtherBytesAreSelected) {
  project_.write_store("rows.db", rows(),
                       {{"p.A", project_.digest_of("old/p/A.class")},
                        {"p.B", project_.digest_of("old/p/B.class")}});
  EXPECT_THAT(ids(ask(options())), ElementsAre("t.T#f()"));
  project_.write_store("rows.db", rows(),
                       {{"p.A", project_.digest_of("old/p/A.class")},
                        {"p.B", project_.digest_of("new/p/A.class")}});
  EXPECT_THAT(ids(ask(options())), ElementsAre("t.T#f()", "t.U#f()"));
}

TEST_F(Selection, WhatDidNotPassOrEndRunsAgain) {
  auto some = rows();
  some[1].result = coverage::Outcome::kFail;
  some[2].grade = coverage::Grade::kPartial;
  project_.write_store("rows.db", some);
  EXPECT_THAT(ids(ask(options())),
              ElementsAre("t.T#f()", "t.T#g()", "t.U#f()"));
}

TEST_F(Selection, NewIsNeeded) {
  Work work(heard_);
  SelectOptions o;
  o.coverage = "rows.db";
  const auto done = run_selection(o, work);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(base::Errc::kUsage, done.error().code);
}

TEST_F(Selection, AnUnknownAssumptionIsAnError) {
  project_.write_store("rows.db", rows());
  Work work(heard_);
  auto o = options();
  o.assume = {"no-refection"};
  EXPECT_FALSE(run_selection(o, work).ok());
}

TEST_F(Selection, AnotherViewSelectsMore) {
  project_.write_store("rows.db", rows());
  auto o = options();
  o.view = "class";
  EXPECT_THAT(ids(ask(o)), ElementsAre("t.T#f()", "t.T#g()"));
}

// OLD is the program that the matrix keeps, with its libraries.
class Stored : public Selection {
 protected:
  void SetUp() override {
    Selection::SetUp();
    project_.write_jar("lib.jar", "q.L", {{"f", 1}});
    project_.write_store("rows.db", rows());
    const auto done =
        coverage::update_store("rows.db", [](coverage::MatrixBuilder& builder) {
          base::Diagnostics said;
          ProgramPaths paths;
          paths.internal = "old";
          paths.libraries = "lib.jar";
          return store_program(paths, "default", builder, said);
        });
    ASSERT_TRUE(done.ok()) << done.error().message();
  }
  SelectOptions new_only() const {
    auto o = options();
    o.inputs.old_path.clear();
    o.inputs.new_lib = "lib.jar";
    return o;
  }
};

TEST_F(Stored, StandsForOld) {
  const auto answer = ask(new_only());
  EXPECT_THAT(answer.reasons, IsEmpty());
  EXPECT_THAT(ids(answer), ElementsAre("t.T#f()"));
}

TEST_F(Stored, OnlyOnePathIsNew) {
  auto o = new_only();
  std::swap(o.inputs.old_path, o.inputs.new_path);
  o.only_path_is_new = true;
  EXPECT_THAT(ids(ask(o)), ElementsAre("t.T#f()"));
}

TEST_F(Stored, OtherLibrariesAreAReasonForAll) {
  project_.write_jar("lib.jar", "q.L", {{"f", 2}});
  const auto answer = ask(new_only());
  EXPECT_EQ(coverage::Mode::kAll, answer.mode);
  EXPECT_THAT(answer.reasons,
              ElementsAre("the libraries are not those of the stored program: "
                          "lib.jar is another one"));
}

TEST_F(Stored, SoAreOtherPatterns) {
  auto o = new_only();
  o.inputs.external = {"p.B"};
  const auto answer = ask(o);
  EXPECT_EQ(coverage::Mode::kAll, answer.mode);
  EXPECT_THAT(answer.reasons, Contains("the internal and external patterns are "
                                       "not those of the stored program"));
}

TEST_F(Stored, AnotherSuiteHasNone) {
  Work work(heard_);
  auto o = new_only();
  o.suite = "other";
  const auto done = run_selection(o, work);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ("OLD is needed: the matrix holds no old program of other",
            done.error().message());
}

}  // namespace
}  // namespace rejig::app
