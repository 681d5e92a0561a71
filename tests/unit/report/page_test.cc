// SPDX-License-Identifier: Apache-2.0
// Names from archives in a page, a terminal and a CI runner's log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/rejig/report/page.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Page page_of(const std::string& name) {
  Page page;
  page.title = "rejig diff";
  page.verdict = {name};
  page.sections.push_back({"Part", {{name, name + ":1", "E1", {name}}}, 3, true});
  page.footer = {name};
  return page;
}

TEST(OneLine, NothingDrivesTheTerminal) {
  EXPECT_EQ("a\\x1b]0;x\\x07b", one_line("a\x1b]0;x\x07" "b"));
  EXPECT_EQ("\\u009b31m", one_line("\xc2\x9b" "31m"));
  EXPECT_EQ("a\\u202eb", one_line("a\xe2\x80\xae" "b"));
  EXPECT_EQ("\\xff\\xc3", one_line("\xff\xc3"));
  EXPECT_EQ("é – 日本", one_line("é – 日本"));
}

TEST(OneLine, NothingIsAWorkflowCommand) {
  EXPECT_EQ("\\x3a:error::x", one_line("::error::x"));
  EXPECT_EQ("  \\x3a:error::x", one_line("  ::error::x"));
  EXPECT_EQ("a \\x23#[error]x", one_line("a ##[error]x"));
  EXPECT_EQ("a::b", one_line("a::b"));
  EXPECT_EQ("a%0A", github_message("a%0A").replace(1, 3, "%"));
}

TEST(Page, MarkdownHasNoMarkupOfNames) {
  const std::string text = page_markdown(
      page_of("<img src=x> | `x` [a](http://b) *c* @everybody #1"));
  EXPECT_THAT(text, Not(HasSubstr("**<img")));
  EXPECT_THAT(text, HasSubstr("&lt;img src=x&gt; \\| \\`x\\` \\[a\\](http"));
  EXPECT_THAT(text, HasSubstr("`` <img src=x> | `x`"));
  EXPECT_THAT(text, HasSubstr("Part (4)"));
}

TEST(Page, HtmlHasNoMarkupOfNames) {
  const std::string text =
      page_html(page_of("</code><script>alert(1)</script>\" onload='x"));
  EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
  // In the data, too.
  EXPECT_THAT(text, HasSubstr("\\u003c/code>\\u003cscript>alert(1)"));
  EXPECT_THAT(text, Not(HasSubstr("</code><script")));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
}

TEST(Page, SarifHasTheRulesOfItsFindings) {
  const std::string text = findings_sarif(
      {{"D7", Finding::Level::kWarning, "a \"b\"", "a b/C.java", 3, "x"}}, "1");
  EXPECT_THAT(text, HasSubstr("\"version\": \"2.1.0\""));
  EXPECT_THAT(text, HasSubstr("{\"id\":\"D7\",\"name\":\"dispatch\""));
  EXPECT_THAT(text, HasSubstr("\"uri\":\"a%20b/C.java\""));
  EXPECT_THAT(text, HasSubstr("\"text\":\"a \\\"b\\\"\""));
  EXPECT_THAT(findings_sarif({}, "1"), HasSubstr("\"results\": []"));
}

}  // namespace
}  // namespace rejig::app
