// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Channel;
using classfile::Delta;
using classfile::Rule;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Rows {
 public:
  Rows& row(const std::string& test, std::vector<std::string> atoms,
            Grade grade = Grade::kComplete, Outcome result = Outcome::kPass,
            Facts facts = Facts::all()) {
    Row row;
    row.suite = "default";
    row.test = test;
    row.grade = grade;
    row.result = result;
    row.facts = facts;
    std::vector<Atom> parsed;
    for (const auto& atom : atoms) {
      parsed.push_back(classfile::parse_atom(atom).value());
    }
    builder_.add_row(row, std::span<const Atom>(parsed));
    return *this;
  }
  Rows& recorded_on(const std::string& name, const std::string& digest) {
    builder_.add_class(name, digest);
    return *this;
  }
  std::unique_ptr<Matrix> finish() { return builder_.finish(); }

 private:
  MatrixBuilder builder_;
};

Facts methods_only() { return Facts().with(AtomKind::kMethod); }

Delta body(const std::string& method) {
  Delta d;
  d.rule = Rule::kD1;
  d.channel = Channel::kBody;
  d.entity = method;
  d.at = {method};
  return d;
}

Delta with_subject(Rule rule, const std::string& subject) {
  Delta d;
  d.rule = rule;
  d.entity = subject;
  d.subject = subject;
  return d;
}

SelectionInput changed(std::vector<Delta> edges) {
  SelectionInput input;
  input.edges = std::move(edges);
  return input;
}

std::vector<std::string> selected_ids(const Answer& answer) {
  std::vector<std::string> out;
  for (const auto& test : answer.selected) out.push_back(test.key.test);
  return out;
}

std::vector<std::string> rules_of(const Answer& answer,
                                  const std::string& test) {
  std::vector<std::string> out;
  const auto* found = answer.find_selected("", test);
  if (found == nullptr) return out;
  for (const auto& forced : found->forced) {
    out.emplace_back(name_of(forced.rule));
  }
  return out;
}

TEST(Select, OnlyWhoEnteredTheChangedMethod) {
  const auto matrix = Rows()
                          .row("t.T#a()", {"m:p.A.f()V"})
                          .row("t.T#b()", {"m:p.A.g()V"})
                          .finish();
  const Answer answer = select(changed({body("p.A.f()V")}), matrix.get(), {});
  EXPECT_EQ(answer.mode, Mode::kSome);
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#a()"));
  ASSERT_EQ(answer.unaffected.size(), 1U);
  EXPECT_EQ(answer.unaffected[0].test, "t.T#b()");
  EXPECT_EQ(answer.edges[0].items[answer.selected[0].hits[0].item][0].text,
            "p.A.f()V");
}

TEST(Select, NothingChangedSelectsNobody) {
  const auto matrix = Rows().row("t.T#a()", {"m:p.A.f()V"}).finish();
  const Answer answer = select(changed({}), matrix.get(), {});
  EXPECT_EQ(answer.mode, Mode::kNone);
  EXPECT_EQ(answer.counts.unaffected, 1U);
}

TEST(Select, DoubtfulRowsJustifyNoSkip) {
  const auto matrix =
      Rows()
          .row("t.T#fail()", {}, Grade::kComplete, Outcome::kFail)
          .row("t.T#foreign()", {}, Grade::kForeign)
          .row("t.T#lower()", {}, Grade::kLowerBound)
          .row("t.T#part()", {}, Grade::kPartial)
          .row("t.T#shared()", {}, Grade::kShared)
          .row("t.T#skipped()", {}, Grade::kPartial, Outcome::kSkip)
          .finish();
  const Answer answer = select(changed({}), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer),
              ElementsAre("t.T#fail()", "t.T#foreign()", "t.T#lower()",
                          "t.T#part()", "t.T#skipped()"));
  EXPECT_THAT(rules_of(answer, "t.T#fail()"), ElementsAre("T5"));
  EXPECT_THAT(rules_of(answer, "t.T#foreign()"), ElementsAre("T3"));
  EXPECT_THAT(rules_of(answer, "t.T#lower()"), ElementsAre("T4"));
  EXPECT_THAT(rules_of(answer, "t.T#part()"), ElementsAre("T2"));
  EXPECT_THAT(rules_of(answer, "t.T#skipped()"), ElementsAre("T2", "T5"));

  Policy policy;
  policy.allow_lower_bound = true;
  const Answer allowed = select(changed({}), matrix.get(), policy);
  EXPECT_EQ(allowed.find_selected("", "t.T#lower()"), nullptr);
  EXPECT_THAT(allowed.assumptions,
              ::testing::Contains(HasSubstr("allow-lower-bound")));
}

