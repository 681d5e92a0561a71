// SPDX-License-Identifier: Apache-2.0
// What does the store say after a run? The old rows of a real store, the
// programs of two builds, and what this run recorded.
#include "apps/session/run_commit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "apps/session/run_baseline.h"
#include "classfile/base/hash.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"
#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

namespace fs = std::filesystem;
using coverage::Grade;
using coverage::Outcome;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The baseline has p.A and the tests t.T and t.U; this run saw p.A.f changed,
// ran t.T#f and skipped t.T#g.
class Committing : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.write_class("build", "p.A", {{"f", 1}, {"g", 1}});
    project_.write_test("build", "t.T", {"f", "g"});
    project_.write_test("build", "t.U", {"f"});
    take("baseline/" + folder_of("default") + "/run-1");
    pointer_ = folder_of("default") + "/run-1";
    classes_ = {{"p.A", project_.digest_of("build/p/A.class")}};
    rows_ = {{"default", "t.T#f()", {"m:p.A.f()I"}},
             {"default", "t.T#g()", {"m:p.A.g()I"}},
             {"default", "t.U#f()", {"m:p.A.g()I"}},
             {"other", "t.V#f()", {"m:p.A.g()I"}}};
    project_.write_class("build", "p.A", {{"f", 2}, {"g", 1}});
    options_.store = project_.path("rows.db");
    options_.baseline = project_.path("baseline");
    options_.suites = {"default"};
  }

  static std::string folder_of(const std::string& suite) {
    return base::to_hex(base::hash128(suite));
  }
  Snapshot take(const std::string& where) const {
    auto out = take_snapshot({project_.path("build")}, {project_.path("build")},
                             project_.path(where))
                   .value();
    EXPECT_TRUE(write_snapshot(out).ok());
    return out;
  }
  CommitReport commit() {
    project_.write_store("rows.db", rows_, classes_,
                         {{baseline_key("default"), pointer_}});
    if (!answer_.conflict && answer_.snapshot.folder.empty())
      answer_.snapshot = take("run-2/program-1");
    if (answer_.old_pointer.empty()) answer_.old_pointer = pointer_;
    coverage::MatrixBuilder fresh;
    for (const auto& [test, result] : recorded_) {
      coverage::Row row;
      row.suite = "default";
      row.test = test;
      row.result = result;
      row.facts = coverage::Facts::all();
      fresh.add_row(
          row, {fresh.intern(classfile::parse_atom("m:p.A.f()I").value())});
    }
    fresh.add_class("p.A", project_.digest_of("build/p/A.class"));
    auto done = commit_rows(options_, {{"default", answer_}}, std::move(fresh));
    if (!done.ok()) {
      ADD_FAILURE() << done.error().message();
      return {};
    }
    return *done;
  }
  // "t.T#f() complete pass"
  std::vector<std::string> stored() const {
    std::vector<std::string> out;
    const auto matrix = coverage::open_store(project_.path("rows.db")).value();
    const auto rows = matrix->rows().value();
    for (const auto& row : rows) {
      out.push_back(std::string(row.test) + " " +
                    std::string(name_of(row.grade)) + " " +
                    std::string(name_of(row.result)));
    }
    return out;
  }
  std::string pointer_now() const {
    return baseline_pointer(project_.path("rows.db"), "default").value();
  }
  bool there(const std::string& folder) const {
    return fs::exists(project_.path(folder));
  }

  Project project_;
  std::string pointer_;
  std::map<std::string, std::string> classes_;
  std::vector<StoredRow> rows_;
  std::vector<std::pair<std::string, Outcome>> recorded_ = {
      {"t.T#f()", Outcome::kPass}};
  SuiteAnswer answer_;
  CommitOptions options_;
};

TEST_F(Committing, SkippedRowsAreKeptAndTheRestIsPending) {
  answer_.skipped = {"t.T#g()"};
  const auto report = commit();
  EXPECT_EQ(1U, report.kept);
  EXPECT_EQ(1U, report.pending);
  EXPECT_FALSE(report.lost_race);
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() complete pass", "t.T#g() complete pass",
                          "t.U#f() foreign pass", "t.V#f() complete pass"));
  EXPECT_EQ(folder_of("default") + "/run-2", pointer_now());
  EXPECT_FALSE(there("baseline/" + pointer_));
  EXPECT_TRUE(there("baseline/" + pointer_now() + "/0/p/A.class"));
}

TEST_F(Committing, WhatFailedIsInTheStore) {
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  recorded_ = {{"t.T#f()", Outcome::kFail}};
  commit();
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() complete fail", "t.T#g() complete pass",
                          "t.U#f() complete pass", "t.V#f() complete pass"));
}

// In each of these the old rows do not speak about the new program.
TEST_F(Committing, WithADoubtNothingIsKept) {
  const std::vector<std::string> pending = {
      "t.T#f() complete pass", "t.T#g() foreign pass", "t.U#f() foreign pass",
      "t.V#f() complete pass"};
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  answer_.strange_setting = true;
  EXPECT_EQ(2U, commit().pending);
  EXPECT_EQ(pending, stored());
}

