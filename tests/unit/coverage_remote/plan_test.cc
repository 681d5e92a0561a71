// SPDX-License-Identifier: Apache-2.0
#include "coverage/plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

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
  Plan plan(unsigned shards, bool by_name = false) {
    const auto matrix = builder.finish();
    auto out = make_plan(answer, {matrix.get()}, {shards, 300, 20, by_name});
    EXPECT_TRUE(out.ok());
    return std::move(*out);
  }
};

// From 1; 0: none, or several.
unsigned shard_of(const Plan& plan, const std::string& test,
                  const std::string& suite = "s") {
  const auto shards = plan.shards_of(suite, test);
  return shards.size() == 1 ? shards.front() : 0;
}

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
    EXPECT_NE(shard_of(plan, name + "#x()"), 0U);
    EXPECT_EQ(shard_of(plan, name + "#x()"),
              shard_of(plan, name + "$In#y()"));
  }
  EXPECT_EQ(shard_of(plan, "p.Unknown#x()"), 0U);
  EXPECT_EQ(shard_of(plan, "p.T1#x()", "other"), 0U);
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
  EXPECT_EQ(shard_of(plan, "p.Fills#a()"), shard_of(plan, "p.Needs#a()"));
  EXPECT_NE(shard_of(plan, "p.Fills#a()"),
            shard_of(plan, "p.FillsItself#a()"));
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
    EXPECT_EQ(shard_of(one, id), shard_of(two, id));
  }
}

// Machines that know different things leave nothing out between them.
TEST(Plan, ByNamesNothingIsLeftOut) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Plan> plans;
    const auto shards = static_cast<unsigned>(2 + random() % 4);
    std::set<std::string> all;
    for (unsigned machine = 0; machine < shards; ++machine) {
      World w;
      for (int i = 0; i < 12; ++i) {
        const std::string test = "p.T" + std::to_string(i) + "#a()";
        all.insert(test);
        if (random() % 4 == 0) continue;  // proved, it thinks
        std::vector<Atom> atoms;
        if (random() % 3 == 0) atoms.push_back({AtomKind::kState, "p.S"});
        if (random() % 5 == 0) atoms.push_back({AtomKind::kLeft, "p.S|p.S.f()V"});
        w.add(test, random() % 1000, atoms);
      }
      plans.push_back(w.plan(shards, true));
    }
    for (const auto& test : all) {
      bool runs = false;
      bool everybody_proves = true;
      for (unsigned machine = 0; machine < shards; ++machine) {
        const bool selected = !plans[machine].shards_of("s", test).empty();
        everybody_proves &= !selected;
        runs |= selected && !plans[machine].is_elsewhere(machine + 1, "s", test);
      }
      // Whoever it belongs to by its name runs it, or proves it.
      bool owner_proves = false;
      for (unsigned machine = 0; machine < shards; ++machine) {
        owner_proves |= plans[machine].shards_of("s", test).empty();
      }
      EXPECT_TRUE(runs || everybody_proves || owner_proves) << test;
    }
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
  one.suites["s"] = {{"a", "b"}, {"a"}, {}};
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
  two.suites["s"].proved = {"b"};
  EXPECT_TRUE(judge_shards({one, two}).gaps.empty());
  EXPECT_FALSE(judge_shards({}).gaps.empty());
  EXPECT_FALSE(parse_shard(shard_text(two).substr(0, 20), "x").ok());
}

}  // namespace
}  // namespace rejig::coverage