TEST(Select, NewTestsAreSelectedAndGoneOnesAreNot) {
  const auto matrix = Rows()
                          .row("t.T#kept()", {"m:p.A.f()V"})
                          .row("t.T#old()", {"m:p.A.f()V"})
                          .finish();
  SelectionInput input = changed({body("p.A.f()V")});
  input.tests = {{"", "t.T#kept()", "junit4", {}},
                 {"", "t.T#fresh()", "junit4", {}}};
  input.deleted = {"t.T#old()"};
  const Answer answer = select(std::move(input), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#fresh()", "t.T#kept()"));
  EXPECT_THAT(rules_of(answer, "t.T#fresh()"), ElementsAre("T1"));
  EXPECT_EQ(answer.counts.fresh, 1U);
  EXPECT_EQ(answer.counts.gone, 1U);
  EXPECT_EQ(answer.counts.known, 2U);
}

TEST(Select, WithoutAMatrixEverythingRuns) {
  SelectionInput input = changed({});
  input.tests = {{"", "t.T#a()", "junit4", {}}};
  input.all_because = {"there is no matrix at .rejig/matrix.db"};
  const Answer answer = select(std::move(input), nullptr, {});
  EXPECT_EQ(answer.mode, Mode::kAll);
  EXPECT_THAT(answer.reasons, ElementsAre(HasSubstr("no matrix")));
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#a()"));
  EXPECT_EQ(answer.counts.known, 0U);
}

TEST(Select, RowsOfOtherBytesAreForeign) {
  const auto matrix = Rows()
                          .row("t.T#a()", {"m:p.A.f()V"})
                          .row("t.T#b()", {"inst:p.A"})
                          .row("t.T#c()", {"m:p.A.B.f()V", "recv:p.B|p.B.f()V"})
                          .row("t.T#d()", {"recv:p.A|p.B.f()V"})
                          .recorded_on("p.A", "1")
                          .recorded_on("p.A.B", "2")
                          .recorded_on("p.B", "3")
                          .finish();
  SelectionInput input = changed({});
  input.is_old = [](std::string_view name, std::string_view digest) {
    return name != "p.A" && digest == (name == "p.B" ? "3" : "2");
  };
  const Answer answer = select(std::move(input), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer),
              ElementsAre("t.T#a()", "t.T#b()", "t.T#d()"));
  EXPECT_THAT(rules_of(answer, "t.T#a()"), ElementsAre("T3"));
  ASSERT_EQ(answer.widened.size(), 1U);
  EXPECT_EQ(answer.widened[0].where, "p.A");
}

TEST(Select, TwoDigestsOfOneClassAreForeignWhateverOldSays) {
  const auto matrix = Rows()
                          .row("t.T#a()", {"m:p.A.f()V"})
                          .recorded_on("p.A", "1")
                          .recorded_on("p.A", "2")
                          .finish();
  SelectionInput input = changed({});
  input.is_old = [](std::string_view, std::string_view) { return true; };
  const Answer answer = select(std::move(input), matrix.get(), {});
  EXPECT_THAT(rules_of(answer, "t.T#a()"), ElementsAre("T3"));
}

TEST(Select, ClassesThatOldLacksAreForeign) {
  const auto matrix =
      Rows().row("t.T#a()", {"load:p.A"}).recorded_on("p.A", "1").finish();
  SelectionInput input = changed({});
  input.is_old = [](std::string_view, std::string_view) { return false; };
  const Answer answer = select(std::move(input), matrix.get(), {});
  EXPECT_THAT(rules_of(answer, "t.T#a()"), ElementsAre("T3"));
}

TEST(Select, AnUnmappedResourceSelectsAllAndSaysWhich) {
  const auto matrix = Rows()
                          .row("t.T#a()", {"m:p.A.f()V"}, Grade::kComplete,
                               Outcome::kPass, methods_only())
                          .finish();
  const auto edge = with_subject(Rule::kD20, "config/app.properties");
  const Answer answer = select(changed({edge}), matrix.get(), {});
  EXPECT_EQ(answer.mode, Mode::kAll);
  EXPECT_THAT(answer.reasons,
              ::testing::Contains(HasSubstr("config/app.properties")));
  EXPECT_EQ(answer.hits_of(answer.selected[0]).size(), 2U);

  Policy policy;
  policy.assume = {"no-resources"};
  const Answer narrow = select(changed({edge}), matrix.get(), policy);
  EXPECT_EQ(narrow.mode, Mode::kNone);
  EXPECT_THAT(narrow.assumptions, ::testing::Contains("assume no-resources"));
}

