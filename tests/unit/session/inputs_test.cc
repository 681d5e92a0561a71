// SPDX-License-Identifier: Apache-2.0
#include "apps/session/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/unit/session/project.h"

namespace rejig::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names_of(const classfile::Program& program) {
  std::vector<std::string> out;
  for (const auto& file : program.classes()) out.emplace_back(file.name);
  return out;
}

TEST(Inputs, FlagsThenSettingsThenJavaHome) {
  ::setenv("JAVA_HOME", "/jdk", 1);
  InputOptions o;
  o.old_path = "flag";
  o.old_lib = "flag-lib";
  Config config;
  config.old_path = "settings";
  config.new_path = "settings";
  config.lib = "settings-lib";
  config.new_jdk = "settings-jdk";
  complete_inputs(o, config);
  EXPECT_EQ("flag", o.old_path);
  EXPECT_EQ("settings", o.new_path);
  EXPECT_EQ("flag-lib", o.old_lib);
  EXPECT_EQ("settings-lib", o.new_lib);
  EXPECT_EQ("/jdk", o.old_jdk);
  EXPECT_EQ("settings-jdk", o.new_jdk);
  EXPECT_TRUE(o.jdk_by_default);
}

TEST(Inputs, AClassPathIsSplitByTheProject) {
  const Project project;
  project.write("classes/x", "");
  project.write("lib/mine.jar", "");
  InputOptions o;
  o.class_path = "classes:/elsewhere/a.jar:lib/mine.jar";
  InputOptions named = o;
  complete_inputs(o, {});
  EXPECT_EQ("classes:lib/mine.jar", o.new_path);
  EXPECT_EQ("/elsewhere/a.jar", o.new_lib);
  named.internal_root = project.path("classes");
  complete_inputs(named, {});
  EXPECT_EQ("classes", named.new_path);
  EXPECT_EQ("/elsewhere/a.jar:lib/mine.jar", named.new_lib);
}

TEST(Inputs, PatternsMoveClassesBetweenTheSides) {
  const Project project;
  project.write_class("classes", "p.A", {});
  project.write_class("classes", "generated.B", {});
  project.write_class("lib", "q.C", {});
  project.write_class("lib", "p.D", {});
  base::Diagnostics said;
  const auto split = [&](const std::vector<std::string>& in,
                         const std::vector<std::string>& out) {
    return load_sides({"classes"}, {"lib"}, in, out, {}, said).value();
  };
  const auto plain = split({}, {});
  EXPECT_THAT(names_of(plain.internal),
              UnorderedElementsAre("generated/B", "p/A"));
  EXPECT_THAT(names_of(*plain.libraries), UnorderedElementsAre("p/D", "q/C"));
  const auto moved = split({"p.*"}, {"generated.*"});
  EXPECT_THAT(names_of(moved.internal), UnorderedElementsAre("p/A", "p/D"));
  EXPECT_THAT(names_of(*moved.libraries),
              UnorderedElementsAre("generated/B", "q/C"));
  // `external` wins; and no class is on both sides, or on none.
  const auto both = split({"p.*"}, {"p.D", "p.A"});
  EXPECT_THAT(names_of(both.internal), UnorderedElementsAre("generated/B"));
  EXPECT_THAT(names_of(*both.libraries),
              UnorderedElementsAre("p/A", "p/D", "q/C"));
}

TEST(Inputs, TheReleaseOfAJdk) {
  const Project project;
  project.write("eight/release", "JAVA_VERSION=\"1.8.0_392\"\n");
  project.write("17/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n");
  project.write("odd/release", "JAVA_VERSION=\"x\"\n");
  EXPECT_EQ(8U, feature_release("eight"));
  EXPECT_EQ(17U, feature_release("17"));
  EXPECT_EQ(0U, feature_release("odd"));
  EXPECT_EQ(0U, feature_release("absent"));
}

