// SPDX-License-Identifier: Apache-2.0
// What is a test JVM told that asks? Questions are written as SelectAtStart
// writes them, and the comparison behind the answer is the real one.
#include "apps/session/run_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "apps/session/run_baseline.h"
#include "classfile/base/file.h"
#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kNothing = "rejig-skip 1\nend 0\n";

class Answering : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.write_class("module/build", "p.A", {{"f", 1}, {"g", 1}});
    project_.write_class("module/build", "p.B", {{"f", 1}});
    project_.write_jar("lib/lib.jar", "q.L", {{"f", 1}});
    project_.write("run/ask/none", "");
  }

  // The baseline is what the class path holds now; p.A.f changes after it.
  void keep_and_change() {
    const auto question = start();
    auto old = take_snapshot(class_path(), {project_.path("module")},
                             project_.path("baseline/x/run-1"))
                   .value();
    old.java = "17.0.1";
    old.settings = {
        Setting(question, {project_.path("module"), repository_of(question)})
            .text()};
    ASSERT_TRUE(write_snapshot(old).ok());
    project_.write_store("rows.db",
                         {{"default", "t.T#f()", {"m:p.A.f()I"}},
                          {"default", "t.T#g()", {"m:p.A.g()I"}},
                          {"default", "t.U#f()", {"m:p.B.f()I"}},
                          {"other", "t.V#f()", {"m:p.B.f()I"}}},
                         {}, {{baseline_key("default"), "x/run-1"}});
    project_.write_class("module/build", "p.A", {{"f", 2}, {"g", 1}});
  }

  std::vector<std::string> class_path() const {
    return {project_.path("module/build"), project_.path("lib/lib.jar")};
  }
  Start start() const {
    Start out;
    out.directory = out.cwd = project_.path("module");
    out.main = {"some.Runner"};
    out.properties = {"a=1"};
    out.variables = {"LANG=C"};
    return out;
  }
  std::string question(const Start& start) const {
    std::string out = "rejig-ask 2\nsuite default\npid " +
                      std::to_string(1000 + asked_) + "\njava 17.0.1\n";
    out += "directory " + start.directory + "\ncwd " + start.cwd + "\n";
    for (const auto& word : start.main) out += "main " + word + "\n";
    for (const auto& property : start.properties)
      out += "property " + property + "\n";
    for (const auto& entry : class_path()) out += "path " + entry + "\n";
    return out + "end\n";
  }
  AnswerOptions options() const {
    AnswerOptions o;
    o.store = project_.path("rows.db");
    o.folder = project_.path("run");
    o.baseline = project_.path("baseline");
    o.internal = {project_.path("module")};
    o.project = project_.path("module");
    o.selects = true;
    o.program = REJIG_PROGRAM;
    return o;
  }
  std::string ask(Answers& answers, const std::string& text) {
    // Whoever begins anew would find the older questions, too.
    std::filesystem::remove_all(project_.path("run/ask"));
    const std::string name = "run/ask/" + std::to_string(asked_++);
    project_.write(name + ".environ", std::string("LANG=C\0", 7));
    project_.write(name + ".ask", text);
    answers.serve();
    EXPECT_TRUE(base::read_file(project_.path(name + ".seen")).ok());
    const auto answer = base::read_file(project_.path(name + ".answer"));
    return answer.ok() ? *answer : answer.error().message();
  }

  Project project_;
  Heard heard_;
  Work work_{heard_};
  int asked_ = 0;
};

TEST_F(Answering, WhatTheChangeCannotReachMayBeSkipped) {
  keep_and_change();
  Answers answers(options(), work_);
  EXPECT_EQ("rejig-skip 1\ndefault\tt.T#g()\ndefault\tt.U#f()\nend 2\n",
            ask(answers, question(start())));
  const auto& suite = answers.suites().at("default");
  EXPECT_TRUE(suite.answered);
  EXPECT_TRUE(suite.all_answered());
  EXPECT_THAT(suite.selected, ElementsAre("t.T#f()"));
  EXPECT_THAT(suite.skipped, ElementsAre("t.T#g()", "t.U#f()"));
  EXPECT_TRUE(answers.asked(1000));
  EXPECT_FALSE(answers.asked(1001));
  // The next JVM of the same kind is told the same.
  EXPECT_EQ("rejig-skip 1\ndefault\tt.T#g()\ndefault\tt.U#f()\nend 2\n",
            ask(answers, question(start())));
  EXPECT_TRUE(heard_.lines.empty()) << heard_.lines[0];
}

