// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/statics.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "classfile/words/kept_state.h"

namespace rejig::agent {
namespace {

class StaticsTest : public testing::Test {
 protected:
  void touches(std::uint32_t method, std::initializer_list<std::uint32_t> list) {
    Ids names;
    for (const auto n : list) ASSERT_TRUE(names.add(n));
    ASSERT_TRUE(statics_.touches(method, names));
  }
  void inherits(std::uint32_t name, std::uint32_t super) {
    Ids supers;
    ASSERT_TRUE(supers.add(super));
    ASSERT_TRUE(statics_.inherits(name, supers));
  }
  // The names that hold something else after these methods.
  std::set<std::uint32_t> changed(std::initializer_list<std::uint32_t> methods) {
    Ids entered;
    for (const auto m : methods) EXPECT_TRUE(entered.add(m));
    std::set<std::uint32_t> out;
    looks_ = 0;
    statics_.look(
        entered,
        [this](void* mirror) {
          ++looks_;
          return holds_.at(mirror);
        },
        [&](std::uint32_t name) { out.insert(name); });
    return out;
  }
  void add(std::uint32_t name, int* mirror, std::uint64_t digest) {
    holds_[mirror] = {digest, true};
    ASSERT_TRUE(statics_.add(name, mirror, holds_[mirror]));
  }

  Statics statics_;
  std::map<void*, StateOf> holds_;
  int looks_ = 0;
  int a_ = 0;
  int b_ = 0;
};

TEST_F(StaticsTest, LibrariesAreLookedAtAsFarAsTheirCodeNamesThem) {
  const auto list = [](std::initializer_list<std::uint32_t> of) {
    auto out = std::make_unique<Ids>();
    for (const auto n : of) EXPECT_TRUE(out->add(n));
    return out;
  };
  // 1 names 2, which names 3, which names 4; 9 is the program's.
  ASSERT_TRUE(statics_.refers(1, *list({2, 9})));
  ASSERT_TRUE(statics_.refers(2, *list({3})));
  ASSERT_TRUE(statics_.refers(3, *list({4})));
  ASSERT_TRUE(statics_.refers(4, *list({})));
  ASSERT_TRUE(statics_.asks(5, *list({1, 9})));
  int mirrors[5];
  for (const std::uint32_t n : {1u, 3u, 4u}) add(n, &mirrors[n], 1);
  add(9, &a_, 1);
  std::set<std::uint32_t> asked;
  statics_.each_asked(*list({5, 5}), [&](std::uint32_t name) { asked.insert(name); });
  EXPECT_EQ(asked, std::set<std::uint32_t>{1});
  const auto changes = [&](bool far) {
    std::set<std::uint32_t> out;
    statics_.look_at_libraries(
        *list({1}), far, [this](void* mirror) { return holds_.at(mirror); },
        [&](std::uint32_t name) { out.insert(name); });
    return out;
  };
  for (auto& [mirror, state] : holds_) state.digest = 2;
  EXPECT_EQ(changes(false), std::set<std::uint32_t>{1});
  EXPECT_EQ(changes(true), std::set<std::uint32_t>{3});
  EXPECT_TRUE(changes(true).empty());
  EXPECT_TRUE(statics_.reaches(1, 3));
  EXPECT_FALSE(statics_.reaches(1, 4));
  EXPECT_FALSE(statics_.reaches(1, 9));
}

TEST_F(StaticsTest, TellsWhatHoldsSomethingElse) {
  add(7, &a_, 1);
  touches(3, {7});
  EXPECT_TRUE(changed({3}).empty());
  holds_[&a_].digest = 2;
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
  EXPECT_TRUE(changed({3}).empty());
}

TEST_F(StaticsTest, LooksOnceAndOnlyAtWhatWasMet) {
  add(7, &a_, 1);
  add(8, &b_, 1);
  touches(3, {7});
  touches(4, {7});
  holds_[&b_].digest = 2;
  EXPECT_TRUE(changed({3, 4, 5}).empty());
  EXPECT_EQ(looks_, 1);
}

TEST_F(StaticsTest, WhatCannotBeToldHasChanged) {
  add(7, &a_, 1);
  touches(3, {7});
  holds_[&a_].known = false;
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
  holds_[&a_].known = true;
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
  EXPECT_TRUE(changed({3}).empty());
}

TEST_F(StaticsTest, FieldsMayBeThoseOfAClassAbove) {
  add(7, &a_, 1);
  touches(3, {9});
  inherits(9, 8);
  inherits(8, 7);
  holds_[&a_].digest = 2;
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
}

TEST_F(StaticsTest, EachLoaderHasItsOwn) {
  add(7, &a_, 1);
  add(7, &b_, 1);
  touches(3, {7});
  statics_.begin(7, {5, true}, [this](void* m) { return m == &b_; });
  holds_[&b_] = {5, true};
  EXPECT_TRUE(changed({3}).empty());
  holds_[&b_].digest = 6;
  EXPECT_EQ(changed({3}), std::set<std::uint32_t>{7});
}

TEST(KeptState, IsWhatCanHoldSomethingElseLater) {
  constexpr unsigned kStatic = 0x0008, kFinal = 0x0010, kSynthetic = 0x1000,
                     kEnum = 0x4000;
  const auto keeps = [](std::initializer_list<
                         std::pair<unsigned, const char*>> fields) {
    classfile::KeptState kept;
    for (const auto& [access, type] : fields) kept.field(access, type);
    return static_cast<bool>(kept);
  };
  EXPECT_TRUE(keeps({{kStatic, "I"}}));
  EXPECT_TRUE(keeps({{kStatic, "Ljava/lang/String;"}}));
  EXPECT_TRUE(keeps({{kStatic | kFinal, "Ljava/util/Map;"}}));
  EXPECT_TRUE(keeps({{kStatic | kFinal, "[I"}}));
  EXPECT_FALSE(keeps({{kStatic | kFinal, "I"}}));
  EXPECT_FALSE(keeps({{kStatic | kFinal, "Ljava/lang/String;"}}));
  EXPECT_FALSE(keeps({{kStatic | kSynthetic, "[Z"}}));
  EXPECT_FALSE(keeps({{0, "Ljava/util/Map;"}}));
  EXPECT_FALSE(keeps({{kStatic | kFinal | kEnum, "Lp/E;"}}));
  EXPECT_TRUE(keeps({{kStatic | kFinal | kEnum, "Lp/E;"},
                     {0, "Ljava/lang/Object;"}}));
}

}  // namespace
}  // namespace rejig::agent
