// SPDX-License-Identifier: Apache-2.0
#include "coverage/plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "coverage/plan/shard_report.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;

struct World {
  MatrixBuilder builder;
  Answer answer;

  void add(const std::string& test, std::uint64_t ms,
           std::vector<Atom> atoms = {}) {
    Row row;
    row.suite = "s";
    row.test = test;
    row.ms = ms;
    row.facts = Facts::all();
    builder.add_row(row, atoms);
    fresh(test);
  }
  void fresh(const std::string& test) {
    answer.selected.push_back({{"s", test}, {}, {}});
  }
  Plan plan(unsigned shards, double target = 300) {
    const auto matrix = builder.finish();
    auto out = make_plan(answer, {matrix.get()}, {shards, target});
    EXPECT_TRUE(out.ok());
    return std::move(*out);
  }
};

double longest(const Plan& plan) {
  double out = 0;
  for (const auto& shard : plan.shards) out = std::max(out, shard.seconds);
  return out;
}

TEST(Plan, EveryClassIsSomewhereOnce) {
  World w;
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    w.add("p.T" + std::to_string(i % 60) + (i % 3 == 0 ? "$In#a" : "#b") +
              std::to_string(i) + "()",
          random() % 900);
  }
  const Plan plan = w.plan(7);
  ASSERT_EQ(plan.shards.size(), 7U);
  for (int i = 0; i < 60; ++i) {
    const std::string name = "p.T" + std::to_string(i);
    EXPECT_NE(plan.shard_of("s", name + "#x()"), 0U);
    EXPECT_EQ(plan.shard_of("s", name + "#x()"),
              plan.shard_of("s", name + "$In#y()"));
  }
  EXPECT_EQ(plan.shard_of("s", "p.Unknown#x()"), 0U);
  EXPECT_EQ(plan.shard_of("other", "p.T1#x()"), 0U);
  const auto back = parse_plan(plan_json(plan), "x");
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->digest(), plan.digest());
}

// 1.1 times what no plan can do better: all seconds by all machines, or the
// longest class.
TEST(Plan, IsNearTheBestThereIs) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    World w;
    double sum = 0;
    double most = 0;
    for (int i = 0; i < 80; ++i) {
      const double ms = 50 + std::lognormal_distribution<double>(6, 1)(random);
      w.add("p.T" + std::to_string(i) + "#a()", static_cast<std::uint64_t>(ms));
      sum += static_cast<double>(static_cast<std::uint64_t>(ms)) / 1000;
      most = std::max(most, ms / 1000);
    }
    const Plan plan = w.plan(8);
    EXPECT_LE(longest(plan), 1.1 * std::max(sum / 8, most)) << round;
  }
}

TEST(Plan, AsManyMachinesAsTheTargetWants) {
  World w;
  for (int i = 0; i < 40; ++i) w.add("p.T" + std::to_string(i) + "#a()", 60'000);
  EXPECT_EQ(w.plan(0).shards.size(), 8U);
  World none;
  EXPECT_EQ(none.plan(0).shards.size(), 0U);
}

TEST(Plan, WhoNeedsWhatAnotherLeavesStaysWithIt) {
  World w;
  for (int i = 0; i < 30; ++i) w.add("p.T" + std::to_string(i) + "#a()", 1000);
  w.add("p.Fills#a()", 9000,
        {{AtomKind::kMethod, "p.Cache.fill()V"}, {AtomKind::kState, "p.Cache"},
         {AtomKind::kLeft, "p.Cache|p.Cache.fill()V"}});
  w.add("p.Needs#a()", 9000, {{AtomKind::kState, "p.Cache"}});
  w.add("p.FillsItself#a()", 9000,
        {{AtomKind::kMethod, "p.Cache.fill()V"}, {AtomKind::kState, "p.Cache"}});
  const Plan plan = w.plan(4);
  EXPECT_EQ(plan.shard_of("s", "p.Fills#a()"), plan.shard_of("s", "p.Needs#a()"));
  EXPECT_NE(plan.shard_of("s", "p.Fills#a()"),
            plan.shard_of("s", "p.FillsItself#a()"));
}

TEST(Plan, NewClassesGoByTheirNames) {
  World a;
  World b;
  a.add("p.Old#a()", 5000);
  for (int i = 0; i < 20; ++i) {
    a.fresh("p.New" + std::to_string(i) + "#a()");
    b.fresh("p.New" + std::to_string(i) + "#a()");
  }
  const Plan one = a.plan(3);
  const Plan two = b.plan(3);
  for (int i = 0; i < 20; ++i) {
    const std::string id = "p.New" + std::to_string(i) + "#a()";
    EXPECT_EQ(one.shard_of("s", id), two.shard_of("s", id));
  }
}

TEST(Plan, DamageIsAnError) {
  World w;
  w.add("p.T#a()", 1);
  const std::string text = plan_json(w.plan(2));
  for (std::size_t n = 0; n + 2 < text.size(); ++n) {
    EXPECT_FALSE(parse_plan(text.substr(0, n), "x").ok()) << n;
  }
}

TEST(Shards, GapsAndDifferentPlans) {
  ShardReport one;
  one.of = 2;
  one.plan = "p";
  one.suites["s"] = {{"a", "b"}, {"a"}};
  ShardReport two = one;
  two.index = 2;
  two.suites["s"].ran = {"b"};
  const auto back = parse_shard(shard_text(two), "x");
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(judge_shards({one, *back}).gaps.empty());
  EXPECT_EQ(judge_shards({one, *back}).ran, 2U);
  EXPECT_EQ(judge_shards({one}).gaps.size(), 2U);  // a shard, and b
  two.plan = "q";
  EXPECT_EQ(judge_shards({one, two}).gaps.size(), 1U);
  two.plan = "p";
  two.suites["s"].ran.clear();
  EXPECT_EQ(judge_shards({one, two}).gaps.size(), 1U);
  EXPECT_FALSE(judge_shards({}).gaps.empty());
  EXPECT_FALSE(parse_shard(shard_text(two).substr(0, 20), "x").ok());
}

}  // namespace
}  // namespace rejig::coverage