TEST_F(Answering, ATrialRunSkipsNothing) {
  keep_and_change();
  auto o = options();
  o.dry_run = true;
  Answers answers(o, work_);
  EXPECT_EQ(kNothing, ask(answers, question(start())));
  EXPECT_THAT(answers.suites().at("default").skipped,
              ElementsAre("t.T#g()", "t.U#f()"));
}

TEST_F(Answering, WithoutABaselineEverythingRuns) {
  Answers answers(options(), work_);
  EXPECT_EQ(kNothing, ask(answers, question(start())));
  EXPECT_THAT(heard_.notes,
              ElementsAre("suite default: no baseline yet, everything runs"));
  EXPECT_EQ(project_.path("run/program-1/0"),
            answers.suites().at("default").snapshot.copies());
}

TEST_F(Answering, AQuestionThatIsNotUnderstoodRunsEverything) {
  keep_and_change();
  const std::string whole = question(start());
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "another version"},
      {"rejig-ask 1\nend\n", "another version"},
      {whole.substr(0, whole.size() - 4), "not all of it is there"},
      {"rejig-ask 2\nend\n", "not all of it is there"},
      {whole.substr(0, whole.size() - 4) + "unknown its arguments\nend\n",
       "it cannot say its arguments"},
  };
  for (const auto& [text, why] : wrong) {
    Answers answers(options(), work_);
    heard_.lines.clear();
    EXPECT_EQ(kNothing, ask(answers, text)) << text;
    ASSERT_EQ(1U, heard_.lines.size()) << text;
    EXPECT_THAT(heard_.lines[0], HasSubstr(why));
    EXPECT_TRUE(answers.suites().empty());
  }
}

TEST_F(Answering, WithoutItsVariablesAQuestionIsNotWhole) {
  keep_and_change();
  Answers answers(options(), work_);
  project_.write("run/ask/x.ask", question(start()));
  answers.serve();
  EXPECT_EQ(kNothing,
            base::read_file(project_.path("run/ask/x.answer")).value());
}

TEST_F(Answering, AnotherJavaOrOtherLibrariesRunEverything) {
  keep_and_change();
  std::string text = question(start());
  const auto at = text.find("java 17.0.1");
  Answers java(options(), work_);
  EXPECT_EQ(kNothing, ask(java, text.replace(at, 11, "java 21.0.2")));
  EXPECT_THAT(heard_.lines,
              Contains(HasSubstr("another Java (17.0.1, now 21.0.2)")));
  project_.write_jar("lib/lib.jar", "q.L", {{"f", 2}});
  Answers library(options(), work_);
  EXPECT_EQ(kNothing, ask(library, question(start())));
  EXPECT_THAT(heard_.lines,
              Contains(HasSubstr("other libraries than in the baseline")));
}

TEST_F(Answering, OtherPropertiesRunEverythingInThatJvm) {
  keep_and_change();
  Answers answers(options(), work_);
  auto other = start();
  other.properties = {"a=2"};
  EXPECT_EQ(kNothing, ask(answers, question(other)));
  EXPECT_THAT(heard_.lines, Contains(HasSubstr("running all tests of default: JVM options or properties differ from the baseline: property a")));
  EXPECT_FALSE(answers.suites().at("default").all_answered());
  EXPECT_THAT(ask(answers, question(start())), HasSubstr("end 2"));
}

TEST_F(Answering, JvmsThatChooseTestsOtherwiseRunEverything) {
  keep_and_change();
  Answers answers(options(), work_);
  EXPECT_THAT(ask(answers, question(start())), HasSubstr("end 2"));
  auto chosen = start();
  chosen.properties.push_back("slow.skip=true");
  EXPECT_EQ(kNothing, ask(answers, question(chosen)));
  EXPECT_THAT(heard_.lines, Contains(HasSubstr("properties that choose tests")));
  EXPECT_FALSE(answers.suites().at("default").all_answered());
  EXPECT_THAT(ask(answers, question(start())), HasSubstr("end 2"));
}

