// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/explain.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "coverage/select/select.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Delta;
using classfile::Rule;

class ExplainTest : public ::testing::Test {
 protected:
  void SetUp() override {
    MatrixBuilder builder;
    add(builder, "t.T#both()", {"m:p.A.f()V", "m:p.B.t()V"}, Facts::all());
    add(builder, "t.T#implied()",
        {"m:p.A.f()V", "m:p.B.t()V", "m:p.R.<init>()V"},
        Facts().with(AtomKind::kMethod));
    add(builder, "t.T#none()", {"m:p.C.c()V"}, Facts::all());
    matrix_ = builder.finish();

    SelectionInput input;
    Delta call;
    call.rule = Rule::kD3;
    call.entity = "p.A.f()V";
    call.at = {"p.A.f()V"};
    call.target = "p.B.t()V";
    Delta inst;
    inst.rule = Rule::kD8;
    inst.entity = "p.R";
    inst.receivers = {"p.R"};
    Delta body;
    body.rule = Rule::kD1;
    body.entity = "p.Z.z()V";
    body.at = {"p.A.f()V"};
    input.edges = {body, inst, call};
    implied_ = [](const Atom& atom) -> std::optional<std::vector<std::string>> {
      if (atom.kind != AtomKind::kInst) return std::nullopt;
      return std::vector<std::string>{atom.text + ".<init>()V"};
    };
    input.implied = implied_;
    answer_ = select(std::move(input), matrix_.get(), policy_);
  }

  static void add(MatrixBuilder& builder, const std::string& test,
                  const std::vector<std::string>& atoms, Facts facts) {
    Row row;
    row.suite = "default";
    row.test = test;
    row.facts = facts;
    std::vector<Atom> parsed;
    for (const auto& atom : atoms) {
      parsed.push_back(classfile::parse_atom(atom).value());
    }
    builder.add_row(row, std::span<const Atom>(parsed));
  }

  std::unique_ptr<Matrix> matrix_;
  classfile::Implied implied_;
  Policy policy_;
  Answer answer_;
};

TEST_F(ExplainTest, TheChainNamesEachAtomAndItsState) {
  const auto chain = explain_test(answer_, {"default", "t.T#implied()"},
                                  matrix_.get(), implied_, policy_);
  ASSERT_TRUE(chain.ok());
  EXPECT_EQ(chain->status, TestStatus::kSelected);
  ASSERT_EQ(chain->chains.size(), 3U);
  EXPECT_EQ(answer_.edges[chain->chains[0].edge].delta.entity, "p.A.f()V");
  ASSERT_EQ(chain->chains[0].atoms.size(), 2U);
  EXPECT_EQ(chain->chains[0].atoms[1].state, AtomState::kInRow);
  EXPECT_EQ(chain->chains[1].atoms[0].state, AtomState::kImplied);
}

TEST_F(ExplainTest, ASkipNamesWhatTheRowLacksGrouped) {
  const auto skip = explain_skip(answer_, {"default", "t.T#none()"},
                                 matrix_.get(), implied_, policy_);
  ASSERT_TRUE(skip.ok());
  EXPECT_EQ(skip->test.status, TestStatus::kUnaffected);
  ASSERT_EQ(skip->groups.size(), 2U);
  EXPECT_EQ(classfile::to_string(skip->groups[0].atom), "m:p.A.f()V");
  EXPECT_EQ(skip->groups[0].edges, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(classfile::to_string(skip->groups[1].atom), "inst:p.R");
}

TEST_F(ExplainTest, EdgesNameTheirTests) {
  const auto tests = tests_of_edge(answer_, 1);
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests[0].test, "t.T#implied()");
  const auto top = top_edges(answer_);
  ASSERT_EQ(top.size(), 3U);
  EXPECT_EQ(top[0].edge, 0U);
  EXPECT_EQ(top[0].tests, 2U);
  EXPECT_EQ(top[2].edge, 1U);
}

TEST_F(ExplainTest, NamesOfEdgesAndTests) {
  EXPECT_EQ(edge_named(answer_, "E3"), 2U);
  EXPECT_FALSE(edge_named(answer_, "E4").has_value());
  EXPECT_FALSE(edge_named(answer_, "E0").has_value());
  EXPECT_FALSE(edge_named(answer_, "E1x").has_value());
  EXPECT_FALSE(edge_named(answer_, "").has_value());
  EXPECT_EQ(tests_named(answer_, "t.T").size(), 3U);
  EXPECT_EQ(tests_named(answer_, "*#none()").size(), 1U);
  EXPECT_TRUE(tests_named(answer_, "t.U").empty());
}

}  // namespace
}  // namespace rejig::coverage
