// SPDX-License-Identifier: Apache-2.0
#include "coverage/import/junit_xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rejig::coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ReadBytes in_pieces(const std::string& text, std::size_t piece) {
  return [&text, piece, at = std::size_t{0}](
             char* buffer, std::size_t size) mutable -> base::Result<std::size_t> {
    const std::size_t n = std::min({piece, size, text.size() - at});
    std::copy_n(text.data() + at, n, buffer);
    at += n;
    return n;
  };
}

std::vector<std::string> lines_of(const std::string& text,
                                  std::size_t piece = 4096) {
  std::vector<std::string> out;
  const auto read =
      read_junit_xml(in_pieces(text, piece), "t.xml", [&](const JunitCase& c) {
        out.push_back(c.class_name + "#" + c.name + " " +
                      std::string(name_of(c.result)) +
                      (c.flaky ? " flaky" : "") + " " + std::to_string(c.ms));
      });
  if (!read.ok()) out.push_back("error " + read.error().message());
  return out;
}

constexpr const char* kSurefire = R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="a.b.FooTest" time="1.5" tests="7">
  <properties><property name="x" value="&lt;testcase&gt;"/></properties>
  <testcase name="one" classname="a.b.FooTest" time="0.012"/>
  <testcase name="two" classname="a.b.FooTest" time="1,234.5">
    <failure message="expected:&lt;1&gt;" type="java.lang.AssertionError"><![CDATA[at a.b.FooTest]]></failure>
    <system-out><![CDATA[<error/>]]></system-out>
  </testcase>
  <testcase name="three" classname="a.b.FooTest"><error type="E">x</error></testcase>
  <testcase name="four" classname="a.b.FooTest"><skipped message="later"/></testcase>
  <testcase name="five" classname="a.b.FooTest"><flakyFailure type="E"><stackTrace/></flakyFailure></testcase>
  <testcase name="six" classname="a.b.FooTest"><failure/><rerunFailure/></testcase>
  <testcase name="a.b.FooTest" classname=""><error/></testcase>
</testsuite>
)";

TEST(JunitXml, ReadsOutcomesWhateverThePieces) {
  const auto expected = ElementsAre(
      "a.b.FooTest#one pass 12", "a.b.FooTest#two fail 1234500",
      "a.b.FooTest#three error 0", "a.b.FooTest#four skip 0",
      "a.b.FooTest#five pass flaky 0", "a.b.FooTest#six fail 0",
      "a.b.FooTest#a.b.FooTest error 0");
  for (const std::size_t piece : {1U, 2U, 7U, 64U, 100000U}) {
    EXPECT_THAT(lines_of(kSurefire, piece), expected);
  }
}

TEST(JunitXml, ReadsNestedSuitesAndStatus) {
  EXPECT_THAT(
      lines_of("<testsuites><testsuite name='a.A'><testsuite name='a.B'>"
               "<testcase name='x'/></testsuite><testcase name='y' "
               "status='skipped'/></testsuite></testsuites>"),
      ElementsAre("a.B#x pass 0", "a.A#y skip 0"));
}

TEST(JunitXml, EveryTruncationIsAnError) {
  const std::string whole = kSurefire;
  const auto last = whole.rfind('>');
  for (std::size_t n = 0; n < last; ++n) {
    const std::string part = whole.substr(0, n);
    const auto read =
        read_junit_xml(in_pieces(part, 512), "t.xml", [](const JunitCase&) {});
    EXPECT_FALSE(read.ok()) << n;
  }
}

TEST(JunitXml, RefusesWhatIsNoReport) {
  EXPECT_THAT(lines_of("<html/>").back(), HasSubstr("root element is <html>"));
  EXPECT_THAT(lines_of("").back(), HasSubstr("error t.xml:1:1"));
  EXPECT_THAT(lines_of("<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite/>").back(),
              HasSubstr("document type"));
  std::string deep = "<testsuite>";
  for (int i = 0; i < 100; ++i) deep += "<x>";
  EXPECT_THAT(lines_of(deep).back(), HasSubstr("deeper than 64"));
}

class Ids : public ::testing::Test {
 protected:
  std::string find(const std::string& class_name, const std::string& name) {
    JunitCase test;
    test.class_name = class_name;
    test.name = name;
    const auto found = ids_.find(test);
    std::string out(name_of(found.match));
    for (const auto id : found.ids) out += " " + std::string(id);
    return out;
  }
  JunitIds ids_{{"a.FooTest#one()", "a.FooTest#over()",
                 "a.FooTest#over(org.junit.jupiter.api.TestInfo)",
                 "a.FooTest#over(int,java.lang.String[])", "a.FooTest$In#deep()",
                 "a.FooTest$In$Er#deeper()", "a.FooTestMore#one()",
                 "a.Cuke#*"}};
};

TEST_F(Ids, KnowsTheSpellingsOfRunners) {
  for (const std::string name :
       {"one", "one()", "one[0]", "one[0: x=1]", "one{}", "one()[2]",
        "one[a](3)"}) {
    EXPECT_EQ(find("a.FooTest", name), "exact a.FooTest#one()") << name;
  }
  EXPECT_EQ(find("a.FooTest", "over(TestInfo)"),
            "exact a.FooTest#over(org.junit.jupiter.api.TestInfo)");
  EXPECT_EQ(find("a.FooTest", "over{int, String[]}[1]"),
            "exact a.FooTest#over(int,java.lang.String[])");
  EXPECT_EQ(find("a.FooTest", "over(int, java.lang.String...)[1]"),
            "exact a.FooTest#over(int,java.lang.String[])");
  EXPECT_EQ(find("a.FooTest$In", "deep()"), "exact a.FooTest$In#deep()");
  EXPECT_EQ(find("a.FooTest.In", "deep"), "exact a.FooTest$In#deep()");
  EXPECT_EQ(find("a.FooTest.In.Er", "deeper"), "exact a.FooTest$In$Er#deeper()");
}

TEST_F(Ids, WidensOnDoubt) {
  EXPECT_EQ(find("a.FooTest", "over(Strange)"),
            "method a.FooTest#over() a.FooTest#over(int,java.lang.String[]) "
            "a.FooTest#over(org.junit.jupiter.api.TestInfo)");
  const std::string whole_class =
      "class a.FooTest#one() a.FooTest#over() "
      "a.FooTest#over(int,java.lang.String[]) "
      "a.FooTest#over(org.junit.jupiter.api.TestInfo) a.FooTest$In#deep() "
      "a.FooTest$In$Er#deeper()";
  for (const std::string name :
       {"", "adds two numbers", "initializationError", "[1] 5", "a.FooTest",
        "one time: 2"}) {
    EXPECT_EQ(find("a.FooTest", name), whole_class) << name;
  }
  EXPECT_EQ(find("a.Cuke", "Feature: x"), "class a.Cuke#*");
  EXPECT_EQ(find("a.Nobody", "one"), "none");
  EXPECT_EQ(find("", ""), "none");
}

}  // namespace
}  // namespace rejig::coverage