TEST(Inputs, ADigestIsOfTheBytesOrOfNothing) {
  const Project project;
  project.write_class("classes", "p.A", {{"f", 1}});
  project.write_jar("a.jar", "p.B", {{"f", 1}});
  base::Diagnostics said;
  const auto program =
      classfile::Program::load({"classes", "a.jar"}, {}, said).value();
  const auto digest = project.digest_of("classes/p/A.class");
  EXPECT_TRUE(has_digest(program, "p.A", digest));
  EXPECT_FALSE(has_digest(program, "p.A", digest.substr(1) + "0"));
  EXPECT_FALSE(has_digest(program, "p.A", ""));
  EXPECT_FALSE(has_digest(program, "p.B", digest));
  EXPECT_FALSE(has_digest(program, "p.C", digest));
}

struct Asked {
  Heard heard;
  Work work{heard};
  base::Result<std::unique_ptr<Compared>> compare(const std::string& a,
                                                  const std::string& b) {
    work.jobs = 1;
    InputOptions o;
    o.old_path = a;
    o.new_path = b;
    return compare_inputs(o, work);
  }
};

TEST(Inputs, WhatCannotBeOpenedIsAnError) {
  const Project project;
  project.write_class("new", "p.A", {{"f", 1}});
  project.write("broken.jar", "this is no archive");
  Asked asked;
  EXPECT_EQ("absent: there is no such file",
            asked.compare("absent", "new").error().message());
  EXPECT_EQ("absent: there is no such file",
            asked.compare("new", "new:absent").error().message());
  EXPECT_FALSE(asked.compare("broken.jar", "new").ok());
}

TEST(Inputs, AFolderWithoutClassesIsSaid) {
  const Project project;
  project.write_class("new", "p.A", {{"f", 1}});
  project.write("empty/readme", "");
  Asked asked;
  ASSERT_TRUE(asked.compare("empty", "new").ok());
  EXPECT_THAT(asked.heard.lines, ElementsAre("empty: holds no class"));
}

TEST(Inputs, ADamagedClassCountsAsChanged) {
  const Project project;
  project.write_class("old", "p.A", {{"f", 1}});
  project.write("new/p/A.class", "\xca\xfe\xba\xbe and no more");
  Asked asked;
  const auto compared = asked.compare("old", "new");
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_THAT((*compared)->comparison.changed_class_names, ElementsAre("p.A"));
  EXPECT_FALSE((*compared)->comparison.edges.empty());
  EXPECT_FALSE((*compared)->comparison.widened.empty());
}

TEST(Inputs, TheSameTwiceIsNoChange) {
  const Project project;
  project.write_class("old", "p.A", {{"f", 1}});
  Asked asked;
  const auto compared = asked.compare("old", "old");
  ASSERT_TRUE(compared.ok());
  EXPECT_THAT((*compared)->comparison.edges, IsEmpty());
  EXPECT_THAT(asked.heard.lines, IsEmpty());
}

TEST(Inputs, RenamesAreCheckedAgainstBothPrograms) {
  const Project project;
  project.write_class("old", "p.A", {{"f", 1}});
  project.write_class("new", "p.B", {{"f", 1}});
  project.write("names", "p.A p.B\n");
  project.write("wrong", "p.Absent p.B\n");
  project.write("odd", "p.A\n");
  const auto compare = [&](const std::string& names, Heard& heard) {
    Work work(heard);
    InputOptions o;
    o.old_path = "old";
    o.new_path = "new";
    o.rename = names;
    return compare_inputs(o, work);
  };
  Heard heard;
  EXPECT_TRUE(compare("names", heard).ok());
  EXPECT_THAT(heard.lines, IsEmpty());
  EXPECT_TRUE(compare("wrong", heard).ok());
  ASSERT_EQ(1U, heard.lines.size());
  EXPECT_THAT(heard.lines[0], HasSubstr("p.Absent"));
  EXPECT_FALSE(compare("odd", heard).ok());
}

}  // namespace
}  // namespace rejig::app
