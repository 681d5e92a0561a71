// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/append_table.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace rejig::base {
namespace {

TEST(AppendTable, WhoComesFirstStays) {
  AppendTable<int> table(4);
  EXPECT_EQ(table.find("a").value, nullptr);
  const auto first = table.insert("a", 1);
  EXPECT_EQ(*first.value, 1);
  EXPECT_EQ(first.key, "a");
  const auto second = table.insert("a", 2);
  EXPECT_EQ(second.value, first.value);
  EXPECT_EQ(*table.find("a").value, 1);
  EXPECT_EQ(*table.insert("", 3).value, 3);
  EXPECT_EQ(*table.find("").value, 3);
}

TEST(AppendTable, HoldsMoreThanItHasPlaces) {
  AppendTable<std::size_t> table(1);
  std::vector<std::string_view> keys;
  for (std::size_t i = 0; i < 1000; ++i) {
    keys.push_back(table.insert(std::to_string(i), i).key);
  }
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto found = table.find(std::to_string(i));
    ASSERT_NE(found.value, nullptr);
    ASSERT_EQ(*found.value, i);
    // The same bytes as when they were added, at the same place.
    ASSERT_EQ(found.key.data(), keys[i].data());
  }
}

TEST(AppendTable, ValuesWithDestructorsAreDestroyed) {
  const auto shared = std::make_shared<int>(1);
  {
    AppendTable<std::shared_ptr<int>> table(2);
    for (int i = 0; i < 20; ++i) table.insert(std::to_string(i % 10), shared);
    EXPECT_EQ(shared.use_count(), 11);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(AppendTable, ManyThreadsAgreeOnOneEntryPerKey) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kKeys = 2000;
  AppendTable<std::size_t> table(6);
  std::vector<std::vector<std::size_t*>> seen(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kKeys; ++i) {
          // Half of the threads come from the other end.
          const std::size_t key = t % 2 == 0 ? i : kKeys - 1 - i;
          const auto entry = table.insert(std::to_string(key), key);
          seen[t].push_back(entry.value);
        }
      });
    }
  }
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (std::size_t i = 0; i < kKeys; ++i) {
      const std::size_t key = t % 2 == 0 ? i : kKeys - 1 - i;
      ASSERT_EQ(seen[t][i], table.find(std::to_string(key)).value);
      ASSERT_EQ(*seen[t][i], key);
    }
  }
}

}  // namespace
}  // namespace rejig::base