TEST_F(Committing, ATrialRunKeepsNothing) {
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  options_.dry_run = true;
  EXPECT_EQ(0U, commit().kept);
}

TEST_F(Committing, ASuiteOfSeveralProgramsLosesItsBaseline) {
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  answer_.conflict = true;
  EXPECT_EQ(0U, commit().kept);
  EXPECT_EQ("", pointer_now());
  EXPECT_FALSE(there("baseline/" + pointer_));
}

// Somebody else moved the baseline meanwhile: his rows stay, and what did not
// pass here must run again.
TEST_F(Committing, ALostRaceLeavesOnlyDoubts) {
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  answer_.old_pointer = "elsewhere/run-0";
  recorded_ = {{"t.T#f()", Outcome::kFail}, {"t.T#g()", Outcome::kPass}};
  const auto report = commit();
  EXPECT_TRUE(report.lost_race);
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() partial fail", "t.T#g() complete pass",
                          "t.U#f() complete pass", "t.V#f() complete pass"));
  EXPECT_EQ(pointer_, pointer_now());
  EXPECT_TRUE(there("baseline/" + pointer_ + "/0/p/A.class"));
}

TEST_F(Committing, TestsThatAreGoneLeave) {
  project_.write_test("build", "t.T", {"f"});
  fs::remove(project_.path("build/t/U.class"));
  const auto report = commit();
  EXPECT_THAT(report.gone, ElementsAre("t.T#g()", "t.U#f()"));
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() complete pass", "t.V#f() complete pass"));
}

// The old program is not there any more: nothing is known to be gone.
TEST_F(Committing, WithoutTheOldProgramNobodyIsGone) {
  project_.write_test("build", "t.T", {"f"});
  fs::remove_all(project_.path("baseline"));
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  EXPECT_THAT(commit().gone, IsEmpty());
}

TEST_F(Committing, AClassThatFailedAsAWholeIsForgottenWhenItsTestsRan) {
  rows_.push_back({"default", "t.T#*", {}, Grade::kComplete, Outcome::kError});
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  commit();
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() complete pass", "t.T#g() complete pass",
                          "t.U#f() complete pass", "t.V#f() complete pass"));
}

// p.A$1 may be another class under the same number.
TEST_F(Committing, RowsOfRenumberedClassesDoNotStay) {
  fs::remove_all(project_.path("baseline"));
  project_.write_class("build", "p.A$1", {{"run", 1}});
  take("baseline/" + pointer_);
  classes_["p.A$1"] = project_.digest_of("build/p/A$1.class");
  rows_[1].atoms = {"m:p.A$1.run()I"};
  project_.write_class("build", "p.A$1", {{"other", 7}});
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  const auto report = commit();
  EXPECT_EQ(1U, report.kept);
  EXPECT_THAT(stored(),
              ElementsAre("t.T#f() complete pass", "t.T#g() foreign pass",
                          "t.U#f() complete pass", "t.V#f() complete pass"));
}

TEST_F(Committing, TheOldProgramIsInTheStore) {
  answer_.skipped = {"t.T#g()", "t.U#f()"};
  commit();
  const auto matrix = coverage::open_store(project_.path("rows.db")).value();
  EXPECT_THAT(coverage::suites_with_program(*matrix).value(),
              ElementsAre("default"));
}

// Its rows are of the library as it was; a later selection would take the new
// one for the same.
TEST_F(Committing, ALibraryThatChangedMeanwhileLeavesNoOldProgram) {
  project_.write_jar("lib.jar", "q.L", {{"f", 1}});
  answer_.snapshot = take("run-2/program-1");
  answer_.snapshot.libraries = {
      {project_.path("lib.jar"), project_.digest_of("lib.jar")}};
  const auto programs = [&] {
    commit();
    const auto matrix = coverage::open_store(project_.path("rows.db")).value();
    return coverage::suites_with_program(*matrix).value();
  };
  EXPECT_THAT(programs(), ElementsAre("default"));
  answer_.snapshot = take("run-3/program-1");
  answer_.snapshot.libraries = {
      {project_.path("lib.jar"), project_.digest_of("lib.jar")}};
  project_.write_jar("lib.jar", "q.L", {{"f", 2}});
  EXPECT_THAT(programs(), IsEmpty());
}

TEST_F(Committing, TheFirstRunMakesTheStore) {
  pointer_.clear();
  rows_.clear();
  answer_.old_pointer = "";
  const auto report = commit();
  EXPECT_EQ(0U, report.pending);
  EXPECT_THAT(stored(), ElementsAre("t.T#f() complete pass"));
  EXPECT_EQ(folder_of("default") + "/run-2", pointer_now());
}

}  // namespace
}  // namespace rejig::app
