// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/adaptor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rejig::coverage {
namespace {

using classfile::Delta;
using classfile::Disjunction;
using classfile::Rule;

// "m:a.b() & inst:R | load:C": what the table says, as one readable line.
std::string text(const Disjunction& items) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += " | ";
    if (item.empty()) out += "everybody";
    bool first = true;
    for (const auto& atom : item) {
      if (!first) out += " & ";
      first = false;
      out += classfile::to_string(atom);
    }
  }
  return out;
}

Delta full(Rule rule) {
  Delta d;
  d.rule = rule;
  d.at = {"p.A.f()V", "p.B.<clinit>()V"};
  d.target = "p.T.t()V";
  d.receivers = {"p.R", "p.S"};
  d.makers = {"p.M.mk()V"};
  d.subject = "p.K";
  return d;
}

struct Line {
  Rule rule;
  const char* items;
};

TEST(AdaptorTable, EveryRuleWithEveryRole) {
  const Line table[] = {
      {Rule::kD1, "m:p.A.f()V | init:p.B"},
      {Rule::kD2, "init:p.K | testclass:p.K"},
      {Rule::kD3, "m:p.A.f()V & m:p.T.t()V | init:p.B & m:p.T.t()V"},
      {Rule::kD4, "m:p.A.f()V | init:p.B"},
      {Rule::kD5, "m:p.A.f()V | init:p.B"},
      {Rule::kD6, "m:p.A.f()V | init:p.B"},
      {Rule::kD7, "recv:p.R|p.T.t()V | recv:p.S|p.T.t()V"},
      {Rule::kD8, "inst:p.R | inst:p.S"},
      {Rule::kD9, "m:p.A.f()V & m:p.T.t()V | init:p.B & m:p.T.t()V"},
      {Rule::kD10,
       "m:p.A.f()V & inst:p.R | m:p.A.f()V & inst:p.S | "
       "init:p.B & inst:p.R | init:p.B & inst:p.S"},
      {Rule::kD11, "m:p.A.f()V & m:p.M.mk()V | init:p.B & m:p.M.mk()V"},
      {Rule::kD12, "m:p.M.mk()V | inst:p.R | inst:p.S"},
      {Rule::kD13, "init:p.K | testclass:p.K"},
      {Rule::kD14,
       "load:p.K & init:p.R | load:p.K & init:p.S | load:p.K & refl:p.R | "
       "load:p.K & refl:p.S | load:p.K & testclass:p.M.mk()V | "
       "load:p.K & testclass:p.R | load:p.K & testclass:p.S"},
      {Rule::kD15, "m:p.A.f()V | init:p.B | refl:p.K"},
      {Rule::kD16, "refl:p.K | refl:p.K|kind"},
      {Rule::kD17, "inst:p.K | inst:p.R | inst:p.S"},
      {Rule::kD18, "testclass:p.K | testclass:p.R | testclass:p.S"},
      {Rule::kD19, "test:p.K"},
      {Rule::kD20, "res:p.K | resmiss:p.K"},
      {Rule::kD21, "ext:p.K"},
      {Rule::kD22, "miss:p.K"},
      {Rule::kD23, "m:p.A.f()V & stackapi | init:p.B & stackapi"},
  };
  for (const auto& line : table) {
    EXPECT_EQ(text(items_of(full(line.rule))), line.items)
        << classfile::name_of(line.rule);
  }
}

// Who asks a class for its kind or supertypes does not see its members; of a
// facet that nobody knows it may see anything.
TEST(AdaptorTable, FacetsThatAQuestionForTheKindSees) {
  Delta d = full(Rule::kD16);
  for (const char* seen : {"hierarchy", "inner", "a new facet", ""}) {
    d.label = seen;
    EXPECT_EQ(text(items_of(d)), "refl:p.K | refl:p.K|kind") << seen;
  }
  for (const char* unseen :
       {"members", "annotations", "generics", "exceptions", "record", "nest",
        "parameters", "synthetic names", "class name", "language metadata",
        "opens"}) {
    d.label = unseen;
    EXPECT_EQ(text(items_of(d)), "refl:p.K") << unseen;
  }
}