TEST(Select, RecordedResourcesDecide) {
  const auto matrix = Rows()
                          .row("t.T#a()", {"res:config/app.properties"})
                          .row("t.T#b()", {"resmiss:config/app.properties"})
                          .row("t.T#c()", {"res:other"})
                          .finish();
  const auto edge = with_subject(Rule::kD20, "config/app.properties");
  const Answer answer = select(changed({edge}), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#a()", "t.T#b()"));
}

TEST(Select, ResourcePoliciesAreObeyedAndPrinted) {
  const auto matrix =
      Rows().row("t.T#a()", {"res:docs/a.md"}).row("t.T#b()", {}).finish();
  const auto edge = with_subject(Rule::kD20, "docs/a.md");
  Policy policy;
  policy.resources = {{"docs/**", ResourceVerdict::kInert}};
  const Answer inert = select(changed({edge}), matrix.get(), policy);
  EXPECT_EQ(inert.mode, Mode::kNone);
  EXPECT_THAT(inert.assumptions, ::testing::Contains(HasSubstr("docs/a.md")));
  policy.resources = {{"docs/**", ResourceVerdict::kAll}};
  const Answer all = select(changed({edge}), matrix.get(), policy);
  EXPECT_EQ(all.mode, Mode::kAll);
  EXPECT_THAT(selected_ids(all), ElementsAre("t.T#a()", "t.T#b()"));
}

TEST(Select, ReceiversFallBackToMethodAndInstance) {
  Delta edge;
  edge.rule = Rule::kD7;
  edge.entity = "p.R";
  edge.receivers = {"p.R"};
  edge.target = "p.A.f()V";
  const Facts no_receivers = methods_only().with(AtomKind::kInst);
  const auto matrix = Rows()
                          .row("t.T#both()", {"m:p.A.f()V", "inst:p.R"},
                               Grade::kComplete, Outcome::kPass, no_receivers)
                          .row("t.T#exact()", {"m:p.A.f()V", "inst:p.R"})
                          .row("t.T#method()", {"m:p.A.f()V"}, Grade::kComplete,
                               Outcome::kPass, no_receivers)
                          .row("t.T#recv()", {"recv:p.R|p.A.f()V"})
                          .finish();
  const Answer answer = select(changed({edge}), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#both()", "t.T#recv()"));
}

TEST(Select, ImpliedMethodsStandForUnrecordedAtoms) {
  Delta edge;
  edge.rule = Rule::kD8;
  edge.entity = "p.R";
  edge.receivers = {"p.R"};
  const auto matrix = Rows()
                          .row("t.T#a()", {"m:p.R.<init>()V"}, Grade::kComplete,
                               Outcome::kPass, methods_only())
                          .row("t.T#b()", {"m:p.S.<init>()V"}, Grade::kComplete,
                               Outcome::kPass, methods_only())
                          .finish();
  SelectionInput input = changed({edge});
  input.implied = [](const Atom& atom) {
    EXPECT_EQ(classfile::to_string(atom), "inst:p.R");
    return std::vector<std::string>{"p.R.<init>()V", "p.R.<init>(I)V"};
  };
  const Answer answer = select(std::move(input), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer), ElementsAre("t.T#a()"));
}

TEST(Select, MembersOfADoubtfulContainerRun) {
  const auto matrix = Rows()
                          .row("t.T#*", {}, Grade::kPartial)
                          .row("t.T#a()", {})
                          .row("t.T$In#b()", {})
                          .row("t.TX#c()", {})
                          .finish();
  const Answer answer = select(changed({}), matrix.get(), {});
  EXPECT_THAT(selected_ids(answer),
              ElementsAre("t.T#*", "t.T#a()", "t.T$In#b()"));
  EXPECT_THAT(rules_of(answer, "t.T$In#b()"), ElementsAre("T8"));
}

TEST(Select, PoliciesAndEditsNameTests) {
  const auto matrix = Rows()
                          .row("t.DbIT#a()", {})
                          .row("t.T#a()", {})
                          .row("t.U#a()", {})
                          .row("t.U$In#a()", {})
                          .finish();
  Policy policy;
  policy.always = {{"*IT#*", "talks to a database"}};
  SelectionInput input = changed({});
  input.must_run = {{"t.U", TestRule::kEdited, "its fixture was edited"}};
  const Answer answer = select(std::move(input), matrix.get(), policy);
  EXPECT_THAT(selected_ids(answer),
              ElementsAre("t.DbIT#a()", "t.U#a()", "t.U$In#a()"));
  EXPECT_EQ(answer.find_selected("", "t.DbIT#a()")->forced[0].why,
            "always '*IT#*': talks to a database");
}

TEST(Select, OldBaselinesSelectAll) {
  const auto matrix = Rows().row("t.T#a()", {}).finish();
  Policy policy;
  policy.max_age_days = 14;
  SelectionInput input = changed({});
  input.baseline_age_days = 15;
  EXPECT_EQ(select(input, matrix.get(), policy).mode, Mode::kAll);
  input.baseline_age_days = 14;
  EXPECT_EQ(select(input, matrix.get(), policy).mode, Mode::kNone);
  input.baseline_age_days.reset();
  EXPECT_EQ(select(input, matrix.get(), policy).mode, Mode::kAll);
}

TEST(Select, FacetsSelectTheirObservers) {
  Delta lines;
  lines.rule = Rule::kD23;
  lines.entity = "p.A.f()V";
  lines.at = {"p.A.f()V"};
  const auto matrix = Rows()
                          .row("t.T#looks()", {"m:p.A.f()V", "stackapi"})
                          .row("t.T#looks_not()", {"m:p.A.f()V"})
                          .row("t.T#unknown()", {"m:p.A.f()V"},
                               Grade::kComplete, Outcome::kPass, methods_only())
                          .finish();
  SelectionInput input = changed({});
  input.facets = {lines, with_subject(Rule::kD20, "p/A.class")};
  const Answer answer = select(input, matrix.get(), {});
  EXPECT_THAT(selected_ids(answer),
              ElementsAre("t.T#looks()", "t.T#unknown()"));
  EXPECT_TRUE(answer.find_selected("", "t.T#unknown()")->hits[0].unknown);
  ASSERT_EQ(answer.edges.size(), 1U);
  EXPECT_THAT(answer.assumptions, ::testing::Contains(HasSubstr("A9")));
  Policy policy;
  policy.assume = {"no-stack-traces"};
  EXPECT_THAT(selected_ids(select(input, matrix.get(), policy)),
              ElementsAre("t.T#looks()"));
}

TEST(Select, ReflectionInitializesToo) {
  const Facts with_refl = methods_only().with(AtomKind::kRefl);
  const auto matrix = Rows()
                          .row("t.T#implied()", {"m:p.A.f()V"},
                               Grade::kComplete, Outcome::kPass, with_refl)
                          .row("t.T#not()", {"m:p.B.f()V"}, Grade::kComplete,
                               Outcome::kPass, with_refl)
                          .row("t.T#reflects()", {"refl:p.A"}, Grade::kComplete,
                               Outcome::kPass, with_refl)
                          .row("t.T#silent()", {"m:p.B.f()V"}, Grade::kComplete,
                               Outcome::kPass, methods_only())
                          .finish();
  SelectionInput input = changed({with_subject(Rule::kD13, "p.A")});
  input.implied = [](const Atom&) {
    return std::vector<std::string>{"p.A.f()V"};
  };
  EXPECT_THAT(selected_ids(select(input, matrix.get(), {})),
              ElementsAre("t.T#implied()", "t.T#reflects()", "t.T#silent()"));
  Policy policy;
  policy.assume = {"no-reflection"};
  EXPECT_THAT(selected_ids(select(input, matrix.get(), policy)),
              ElementsAre("t.T#implied()", "t.T#reflects()"));
}

TEST(Select, EdgeNumbersFollowTheirText) {
  const Answer answer =
      select(changed({body("p.B.f()V"), body("p.A.f()V")}), nullptr, {});
  ASSERT_EQ(answer.edges.size(), 2U);
  EXPECT_EQ(answer.edges[0].delta.entity, "p.A.f()V");
  EXPECT_EQ(edge_id(0), "E1");
}

TEST(Names, OfTests) {
  EXPECT_EQ(class_of_test("a.FooTest#one(int)"), "a.FooTest");
  EXPECT_EQ(method_of_test("a.FooTest#adds (two)(int)"), "adds (two)");
  EXPECT_TRUE(is_whole_class("a.FooTest#*"));
  EXPECT_FALSE(is_whole_class("a.FooTest#one()"));
}

}  // namespace
}  // namespace rejig::coverage
