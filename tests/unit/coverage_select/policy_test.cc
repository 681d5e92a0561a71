// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/policy.h"

#include <gtest/gtest.h>

#include <string>

namespace rejig::coverage {
namespace {

TEST(Glob, Files) {
  EXPECT_TRUE(glob_match("docs/**", "docs/a/b.md", '/'));
  EXPECT_FALSE(glob_match("docs/*", "docs/a/b.md", '/'));
  EXPECT_TRUE(glob_match("**/*.md", "a.md", '/'));
  EXPECT_TRUE(glob_match("**/*.md", "x/y/a.md", '/'));
  EXPECT_FALSE(glob_match("*.md", "x/a.md", '/'));
  EXPECT_FALSE(glob_match("docs/**", "mydocs/a", '/'));
  EXPECT_TRUE(glob_match("a?c", "abc", '/'));
  EXPECT_FALSE(glob_match("a?c", "a/c", '/'));
  EXPECT_TRUE(glob_match("a/**/b", "a/b", '/'));
  EXPECT_TRUE(glob_match("a/**/b", "a/x/y/b", '/'));
  EXPECT_FALSE(glob_match("", "a", '/'));
  EXPECT_TRUE(glob_match("", "", '/'));
}

TEST(Glob, Tests) {
  EXPECT_TRUE(glob_match("*IT#*", "a.b.FooIT#one(int)", '\0'));
  EXPECT_FALSE(glob_match("*IT#*", "a.b.FooTest#one()", '\0'));
}

TEST(Glob, ManyStarsAreNotSlow) {
  const std::string pattern = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  EXPECT_FALSE(glob_match(pattern, std::string(2000, 'a'), '\0'));
}

TEST(Assumptions, UnknownNameSuggests) {
  EXPECT_TRUE(assumed_absent("no-reflection").ok());
  const auto wrong = assumed_absent("no-reflexion");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().what.find("did you mean 'no-reflection'"),
            std::string::npos);
  EXPECT_FALSE(assumed_absent("").ok());
}

TEST(Policy, FirstResourceRuleDecides) {
  Policy policy;
  policy.resources = {{"docs/api/**", ResourceVerdict::kAll},
                      {"docs/**", ResourceVerdict::kInert}};
  ASSERT_NE(policy.resource_rule("docs/api/x"), nullptr);
  EXPECT_EQ(policy.resource_rule("docs/api/x")->verdict, ResourceVerdict::kAll);
  EXPECT_EQ(policy.resource_rule("docs/x")->verdict, ResourceVerdict::kInert);
  EXPECT_EQ(policy.resource_rule("src/x"), nullptr);
}

}  // namespace
}  // namespace rejig::coverage