TEST(AdaptorTable, EdgesWhereABodyPartsAndWhatLinesSay) {
  Delta d = full(Rule::kD1);
  d.at.resize(1);
  d.edges = {"p.A.f()V#12T", "p.A.f()V#h40"};
  EXPECT_EQ(text(items_of(d)), "m:p.A.f()V");
  EXPECT_EQ(text(items_of(d, Detail::kEdges)),
            "m:p.A.f()V & stackapi | e:p.A.f()V#12T | e:p.A.f()V#h40");
  // Nothing is known of its edges, or who calls it stands for it.
  d.edges.clear();
  EXPECT_EQ(text(items_of(d, Detail::kEdges)), "m:p.A.f()V");
  d = full(Rule::kD1);
  d.edges = {"p.A.f()V#12T"};
  EXPECT_EQ(text(items_of(d, Detail::kEdges)), "m:p.A.f()V | init:p.B");
  // Other rules say more than where a body parts.
  d = full(Rule::kD4);
  d.edges = {"p.A.f()V#12T"};
  EXPECT_EQ(text(items_of(d, Detail::kEdges)), "m:p.A.f()V | init:p.B");
}

TEST(AdaptorTable, MissingRolesWiden) {
  Delta d;
  for (int rule = 1; rule <= 23; ++rule) {
    d.rule = static_cast<Rule>(rule);
    const std::string expected =
        d.rule == Rule::kD23 ? "stackapi" : "everybody";
    EXPECT_EQ(text(items_of(d)), expected) << classfile::name_of(d.rule);
  }
}

// Who links a class is known for verification only.
TEST(AdaptorTable, WhoLoadedAClassWhenNobodySaysWhoLinksIt) {
  Delta d = full(Rule::kD14);
  d.receivers.clear();
  d.makers.clear();
  EXPECT_EQ(text(items_of(d)), "load:p.K");
}

TEST(AdaptorTable, NativeTargetsHaveNoProbe) {
  Delta d = full(Rule::kD7);
  d.target.clear();
  EXPECT_EQ(text(items_of(d)), "inst:p.R | inst:p.S");
  d = full(Rule::kD7);
  d.receivers.clear();
  EXPECT_EQ(text(items_of(d)), "m:p.T.t()V");
}

TEST(AdaptorTable, ConstantReadersAloneAreNotEnough) {
  Delta d = full(Rule::kD15);
  d.at.clear();
  EXPECT_EQ(text(items_of(d)), "refl:p.K");
  d = full(Rule::kD15);
  d.subject.clear();
  EXPECT_EQ(text(items_of(d)), "everybody");
}

TEST(AdaptorTable, WhoAskedForAFileThatStaysSeesNothing) {
  Delta d = full(Rule::kD20);
  d.label = "content";
  d.new_fact = "changed";
  EXPECT_EQ(text(items_of(d)), "res:p.K");
  d.new_fact = "deleted";
  EXPECT_EQ(text(items_of(d)), "res:p.K | resmiss:p.K");
  d.label = "files";
  d.new_fact = "changed";
  EXPECT_EQ(text(items_of(d)), "res:p.K | resmiss:p.K");
}

TEST(AdaptorTable, EverybodyIsOneEmptyConjunction) {
  Delta d = full(Rule::kD20);
  d.everybody = true;
  EXPECT_EQ(text(items_of(d)), "everybody");
}

TEST(Names, ClassOfMethod) {
  EXPECT_EQ(class_of_method("a.b.C$D.x(La/b/E;)V"), "a.b.C$D");
  EXPECT_EQ(class_of_method("C.<init>()V"), "C");
  EXPECT_EQ(class_of_method("nonsense"), "");
}

}  // namespace
}  // namespace rejig::coverage
