// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/proofs.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;

// A run: what its rows are, and what its comparison with NEW says.
struct Given {
  MatrixBuilder builder;
  ProofView view;
  std::unique_ptr<Matrix> matrix;

  explicit Given(std::string run) { view.run = std::move(run); }
  void row(const std::string& test, std::vector<Atom> atoms = {}) {
    Row one;
    one.suite = "s";
    one.test = test;
    one.facts = Facts::all();
    builder.add_row(one, atoms);
  }
  void proves(const std::string& test, std::vector<Atom> atoms = {}) {
    row(test, std::move(atoms));
    view.answer.unaffected.push_back({"s", test});
  }
  void selects(const std::string& test, TestRule rule,
               std::vector<Atom> atoms = {}) {
    row(test, std::move(atoms));
    view.answer.selected.push_back({{"s", test}, {{rule, "why"}}, {}});
  }
  void knows_not(const std::string& test) {
    view.answer.selected.push_back({{"s", test}, {{TestRule::kNew, "why"}}, {}});
  }
};

std::set<std::string> skipped(std::vector<Given*> runs) {
  std::vector<ProofView> views;
  for (Given* one : runs) {
    one->matrix = one->builder.finish();
    one->view.matrix = one->matrix.get();
    views.push_back(one->view);
  }
  auto answer = united_proofs(std::move(views));
  EXPECT_TRUE(answer.ok());
  std::set<std::string> out;
  EXPECT_EQ(answer->unaffected.size(), answer->proved_by.size());
  for (const auto& key : answer->unaffected) out.insert(key.test);
  for (const auto& test : answer->selected) {
    EXPECT_FALSE(test.forced.empty() && test.hits.empty()) << test.key.test;
    EXPECT_EQ(out.count(test.key.test), 0U);
  }
  return out;
}

using Tests = std::set<std::string>;

TEST(Proofs, SomeRunIsEnough) {
  Given a("a");
  Given b("b");
  a.proves("p.A#x()");
  a.selects("p.B#x()", TestRule::kForeign);
  a.selects("p.C#x()", TestRule::kForeign);
  b.selects("p.A#x()", TestRule::kEdited);
  b.proves("p.B#x()");
  b.knows_not("p.C#x()");
  EXPECT_EQ(skipped({&a, &b}), (Tests{"p.A#x()", "p.B#x()"}));
}

TEST(Proofs, TheSameCodeDidNotPass) {
  Given a("a");
  Given b("b");
  a.proves("p.A#x()");
  b.selects("p.A#x()", TestRule::kNotPassed);
  EXPECT_EQ(skipped({&a, &b}), Tests{});
}

TEST(Proofs, OtherCodeThatDidNotPassSaysNothing) {
  Given a("a");
  Given b("b");
  a.proves("p.A#x()");
  b.selects("p.A#x()", TestRule::kNotPassed);
  b.view.answer.selected.back().forced.push_back({TestRule::kEdited, "why"});
  EXPECT_EQ(skipped({&a, &b}), Tests{"p.A#x()"});
}

TEST(Proofs, AProviderRunsWithWhoeverNeedsIt) {
  const std::vector<Atom> fills = {{AtomKind::kState, "p.S"},
                                   {AtomKind::kLeft, "p.S|p.S.fill()V"},
                                   {AtomKind::kMethod, "p.S.fill()V"}};
  const std::vector<Atom> reads = {{AtomKind::kState, "p.S"}};
  {
    // Nobody runs who needs it: what one run found needed, nobody asks for now.
    Given a("a");
    Given b("b");
    a.selects("p.Fills#x()", TestRule::kProvider, fills);
    a.selects("p.Reads#x()", TestRule::kForeign, reads);
    b.proves("p.Reads#x()", reads);
    EXPECT_EQ(skipped({&a, &b}), (Tests{"p.Fills#x()", "p.Reads#x()"}));
  }
  {
    // One run knows who fills, the other who reads.
    Given a("a");
    Given b("b");
    a.proves("p.Fills#x()", fills);
    a.knows_not("p.Reads#x()");
    b.knows_not("p.Fills#x()");
    b.selects("p.Reads#x()", TestRule::kForeign, reads);
    EXPECT_EQ(skipped({&a, &b}), Tests{});
  }
  {
    // The reader fills in one run only: there it does not do so any more.
    Given a("a");
    Given b("b");
    a.proves("p.Fills#x()", fills);
    a.selects("p.Reads#x()", TestRule::kForeign,
              {{AtomKind::kState, "p.S"}, {AtomKind::kMethod, "p.S.fill()V"}});
    b.selects("p.Reads#x()", TestRule::kForeign, reads);
    b.knows_not("p.Fills#x()");
    EXPECT_EQ(skipped({&a, &b}), Tests{});
  }
}

TEST(Proofs, NewCodeMayReadWhatNoRowSays) {
  const std::vector<Atom> fills = {{AtomKind::kState, "p.S"},
                                   {AtomKind::kLeft, "p.S|p.S.fill()V"},
                                   {AtomKind::kMethod, "p.S.fill()V"}};
  for (const bool reader_is_proved : {true, false}) {
    Given a("a");
    Given b("b");
    a.selects("p.Fills#x()", TestRule::kProvider, fills);
    a.view.newly_read.push_back({"p.S", "p.T.x()V"});
    a.selects("p.Changed#x()", TestRule::kEdited);
    b.proves("p.Fills#x()", fills);
    if (reader_is_proved) {
      b.proves("p.Changed#x()");
      EXPECT_EQ(skipped({&a, &b}), (Tests{"p.Changed#x()", "p.Fills#x()"}));
    } else {
      b.knows_not("p.Changed#x()");
      EXPECT_EQ(skipped({&a, &b}), Tests{});
    }
  }
}

TEST(Proofs, ARunWithoutAllItsRows) {
  Given a("a");
  a.proves("p.Meets#x()", {{AtomKind::kState, "p.S"}});
  a.proves("p.Looks#x()", {{AtomKind::kRes, "file:00:x"}});
  a.proves("p.Alone#x()");
  a.view.unrecorded = {"p.Lost#x()"};
  EXPECT_EQ(skipped({&a}), Tests{"p.Alone#x()"});
}

TEST(Proofs, WithoutAnyRunEverythingRuns) {
  Given none("");
  none.knows_not("p.A#x()");
  none.view.answer.reasons = {"there is no matrix"};
  none.view.answer.mode = Mode::kAll;
  auto answer = united_proofs({none.view});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->mode, Mode::kAll);
  EXPECT_EQ(answer->selected.size(), 1U);
}

}  // namespace
}  // namespace rejig::coverage
