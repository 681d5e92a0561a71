// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/hash_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

namespace rejig::base {
namespace {

TEST(HashMap, AnswersLikeAnOrderedMap) {
  std::mt19937 random(1);
  HashMap<std::string, int> ours;
  std::map<std::string, int> theirs;
  for (int i = 0; i < 20000; ++i) {
    const std::string key = std::to_string(random() % 5000);
    const auto [value, added] = ours.try_emplace(key, i);
    const auto [at, new_here] = theirs.try_emplace(key, i);
    ASSERT_EQ(added, new_here);
    ASSERT_EQ(*value, at->second);
    if (i % 3 == 0) {
      ours[key] = -i;
      theirs[key] = -i;
    }
    const std::string other = std::to_string(random() % 6000);
    ASSERT_EQ(ours.contains(other), theirs.count(other) == 1);
  }
  ASSERT_EQ(ours.size(), theirs.size());
  std::vector<std::string> keys;
  for (const auto& [key, value] : theirs) {
    keys.push_back(key);
    ASSERT_NE(ours.find(key), nullptr);
    ASSERT_EQ(*ours.find(key), value);
  }
  EXPECT_EQ(ours.sorted_keys(), keys);
}

// A hash that puts everything into one place: only probing tells keys apart.
struct OnePlace {
  std::uint64_t operator()(int) const { return 5; }
};

TEST(HashMap, LivesWithTheWorstOfHashes) {
  HashMap<int, int, OnePlace> map;
  for (int i = 0; i < 500; ++i) map[i] = i * i;
  for (int i = 0; i < 500; ++i) {
    ASSERT_NE(map.find(i), nullptr);
    ASSERT_EQ(*map.find(i), i * i);
  }
  EXPECT_EQ(map.find(500), nullptr);
}

TEST(HashMap, FindsTextsByViewsAndPairsByValue) {
  HashMap<std::string, int> texts;
  texts["one"] = 1;
  EXPECT_EQ(*texts.find(std::string_view("one")), 1);
  HashMap<std::pair<std::string, int>, int> pairs;
  pairs[{"a", 1}] = 1;
  EXPECT_TRUE(pairs.contains(std::pair<std::string, int>("a", 1)));
  EXPECT_FALSE(pairs.contains(std::pair<std::string, int>("a", 2)));
  EXPECT_FALSE(pairs.contains(std::pair<std::string, int>("b", 1)));
}

TEST(HashMap, EmptyOnesAnswer) {
  HashMap<int, int> map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(1), nullptr);
  EXPECT_TRUE(map.sorted_keys().empty());
  map[1] = 1;
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.contains(1));
  map[2] = 2;
  EXPECT_TRUE(map.contains(2));
}

TEST(HashMap, ReservedPlacesKeepPointersValid) {
  HashMap<int, int> map;
  map.reserve(1000);
  int* const first = map.try_emplace(0, 7).first;
  for (int i = 1; i < 1000; ++i) map[i] = i;
  EXPECT_EQ(first, map.find(0));
  EXPECT_EQ(*first, 7);
}

TEST(HashSet, SaysWhetherAKeyIsNew) {
  HashSet<std::uint64_t> ours;
  std::set<std::uint64_t> theirs;
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t key = random() % 3000 << 40;
    ASSERT_EQ(ours.insert(key), theirs.insert(key).second);
  }
  EXPECT_EQ(ours.sorted(),
            std::vector<std::uint64_t>(theirs.begin(), theirs.end()));
}

}  // namespace
}  // namespace rejig::base
