// SPDX-License-Identifier: Apache-2.0
#include "coverage/emit/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coverage/emit/emit_plan.h"

namespace rejig::coverage {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Case {
  Answer answer;
  std::vector<DiscoveredTest> tests;

  Case& run(const std::string& id, const std::string& framework = "jupiter",
            const std::string& suite = "default") {
    answer.selected.push_back({{suite, id}, {}, {}});
    answer.mode = Mode::kSome;
    tests.push_back({suite, id, framework, {}});
    return *this;
  }
  Case& skip(const std::string& id, const std::string& framework = "jupiter") {
    answer.unaffected.push_back({"default", id});
    tests.push_back({"default", id, framework, {}});
    return *this;
  }
  Emitted as(const std::string& kind, const std::string& surefire = "") const {
    EmitOptions options;
    options.surefire_version = surefire;
    auto out = emit(kind, answer, tests, options);
    EXPECT_TRUE(out.ok());
    return out.value();
  }
};

TEST(Emit, SkipListHasHeadAndEnd) {
  const Case c = Case().run("a.T#one()").skip("a.T#two(int)").skip("a.U#x()");
  EXPECT_EQ(c.as("skip-list").content,
            "rejig-skip 1\ndefault\ta.T#two(int)\ndefault\ta.U#x()\nend 2\n");
}

TEST(Emit, SkipListOfAllSkipsNothing) {
  Case c = Case().run("a.T#one()");
  c.answer.mode = Mode::kAll;
  EXPECT_EQ(c.as("skip-list").content, "rejig-skip 1\nend 0\n");
}

TEST(Emit, SkipListLeavesOutNamesThatWouldBreakItsLines) {
  const Case c = Case().skip("a.T#tab\there()").skip("a.T#line\nend()");
  const Emitted out = c.as("skip-list");
  EXPECT_EQ(out.content, "rejig-skip 1\nend 0\n");
  EXPECT_EQ(out.notes.size(), 2U);
}

TEST(Emit, SurefireExcludesAreAnchoredAndKeepTheDefaultExclude) {
  const Case c = Case().run("a.T#one()").skip("a.T#two()").skip("a.U#x()");
  EXPECT_EQ(c.as("surefire-excludes").content,
            "# rejig: selected=1 unaffected=2\n**/*$*\n%regex[a/U.class]\n");
  EXPECT_EQ(c.as("surefire-excludes", "2.22.2").content,
            c.as("surefire-excludes").content);
}

TEST(Emit, SurefireSpeaksMethodsSinceM6) {
  const Case c = Case().run("a.T#one()").skip("a.T#two()");
  for (const auto* version :
       {"3.0.0-M6", "3.0.0", "3.2.5", "3.0.0-M10", "3.6"}) {
    EXPECT_THAT(c.as("surefire-excludes", version).content,
                HasSubstr("%regex[a/T.class#two]\n"))
        << version;
  }
  for (const auto* version :
       {"3.0.0-M5", "2.22.2", "", "x", "3.0.0-SNAPSHOT"}) {
    EXPECT_THAT(c.as("surefire-excludes", version).content,
                Not(HasSubstr("two")))
        << version;
  }
}

TEST(Emit, OverloadsAreSkippedTogetherOrNotAtAll) {
  const Case c = Case()
                     .run("a.T#over()")
                     .run("a.T#one()")
                     .skip("a.T#over(int)")
                     .skip("a.T#both()")
                     .skip("a.T#both(int)");
  const auto text = c.as("surefire-excludes", "3.2.5").content;
  EXPECT_THAT(text, Not(HasSubstr("over")));
  EXPECT_THAT(text, HasSubstr("%regex[a/T.class#both]\n"));
}

TEST(Emit, ANestedSelectedTestKeepsItsOuterClasses) {
  const Case c = Case()
                     .skip("a.T#one()")
                     .run("a.T$In#deep()")
                     .skip("a.T$Other#deep()")
                     .skip("a.TX#one()");
  EXPECT_EQ(c.as("surefire-excludes").content,
            "# rejig: selected=1 unaffected=3\n**/*$*\n%regex[a/TX.class]\n");
}

// Surefire would drop a.T$In#deep(): see tests/runners/surefire.sh.
TEST(Emit, NestedTestsForbidMethodLines) {
  Case c = Case().run("a.T$In#deep()").run("a.U#one()").skip("a.U#two()");
  const Emitted nested = c.as("surefire-excludes", "3.2.5");
  EXPECT_THAT(nested.content, Not(HasSubstr("#two")));
  EXPECT_THAT(nested.notes, Contains(HasSubstr("nested")));
  const Case gone = Case()
                        .skip("a.T#one()")
                        .skip("a.T$In#deep()")
                        .run("a.U#one()")
                        .skip("a.U#two()");
  EXPECT_EQ(gone.as("surefire-excludes", "3.2.5").content,
            "# rejig: selected=1 unaffected=3\n**/*$*\n%regex[a/T.class]\n"
            "%regex[a/U.class#two]\n");
}

TEST(Emit, NamesThatAPatternCannotSayAreNotSkipped) {
  const Case c =
      Case().run("a.T#one()").skip("a.T#adds, two()").skip("a.Größe#x()");
  const Emitted out = c.as("surefire-excludes", "3.2.5");
  EXPECT_EQ(out.content, "# rejig: selected=1 unaffected=2\n**/*$*\n");
  EXPECT_THAT(out.notes, Contains(HasSubstr("2")));
}

TEST(Emit, ClassesThatDiscoveryDoesNotKnowAreNotExcluded) {
  Case c = Case().run("a.T#one()");
  c.answer.unaffected.push_back({"default", "a.Cucumber#*"});
  EXPECT_THAT(c.as("surefire-excludes", "3.2.5").content,
              Not(HasSubstr("Cucumber")));
}

TEST(Emit, AMemberOfASelectedContainerIsNotSkipped) {
  const Case c = Case().run("a.T#*").skip("a.T#one()");
  EXPECT_THAT(c.as("surefire-excludes", "3.2.5").content, Not(HasSubstr("/T")));
}

TEST(Emit, EmptyIncludesDoNotMeanAll) {
  const Case c = Case().skip("a.T#one()");
  const Emitted out = c.as("surefire-includes");
  EXPECT_THAT(out.content,
              HasSubstr("%regex[rejig/nothing/is/selected.class]"));
  EXPECT_THAT(out.notes, Contains(HasSubstr("selected=0")));
  EXPECT_THAT(c.as("ant-includes").content,
              HasSubstr("rejig/nothing/is/selected.class"));
}

TEST(Emit, IncludesOfAllAreEmptyWhichMeansAll) {
  Case c = Case().run("a.T#one()");
  c.answer.mode = Mode::kAll;
  EXPECT_EQ(c.as("surefire-includes").content, "");
  EXPECT_EQ(c.as("ant-includes").content, "**/*.class\n");
  EXPECT_EQ(c.as("bazel-targets").content, "//...\n");
}

TEST(Emit, IncludesNameTheOutermostClassToo) {
  const Case c = Case().run("a.T$In#deep()").skip("a.U#x()");
  EXPECT_EQ(c.as("surefire-includes").content,
            "# rejig: selected=1 unaffected=1\n%regex[a/T.class]\n"
            "%regex[a/T\\$In.class]\n");
  EXPECT_EQ(c.as("ant-includes").content, "a/T.class\na/T$In.class\n");
}

TEST(Emit, ConsoleArgumentsNameOnlyWhatNewHas) {
  Case c = Case()
               .run("a.T#one()")
               .run("a.T#two(int,java.lang.String[])")
               .run("a.S#*");
  c.answer.selected.push_back({{"default", "a.Gone#x()"}, {}, {}});
  c.answer.selected.push_back({{"default", "a.T#notfound()"}, {}, {}});
  const Emitted out = c.as("console-args");
  EXPECT_EQ(out.content,
            "-c \"a.S\"\n-c \"a.T\"\n-m \"a.T#one\"\n"
            "-m \"a.T#two(int,java.lang.String[])\"\n");
  EXPECT_THAT(out.notes, Contains(HasSubstr("a.Gone#x()")));
}

TEST(Emit, TestNgClosesOverDependencies) {
  Case c = Case()
               .run("a.T#one()", "testng")
               .skip("a.U#x()", "testng")
               .skip("a.V#y()", "testng");
  c.tests[0].depends = {"a.U#x()"};
  c.tests[1].depends = {"a.V#y()"};
  const auto text = c.as("testng-xml").content;
  EXPECT_THAT(text, HasSubstr("\"http://testng.org/testng-1.0.dtd\""));
  EXPECT_THAT(text, HasSubstr("<class name=\"a.T\"/>"));
  EXPECT_THAT(text, HasSubstr("<class name=\"a.U\"/>"));
  EXPECT_THAT(text, HasSubstr("<class name=\"a.V\"/>"));
}

TEST(Emit, BazelTargetsAreSuites) {
  EXPECT_EQ(Case()
                .run("a.T#one()", "junit4", "//core:tests")
                .run("a.U#one()", "junit4", "//core:tests")
                .as("bazel-targets")
                .content,
            "//core:tests\n");
  EXPECT_EQ(Case().run("a.T#one()").as("bazel-targets").content, "//...\n");
}

TEST(Emit, GradleDeclaresTheSkipListAsInput) {
  const auto text = Case().run("a.T#one()").as("gradle-init").content;
  EXPECT_THAT(text, HasSubstr("inputs.file(rejigSkip)"));
  EXPECT_THAT(text, HasSubstr("failOnNoMatchingTests = false"));
  EXPECT_THAT(text, HasSubstr("canRead()"));
}

TEST(Emit, SbtFiltersWholeClasses) {
  Case c = Case().run("a.T#one()").skip("a.T#two()").skip("a.U#x()");
  for (int i = 0; i < 5000; ++i) {
    c.skip("a.long.package_.name.Generated" + std::to_string(i) + "Test#x()");
  }
  const auto text = c.as("sbt").content;
  EXPECT_THAT(text, HasSubstr("def rejigSkip0 = \"\"\"a.U\n"));
  EXPECT_THAT(text, HasSubstr("def rejigSkip1 = "));
  EXPECT_THAT(text, HasSubstr("Tests.Filter(n => !rejigSkip(n))"));
  EXPECT_THAT(text, Not(HasSubstr("a.T\n")));
}

TEST(Emit, IdeaPatterns) {
  const auto text = Case()
                        .run("a.T#one()")
                        .run("a.U#one()")
                        .run("a.U#two(int)")
                        .as("idea-run")
                        .content;
  EXPECT_THAT(text, HasSubstr("<pattern testClass=\"a.T,one\" />"));
  EXPECT_THAT(text, HasSubstr("<pattern testClass=\"a.U\" />"));
  EXPECT_THAT(text, Not(HasSubstr("a.U,one")));
}

TEST(Emit, JunitXmlIsWellFormedWhateverTheName) {
  const auto text = Case()
                        .skip("a.T#<&\">\x01\xff()")
                        .skip("a.T#größe()")
                        .as("junit-xml")
                        .content;
  EXPECT_THAT(text, HasSubstr("name=\"&lt;&amp;&quot;&gt;\\x01\\xff()\""));
  EXPECT_THAT(text, HasSubstr("name=\"größe()\""));
  EXPECT_THAT(
      text, HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""));
}

TEST(Emit, Junit4ListNamesClassesOfNew) {
  Case c = Case().run("a.T#one()", "junit4").run("a.T#two()", "junit4");
  c.answer.selected.push_back({{"default", "a.Gone#x()"}, {}, {}});
  const Emitted out = c.as("junit4-list");
  EXPECT_EQ(out.content, "a.T\n");
  EXPECT_EQ(out.notes.size(), 1U);
}

TEST(Emit, OneSuiteOnly) {
  Case c = Case().run("a.T#one()", "jupiter", "other").skip("a.T#one()");
  EmitOptions options;
  const auto shared = emit("surefire-excludes", c.answer, c.tests, options);
  EXPECT_THAT(shared->content, Not(HasSubstr("a/T")));
  options.suite = "default";
  const auto one = emit("surefire-excludes", c.answer, c.tests, options);
  EXPECT_THAT(one->content, HasSubstr("%regex[a/T.class]"));
}

TEST(Emit, UnknownKindsSuggest) {
  const auto out = emit("surefire-exclude", Answer(), {}, {});
  ASSERT_FALSE(out.ok());
  EXPECT_THAT(out.error().what, HasSubstr("surefire-excludes"));
}

}  // namespace
}  // namespace rejig::coverage
