// SPDX-License-Identifier: Apache-2.0
// Two listings side by side: what is the same stands in one row, nothing is lost.
#include <gtest/gtest.h>

#include "traversal/describe/body_facts.h"
#include "traversal/describe/listing.h"

namespace rejig::traversal {
namespace {

std::vector<ListingLine> lines_of(const std::string& letters) {
  std::vector<ListingLine> out;
  for (const char c : letters) out.push_back({std::string(1, c), 0});
  return out;
}

// "a=" the same, "a|b" beside each other, "a<" and ">b" alone.
std::string shown(const std::string& before, const std::string& after) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  std::string out;
  for (const auto& row : aligned(a, b)) {
    if (row.same) {
      EXPECT_EQ(row.before->text, row.after->text);
      out += row.before->text + "= ";
      continue;
    }
    out += row.before != nullptr ? row.before->text : "";
    out += row.before == nullptr ? ">" : row.after == nullptr ? "<" : "|";
    out += row.after != nullptr ? row.after->text : "";
    out += " ";
  }
  return out;
}

TEST(Listing, Aligned) {
  EXPECT_EQ("a= b= c= ", shown("abc", "abc"));
  EXPECT_EQ("a= >x b= ", shown("ab", "axb"));
  EXPECT_EQ("a= x< b= ", shown("axb", "ab"));
  EXPECT_EQ("a= x|y b= ", shown("axb", "ayb"));
  EXPECT_EQ(">a >b ", shown("", "ab"));
  EXPECT_EQ("", shown("", ""));
}

TEST(Listing, EveryLineStandsOnce) {
  const auto a = lines_of("abcabbaxyz");
  const auto b = lines_of("cbabacxzzy");
  std::size_t olds = 0;
  std::size_t news = 0;
  for (const auto& row : aligned(a, b)) {
    if (row.before != nullptr) {
      EXPECT_EQ(&a[olds++], row.before);
    }
    if (row.after != nullptr) {
      EXPECT_EQ(&b[news++], row.after);
    }
  }
  EXPECT_EQ(a.size(), olds);
  EXPECT_EQ(b.size(), news);
}

TEST(BodyChange, WhatCameAndWent) {
  BodyFacts before;
  before.facts = {{FactKind::kCall, "A.f"}, {FactKind::kNumber, "1"}};
  before.instructions = 8;
  BodyFacts after;
  after.facts = {{FactKind::kText, "\"ldap\""}, {FactKind::kCall, "B.g"},
                 {FactKind::kCall, "B.g"}, {FactKind::kNumber, "2"}};
  after.instructions = 142;
  after.is_synchronized = true;
  const auto change = change_of(before, after);
  EXPECT_EQ((std::vector<std::string>{"+ B.g, \"ldap\"", "− A.f",
                                      "now synchronized",
                                      "8 → 142 instructions"}),
            words_of(change, 6));
  EXPECT_EQ("+ B.g, 1 more", words_of(change, 1).front());
  EXPECT_FALSE(change.says_little());
  const auto same = change_of(after, after);
  EXPECT_TRUE(same.gained.empty() && same.lost.empty());
  EXPECT_TRUE(words_of(same, 6).empty());
}

}  // namespace
}  // namespace rejig::traversal