TEST_F(Answering, WhatSurefireTellsEachJvmIsNoChoice) {
  keep_and_change();
  Answers answers(options(), work_);
  auto forked = start();
  forked.properties.push_back("surefire.real.class.path=/tmp/booter1.jar");
  EXPECT_THAT(ask(answers, question(forked)), HasSubstr("end 2"));
  forked.properties.back() = "surefire.real.class.path=/tmp/booter2.jar";
  EXPECT_THAT(ask(answers, question(forked)), HasSubstr("end 2"));
  EXPECT_THAT(heard_.lines, Not(Contains(HasSubstr("choose tests"))));
}

// Two programs under one name: nobody knows which one the rows are of.
TEST_F(Answering, JvmsOfOneSuiteWithSeveralProgramsRunEverything) {
  keep_and_change();
  Answers answers(options(), work_);
  EXPECT_THAT(ask(answers, question(start())), HasSubstr("end 2"));
  project_.write_class("module/build", "p.C", {{"f", 1}});
  EXPECT_EQ(kNothing, ask(answers, question(start())));
  EXPECT_TRUE(answers.suites().at("default").conflict);
  EXPECT_THAT(heard_.lines,
              Contains(HasSubstr("its JVMs have different class paths")));
}

TEST_F(Answering, ADamagedBaselineRunsEverything) {
  keep_and_change();
  project_.write("baseline/x/run-1/class-path",
                 "rejig-baseline 3\njava 17.0.1\n");
  Answers answers(options(), work_);
  EXPECT_EQ(kNothing, ask(answers, question(start())));
  EXPECT_THAT(heard_.lines, Contains(HasSubstr("a baseline without end")));
}

TEST_F(Answering, AComparisonThatFailsRunsEverything) {
  keep_and_change();
  auto o = options();
  o.program = "/bin/false";
  Answers answers(o, work_);
  EXPECT_EQ(kNothing, ask(answers, question(start())));
  EXPECT_THAT(heard_.lines, Contains(HasSubstr("rejig select failed")));
  EXPECT_FALSE(answers.suites().at("default").answered);
}

// What only a manifest names is part of the program, too.
TEST_F(Answering, ManifestsOfArchivesAreFollowed) {
  project_.write("lib/path.jar",
                 test::make_zip({test::zip_item(
                     "META-INF/MANIFEST.MF",
                     "Manifest-Version: 1.0\nClass-Path: lib.jar\n\n")}));
  Answers answers(options(), work_);
  std::string text = question(start());
  const std::string jar = "lib/lib.jar";
  ask(answers, text.replace(text.find(jar), jar.size(), "lib/path.jar"));
  ASSERT_EQ(1U, answers.suites().count("default"));
  const auto& libraries = answers.suites().at("default").snapshot.libraries;
  ASSERT_EQ(1U, libraries.size());
  EXPECT_EQ(project_.path("lib/lib.jar"), libraries[0].path);
}

TEST(Baseline, IsReadAsItWasWritten) {
  const Project project;
  project.write_class("module/build", "p.A", {{"f", 1}});
  project.write_jar("lib/l.jar", "q.L", {{"f", 1}});
  project.write_jar("module/m.jar", "q.M", {{"f", 1}});
  auto made =
      take_snapshot({"module/build", "lib/l.jar", "module/m.jar", "absent.jar"},
                    {project.path("module")}, project.path("copy"))
          .value();
  made.java = "17";
  made.java_home = "/jdk with blanks";
  made.settings = {"a 1\nb 2\n", "c\n"};
  ASSERT_TRUE(write_snapshot(made).ok());
  const auto read = read_snapshot(project.path("copy")).value();
  EXPECT_EQ(made.roots, read.roots);
  EXPECT_EQ(made.settings, read.settings);
  EXPECT_EQ("/jdk with blanks", read.java_home);
  ASSERT_EQ(1U, read.libraries.size());
  EXPECT_EQ(project.digest_of("lib/l.jar"), read.libraries[0].digest);
  EXPECT_EQ(project.path("copy/0") + ":" + project.path("copy/1.jar"),
            read.copies());
  // The copy is of that moment.
  project.write_class("module/build", "p.A", {{"f", 2}});
  EXPECT_NE(project.digest_of("module/build/p/A.class"),
            project.digest_of("copy/0/p/A.class"));
}

TEST(Baseline, APathWithALineEndIsRefused) {
  Snapshot snapshot;
  const Project project;
  snapshot.folder = project.path("copy");
  snapshot.roots = {"a\nlibrary x y"};
  EXPECT_FALSE(write_snapshot(snapshot).ok());
}

}  // namespace
}  // namespace rejig::app
