// SPDX-License-Identifier: Apache-2.0
#include "apps/session/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kAll = R"(
[select]
coverage = "rows.db"
suite = "slow"
assume = ["no-reflection"]
allow-lower-bound = true
max-age-days = 30
max-selections = 0
surefire-version = "3.2.5"
[inputs]
old = "a"
new = "b"
lib = "c"
old-lib = "d"
new-lib = "e"
jdk = "f"
old-jdk = "g"
new-jdk = "h"
rename = "i"
[classes]
internal = ["p.*"]
external = ["q.*", "r.*"]
[[always]]
tests = "*IT"
reason = "they need a server"
[[resources]]
files = "docs/**"
select = "inert"
[[resources]]
files = "*.sql"
select = "all"
)";

TEST(Settings, EveryKeyOfAFile) {
  const auto read = parse_config(kAll, "rejig.toml");
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Config& c = *read;
  EXPECT_EQ("rows.db", c.coverage);
  EXPECT_EQ("slow", c.suite);
  EXPECT_THAT(*c.assume, ElementsAre("no-reflection"));
  EXPECT_EQ(true, c.allow_lower_bound);
  EXPECT_EQ(30U, c.max_age_days);
  EXPECT_EQ(0U, c.max_selections);
  EXPECT_EQ("3.2.5", c.surefire_version);
  EXPECT_EQ("a", c.old_path);
  EXPECT_EQ("b", c.new_path);
  EXPECT_EQ("c", c.lib);
  EXPECT_EQ("d", c.old_lib);
  EXPECT_EQ("e", c.new_lib);
  EXPECT_EQ("f", c.jdk);
  EXPECT_EQ("g", c.old_jdk);
  EXPECT_EQ("h", c.new_jdk);
  EXPECT_EQ("i", c.rename);
  EXPECT_THAT(*c.internal, ElementsAre("p.*"));
  EXPECT_THAT(*c.external, ElementsAre("q.*", "r.*"));
  ASSERT_EQ(1U, c.always.size());
  ASSERT_EQ(2U, c.resources.size());
  EXPECT_EQ("docs/**", c.resources[0].files);
  EXPECT_EQ(coverage::ResourceVerdict::kInert, c.resources[0].verdict);
  EXPECT_EQ(coverage::ResourceVerdict::kAll, c.resources[1].verdict);
}

// What is not understood is an error with its line, never left out: a rule that
// was meant to select more would be gone.
TEST(Settings, WhatIsNotUnderstoodIsAnError) {
  const std::map<std::string, std::string> wrong = {
      {"\n[selct]\n", "f:2: unknown key 'selct', did you mean 'select'?"},
      {"[select]\ncoverige = \"x\"",
       "f:2: unknown key 'coverige' in [select], did you mean 'coverage'?"},
      {"[select]\nsuite = 1", "f:2: 'suite' is integer, it must be a string"},
      {"[select]\nallow-lower-bound = \"yes\"", "it must be true or false"},
      {"[select]\nmax-age-days = -1", "it must be a number from 0 to 1000000"},
      {"[select]\nassume = [\"no-refection\"]", "f:2: "},
      {"[classes]\ninternal = \"p.*\"", "it must be a list of strings"},
      {"select = 1", "f:1: 'select' is integer, it must be a table"},
      {"[always]\ntests = \"x\"", "it must be an array of tables"},
      {"[[always]]\ntests = \"x\"", "f:1: [[always]] needs 'reason'"},
      {"[[resources]]\nfiles = \"x\"\nselect = \"none\"",
       "'select' is 'none', it must be tests, all or inert"},
      {"[select", "f:1"},
      {"[select]\nsuite = \"\xff\"", "f"},
  };
  for (const auto& [text, message] : wrong) {
    const auto read = parse_config(text, "f");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().message(), HasSubstr(message)) << text;
  }
}

TEST(Settings, VariablesAreReadLikeKeys) {
  std::map<std::string, std::string> set = {{"REJIG_SUITE", "fast"},
                                            {"REJIG_MAX_AGE_DAYS", "7"},
                                            {"REJIG_INTERNAL", "p.*,,q.*"},
                                            {"REJIG_ALLOW_LOWER_BOUND", "0"},
                                            {"REJIG_OLD", ""}};
  const auto get = [&](const char* name) {
    const auto at = set.find(name);
    return at == set.end() ? nullptr : at->second.c_str();
  };
  const auto read = config_of_environment(get);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ("fast", read->suite);
  EXPECT_EQ(7U, read->max_age_days);
  EXPECT_EQ(false, read->allow_lower_bound);
  EXPECT_THAT(*read->internal, ElementsAre("p.*", "q.*"));
  EXPECT_FALSE(read->old_path);
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"REJIG_MAX_AGE_DAYS", "7 days"},
                                          {"REJIG_ALLOW_LOWER_BOUND", "maybe"},
                                          {"REJIG_ASSUME", "no-refection"}}) {
    set = {{name, value}};
    const auto wrong = config_of_environment(get);
    ASSERT_FALSE(wrong.ok()) << name;
    EXPECT_THAT(wrong.error().message(), StartsWith(name + ": "));
  }
}

