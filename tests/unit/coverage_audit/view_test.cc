// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Delta;
using classfile::Rule;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct RowOf {
  std::string test;
  std::vector<std::string> atoms;
  Facts facts = Facts::all();
};

std::vector<std::string> selected(std::vector<Delta> edges,
                                  const std::vector<std::string>& changed,
                                  const std::vector<RowOf>& rows) {
  MatrixBuilder builder;
  for (const auto& one : rows) {
    Row row;
    row.suite = "default";
    row.test = one.test;
    row.facts = one.facts;
    std::vector<Atom> atoms;
    for (const auto& atom : one.atoms) {
      atoms.push_back(classfile::parse_atom(atom).value());
    }
    builder.add_row(row, std::span<const Atom>(atoms));
  }
  const auto matrix = builder.finish();
  SelectionInput input;
  input.edges = std::move(edges);
  // Whoever entered p.User.u referred to p.A.
  input.implied =
      [](const Atom& atom) -> std::optional<std::vector<std::string>> {
    if (atom.kind == AtomKind::kLoad && atom.text == "p.A") {
      return std::vector<std::string>{"p.A.f()I", "p.User.u()V"};
    }
    return std::nullopt;
  };
  EXPECT_TRUE(as_class_view(input, changed, matrix.get()).ok());
  std::vector<std::string> out;
  for (const auto& test : select(std::move(input), matrix.get(), {}).selected) {
    out.push_back(test.key.test);
  }
  return out;
}

Delta edge(Rule rule) {
  Delta d;
  d.rule = rule;
  d.entity = "p.A.f()I";
  d.at = {"p.A.f()I"};
  return d;
}

TEST(ClassView, SelectsWhoeverTouchedTheClass) {
  const std::vector<RowOf> rows = {
      {"t.T#entered()", {"m:p.A.f()I", "load:p.A"}, Facts::all()},
      {"t.T#loaded()", {"load:p.A"}, Facts::all()},
      {"t.T#initialized()", {"init:p.A"}, Facts::all()},
      {"t.T#entered_only()", {"m:p.A.g()I"}, Facts::all()},
      {"t.T#made()", {"inst:p.A"}, Facts::all()},
      {"t.T#reflected()", {"refl:p.A"}, Facts::all()},
      {"t.T#other()", {"m:p.AB.f()I", "load:p.AB", "load:p.A$1"}, Facts::all()},
  };
  EXPECT_THAT(selected({edge(Rule::kD1)}, {"p.A"}, rows),
              ElementsAre("t.T#entered()", "t.T#entered_only()",
                          "t.T#initialized()", "t.T#loaded()", "t.T#made()",
                          "t.T#reflected()"));
  EXPECT_THAT(selected({edge(Rule::kD1)}, {}, rows), IsEmpty());
}

TEST(ClassView, AsksForTheTestsOfAChangedTestClass) {
  EXPECT_THAT(selected({}, {"t.T"},
                       {{"t.T#a()", {}, Facts::all()},
                        {"t.T$In#b()", {}, Facts::all()},
                        {"t.Ta#c()", {}, Facts::all()}}),
              ElementsAre("t.T#a()", "t.T$In#b()"));
}

TEST(ClassView, ReadsMethodRowsThroughWhatImpliesALoad) {
  const Facts methods = Facts().with(AtomKind::kMethod);
  const Facts reflection = methods.with(AtomKind::kRefl);
  EXPECT_THAT(selected({}, {"p.A"},
                       {{"t.T#user()", {"m:p.User.u()V"}, reflection},
                        {"t.T#other()", {"m:p.User.v()V"}, reflection}}),
              ElementsAre("t.T#user()"));
  // A class may have been loaded by its name.
  EXPECT_THAT(selected({}, {"p.A"},
                       {{"t.T#user()", {"m:p.User.u()V"}, methods},
                        {"t.T#other()", {"m:p.User.v()V"}, methods}}),
              ElementsAre("t.T#other()", "t.T#user()"));
  // Nothing is known of p.B: everybody.
  EXPECT_THAT(selected({}, {"p.B"}, {{"t.T#other()", {}, methods}}),
              ElementsAre("t.T#other()"));
}

TEST(ClassView, KeepsWhatHasNoClassToTouch) {
  Delta resource;
  resource.rule = Rule::kD20;
  resource.entity = resource.subject = "app.properties";
  Delta everybody = edge(Rule::kD1);
  everybody.everybody = true;
  const std::vector<RowOf> rows = {
      {"t.T#reads()", {"res:app.properties"}, Facts::all()},
      {"t.T#other()", {"m:p.A.f()I"}, Facts::all()}};
  EXPECT_THAT(selected({resource, edge(Rule::kD1)}, {}, rows),
              ElementsAre("t.T#reads()"));
  EXPECT_THAT(selected({everybody}, {}, rows),
              ElementsAre("t.T#other()", "t.T#reads()"));
}

TEST(ClassView, HasNames) {
  EXPECT_EQ(view_of("class"), View::kClass);
  EXPECT_EQ(view_of("method"), View::kMethod);
  EXPECT_EQ(view_of("edge"), View::kEdge);
  EXPECT_EQ(view_of("hybrid"), View::kHybrid);
  EXPECT_EQ(view_of("static"), View::kStatic);
  for (const std::string name : {"edges", "", "Class"}) {
    EXPECT_EQ(view_of(name), std::nullopt) << name;
  }
  for (const View view : all_views()) EXPECT_EQ(view_of(name_of(view)), view);
}

}  // namespace
}  // namespace rejig::coverage
