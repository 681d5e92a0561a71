// SPDX-License-Identifier: Apache-2.0
// Edges to items: causes before effects, what matters first, nothing left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "apps/rejig/report/digest_text.h"
#include "apps/rejig/report/ink.h"

namespace rejig::app {
namespace {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Delta delta(Rule rule, Channel channel, std::string entity,
            std::string old_fact, std::string new_fact,
            std::string label = "") {
  Delta d;
  d.rule = rule;
  d.channel = channel;
  d.entity = std::move(entity);
  d.label = std::move(label);
  d.old_fact = std::move(old_fact);
  d.new_fact = std::move(new_fact);
  return d;
}

struct Made {
  std::vector<coverage::Edge> edges;
  Digest digest;
};

Made made(std::vector<Delta> deltas, const std::vector<Delta>& facets = {}) {
  Made out;
  for (auto& d : deltas) out.edges.push_back({std::move(d), {}});
  std::vector<std::uint32_t> shown(out.edges.size());
  std::iota(shown.begin(), shown.end(), 0U);
  out.digest = digest_of(out.edges, shown, facets, nullptr);
  return out;
}

TEST(Digest, ABodyIsOneItemHoweverOftenItParts) {
  const auto m = made({delta(Rule::kD1, Channel::kBody, "p.A.f()I", "1", "2"),
                       delta(Rule::kD1, Channel::kBody, "p.A.f()I", "3", "4")});
  ASSERT_EQ(1U, m.digest.items.size());
  EXPECT_EQ("A.f()", m.digest.items[0].title);
  EXPECT_THAT(m.digest.items[0].edges, ElementsAre(0, 1));
  EXPECT_EQ(1U, m.digest.methods);
}

TEST(Digest, AReceiversFanOutIsOneItem) {
  auto one = delta(Rule::kD7, Channel::kSelection, "p.S.f()I", "p.S.f()I",
                   "p.B.f()I", "p.B");
  one.receivers = {"p.B", "p.C"};
  auto two = delta(Rule::kD8, Channel::kSelection, "p.I.f()I", "p.S.f()I",
                   "p.B.f()I", "p.D");
  two.receivers = {"p.D"};
  const auto m = made({one, two});
  ASSERT_EQ(1U, m.digest.items.size());
  EXPECT_EQ("B.f()", m.digest.items[0].title);
  EXPECT_THAT(m.digest.items[0].notes,
              ElementsAre("runs now instead of S.f()", "for B, C, D"));
}

TEST(Digest, ADeletedClassIsToldOnce) {
  const auto m = made(
      {delta(Rule::kD14, Channel::kLinking, "p.A", "declared", "deleted"),
       delta(Rule::kD1, Channel::kBody, "p.A.f()I", "declared",
             "deleted with its class")});
  EXPECT_EQ(1U, m.digest.gone_classes);
  EXPECT_TRUE(m.digest.items.empty());
  EXPECT_EQ(0U, m.digest.gone_methods);
}

TEST(Digest, WhatNobodyGaveIsCounted) {
  const auto m = made({delta(Rule::kD8, Channel::kSelection, "p.A.f()I",
                             "a class that is not there: q/Lib", "p.A.f()I")});
  EXPECT_TRUE(m.digest.items.empty());
  EXPECT_THAT(m.digest.missing, ElementsAre("q.Lib"));
  EXPECT_EQ(1U, m.digest.edges_of_missing);
}

TEST(Digest, MetadataIsNoItemAndResourcesAre) {
  const auto m = made({delta(Rule::kD20, Channel::kArtefact,
                             "META-INF/MANIFEST.MF", "there", "changed",
                             "content"),
                       delta(Rule::kD20, Channel::kArtefact, "app.properties",
                             "there", "changed", "content")});
  ASSERT_EQ(1U, m.digest.items.size());
  EXPECT_EQ("app.properties", m.digest.items[0].title);
  EXPECT_THAT(m.digest.metadata, ElementsAre("META-INF/MANIFEST.MF"));
  EXPECT_TRUE(traversal::is_metadata("META-INF/maven/a/b/pom.properties"));
  EXPECT_TRUE(traversal::is_metadata("META-INF/licenses/x"));
  EXPECT_TRUE(traversal::is_metadata("META-INF/KEY.RSA"));
  EXPECT_TRUE(traversal::is_metadata("license.txt"));
  EXPECT_FALSE(traversal::is_metadata("META-INF/services/java.sql.Driver"));
  EXPECT_FALSE(traversal::is_metadata("META-INF/a/key.rsa"));
  EXPECT_FALSE(traversal::is_metadata("manifest.xml"));
}

TEST(Digest, ASubtypeTellsItsInitialization) {
  const auto m = made(
      {delta(Rule::kD12, Channel::kSubtyping, "p.A", "lost q.X", "gained q.Y"),
       delta(Rule::kD13, Channel::kInitialization, "p.A", "[?q.X]", "[?q.Y]"),
       delta(Rule::kD12, Channel::kSubtyping, "p.B", "lost q.X",
             "gained q.Y")});
  ASSERT_EQ(1U, m.digest.items.size());
  EXPECT_THAT(m.digest.items[0].notes,
              ElementsAre("now a Y", "no longer a X", "for B"));
}

TEST(Digest, JavaIsRaised) {
  const auto m = made(
      {}, {delta(Rule::kD20, Channel::kArtefact, "p.A", "52.0 (Java 8)",
                 "61.0 (Java 17)", "class file version")});
  EXPECT_EQ(8U, m.digest.old_java);
  EXPECT_EQ(17U, m.digest.new_java);
}

Made many(unsigned n) {
  std::vector<Delta> deltas;
  for (unsigned i = 0; i < n; ++i) {
    auto d = delta(Rule::kD1, Channel::kBody,
                   "com.acme.Class" + std::to_string(i) +
                       ".method(Ljava/lang/String;Ljava/lang/Object;)V",
                   "int 1", "int 2");
    d.file = "com/acme/Class" + std::to_string(i) + ".java";
    d.line = 7;
    deltas.push_back(d);
  }
  return made(std::move(deltas));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

TEST(DigestText, FitsTheScreen) {
  const auto m = many(200);
  for (const unsigned width : {40U, 80U, 132U}) {
    for (const unsigned rows : {20U, 24U, 40U, 100U}) {
      const std::string text =
          digest_text({m.digest, m.edges}, {width, rows, false, false});
      const auto lines = lines_of(text);
      EXPECT_LT(lines.size(), rows) << width << "x" << rows;
      for (const auto& line : lines) EXPECT_LE(columns_of(line), width) << line;
      EXPECT_THAT(text, HasSubstr(" more (--all)"));
    }
  }
}

TEST(DigestText, AllIsAll) {
  const auto m = many(200);
  const std::string text = digest_text({m.digest, m.edges}, {80, 0, false, false});
  for (unsigned i = 0; i < 200; ++i) {
    EXPECT_THAT(text, HasSubstr("Class" + std::to_string(i) + ".method("));
  }
  EXPECT_THAT(text, Not(HasSubstr("more (--all)")));
  EXPECT_THAT(text, Not(HasSubstr("Ljava")));
}

TEST(DigestText, ColourIsOnlyColour) {
  const auto m = many(30);
  const std::string plain = digest_text({m.digest, m.edges}, {80, 30, false, false});
  std::string inked = digest_text({m.digest, m.edges}, {80, 30, true, false});
  EXPECT_NE(plain, inked);
  for (auto at = inked.find('\033'); at != std::string::npos;
       at = inked.find('\033')) {
    inked.erase(at, inked.find('m', at) - at + 1);
  }
  EXPECT_EQ(plain, inked);
}

TEST(DigestText, NamesDriveNothing) {
  const auto m = made({delta(Rule::kD20, Channel::kArtefact,
                             "::error::\033]0;x\007", "there", "changed",
                             "content")});
  const std::string text = digest_text({m.digest, m.edges}, {80, 40, false, false});
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  for (const auto& line : lines_of(text)) {
    const auto start = line.find_first_not_of(' ');
    EXPECT_FALSE(start != std::string::npos &&
                 line.compare(start, 2, "::") == 0)
        << line;
  }
}

}  // namespace
}  // namespace rejig::app