TEST(Settings, TheStrongerOneWinsAndRulesHoldTogether) {
  const auto strong =
      parse_config(
          "[select]\nsuite = \"a\"\n[[always]]\ntests = \"A\"\nreason = \"r\"\n"
          "[[resources]]\nfiles = \"x\"\nselect = \"all\"\n",
          "strong")
          .value();
  const auto weak = parse_config(
                        "[select]\nsuite = \"b\"\ncoverage = "
                        "\"c\"\n[[always]]\ntests = \"B\"\nreason = \"r\"\n"
                        "[[resources]]\nfiles = \"x\"\nselect = \"inert\"\n",
                        "weak")
                        .value();
  const auto both = merged(strong, weak);
  EXPECT_EQ("a", both.suite);
  EXPECT_EQ("c", both.coverage);
  EXPECT_EQ(2U, both.always.size());
  ASSERT_EQ(2U, both.resources.size());
  EXPECT_EQ(coverage::ResourceVerdict::kAll,
            policy_of(both).resource_rule("x")->verdict);
}

TEST(Settings, VariableOverProjectOverUser) {
  const Project project;
  project.write("rejig.toml",
                "[select]\nsuite = \"project\"\ncoverage = \"project.db\"\n");
  project.write("home/.config/rejig/config.toml",
                "[select]\nsuite = \"user\"\nmax-age-days = 3\n");
  ::setenv("REJIG_COVERAGE", "variable.db", 1);
  const auto read = load_config("");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ("variable.db", read->coverage);
  EXPECT_EQ("project", read->suite);
  EXPECT_EQ(3U, read->max_age_days);
}

TEST(Settings, AFileThatIsNamedMustBeThere) {
  const Project project;
  project.write("rejig.toml", "[select]\nsuite = \"project\"\n");
  project.write("other.toml", "[select]\nsuite = \"other\"\n");
  EXPECT_EQ("other", load_config("other.toml")->suite);
  EXPECT_FALSE(load_config("absent.toml").ok());
}

TEST(Settings, LookedForUpToTheRepository) {
  const Project project;
  project.write("rejig.toml", "[select]\nsuite = \"top\"\n");
  project.write("module/src/x", "");
  fs::current_path(project.path("module/src"));
  EXPECT_EQ("top", load_config("")->suite);
  project.write("module/.git", "gitdir: elsewhere\n");
  EXPECT_FALSE(load_config("")->suite);
}

TEST(Settings, WhatMakesAnswersSmallerIsNamedWithItsPlace) {
  const Project project;
  project.write("rejig.toml",
                "[select]\nassume = [\"no-reflection\"]\nallow-lower-bound = "
                "true\n[classes]\nexternal = [\"q.*\"]\n");
  EXPECT_THAT(
      load_config("")->narrowing,
      ElementsAre("rejig.toml: assume no-reflection",
                  "rejig.toml: allow-lower-bound", "rejig.toml: external q.*"));
  ::setenv("REJIG_ASSUME", "no-resources", 1);
  EXPECT_THAT(
      load_config("")->narrowing,
      ElementsAre("the environment: assume no-resources",
                  "rejig.toml: allow-lower-bound", "rejig.toml: external q.*"));
}

// Whoever can write above the project must not decide what it tests.
TEST(Settings, AnotherUsersFileIsNotFollowed) {
  const Project project;
  project.write("rejig.toml", "[select]\nassume = [\"no-reflection\"]\n");
  constexpr uid_t kNobody = 65534;
  const bool given =
      ::chown(project.path("rejig.toml").c_str(), kNobody, kNobody) == 0;
  ASSERT_EQ(::geteuid() == 0, given);
  Heard heard;
  Work work(heard);
  const auto read = load_config(work);
  ASSERT_TRUE(read.ok());
  // Who is not root cannot give a file away: then it is the user's own, and
  // holds.
  EXPECT_NE(given, read->assume.has_value());
  if (!given) return;
  ASSERT_EQ(1U, heard.lines.size());
  EXPECT_THAT(heard.lines[0],
              HasSubstr("belongs to another user and is not followed"));
}

}  // namespace
}  // namespace rejig::app
