// SPDX-License-Identifier: Apache-2.0
// Is a step of a build foreseen only when each of its JVMs would ask what the
// last ones asked? Questions come from JVMs that are played; the comparison is
// the real one.
#include "apps/session/build_steps.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "apps/session/run_baseline.h"
#include "classfile/base/file.h"
#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kPid = 1000;

class Foreseeing : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.write_class("module/build", "p.A", {{"f", 1}, {"g", 1}});
    project_.write("run/ask/none", "");
    project_.write("run/rows/none", "");
    Question asked;
    ASSERT_TRUE(parse_question(question(), std::string("LANG=C\0", 7),
                               project_.path("module"), asked)
                    .ok());
    auto old = take_snapshot({project_.path("module/build")},
                             {project_.path("module")},
                             project_.path("baseline/x/run-1"))
                   .value();
    old.java = "17.0.1";
    old.settings = {asked.setting.text()};
    ASSERT_TRUE(write_snapshot(old).ok());
    project_.write_store("rows.db",
                         {{"default", "t.T#f()", {"m:p.A.f()I"}},
                          {"default", "t.T#g()", {"m:p.A.g()I"}},
                          {"other", "t.V#f()", {"m:p.A.g()I"}}},
                         {}, {{baseline_key("default"), "x/run-1"}});
  }

  std::string question() const {
    const std::string module = project_.path("module");
    return "rejig-ask 2\nsuite default\npid " + std::to_string(kPid) +
           "\njava 17.0.1\ndirectory " + module + "\ncwd " + module +
           "\nmain some.Runner\nproperty a=1\npath " +
           project_.path("module/build") + "\nend\n";
  }

  // A run with one step; its JVM, if there is one, asks and leaves a file of
  // rows.
  StepAnswer run(const std::string& key, bool good = true,
                 std::set<std::uint32_t> left = {kPid}) {
    AnswerOptions o;
    o.store = project_.path("rows.db");
    o.folder = project_.path("run");
    o.baseline = project_.path("baseline");
    o.internal = {project_.path("module")};
    o.project = project_.path("module");
    o.selects = selects_;
    o.program = REJIG_PROGRAM;
    for (const auto& entry : fs::directory_iterator(o.folder)) {
      if (entry.path().filename().string().starts_with("program-")) {
        fs::remove_all(entry.path());
      }
    }
    fs::remove_all(o.folder + "/rows");
    fs::remove_all(o.folder + "/ask");
    fs::create_directory(o.folder + "/rows");
    Answers answers(o, work_);
    BuildSteps steps(o.store, o.folder, answers, work_);
    const auto answer = steps.begin({"core: tests", key, {{"OWN", "1"}}, {}});
    EXPECT_TRUE(answer.ok());
    if (answer->runs) {
      project_.write("run/ask/1.environ",
                     std::string("LANG=C\0REJIG_OUT=", 17) + answer->rows);
      project_.write("run/ask/1.ask", question());
      answers.serve();
      if (good) steps.went_well(answer->rows);
      steps.remember({{answer->rows, left}});
    }
    return *answer;
  }

  Project project_;
  Heard heard_;
  Work work_{heard_};
  bool selects_ = true;
};

TEST_F(Foreseeing, TheSecondTimeNothingNeedsToRun) {
  EXPECT_TRUE(run("k").runs);
  const auto second = run("k");
  EXPECT_FALSE(second.runs);
  EXPECT_EQ(2U, second.left_out);
  EXPECT_TRUE(heard_.lines.empty()) << heard_.lines[0];
}

TEST_F(Foreseeing, WhatAChangeCanReachRuns) {
  EXPECT_TRUE(run("k").runs);
  project_.write_class("module/build", "p.A", {{"f", 2}, {"g", 1}});
  EXPECT_TRUE(run("k").runs);
  project_.write_class("module/build", "p.A", {{"f", 1}, {"g", 1}});
  EXPECT_FALSE(run("k").runs);
}

TEST_F(Foreseeing, ANewTestRuns) {
  EXPECT_TRUE(run("k").runs);
  project_.write_test("module/build", "t.New", {"one"});
  EXPECT_TRUE(run("k").runs);
}

TEST_F(Foreseeing, AnotherKeyOrNoneRuns) {
  EXPECT_TRUE(run("k").runs);
  EXPECT_TRUE(run("").runs);
  EXPECT_TRUE(run("other").runs);
  EXPECT_TRUE(run("k").runs) << "the last good step had another key";
}

TEST_F(Foreseeing, AStepThatFailedIsNoMemory) {
  EXPECT_TRUE(run("k", false).runs);
  EXPECT_TRUE(run("k").runs);
}

TEST_F(Foreseeing, AJvmThatNeverAskedIsNoMemory) {
  EXPECT_TRUE(run("k", true, {kPid, 77}).runs);
  EXPECT_TRUE(run("k", true, {0}).runs) << "nor a file that nobody can read";
  EXPECT_TRUE(run("k").runs);
}

TEST_F(Foreseeing, WhoWantsEverythingGetsIt) {
  EXPECT_TRUE(run("k").runs);
  selects_ = false;
  EXPECT_TRUE(run("k").runs);
}

TEST_F(Foreseeing, ADamagedMemoryIsNone) {
  EXPECT_TRUE(run("k").runs);
  const std::string file =
      fs::directory_iterator(project_.path("steps"))->path().string();
  const std::string whole = base::read_file(file).value();
  constexpr std::size_t kStride = 23;
  for (std::size_t cut = 0; cut + 1 < whole.size(); cut += kStride) {
    ASSERT_TRUE(base::write_file_atomically(file, whole.substr(0, cut)).ok());
    ASSERT_TRUE(run("k", false).runs) << "cut at " << cut;
  }
}

TEST_F(Foreseeing, AProgramThatIsGoneRuns) {
  EXPECT_TRUE(run("k").runs);
  fs::remove_all(project_.path("module/build"));
  EXPECT_TRUE(run("k").runs);
}

TEST_F(Foreseeing, NoJvmSaysWhatMattersOfIt) {
  Question asked;
  const std::string text = question();
  const auto at = text.find("end\n");
  EXPECT_FALSE(parse_question(text.substr(0, at) + "matters other\nend\n",
                              std::string(), project_.path("module"), asked)
                   .ok());
}

}  // namespace
}  // namespace rejig::app
