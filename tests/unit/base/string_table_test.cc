// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/string_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rejig::base {
namespace {

std::vector<std::string> some_names(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back("p/C" + std::to_string(i * 7919 % n / 2));
  }
  return names;
}

StringTable table_of(const std::vector<std::string>& names, unsigned workers) {
  ThreadPool pool(workers);
  StringTableBuilder builder(workers);
  pool.for_each(names.size(), [&](unsigned worker, std::size_t i) {
    builder.add(worker, names[i]);
  });
  return std::move(builder).finish();
}

TEST(StringTable, IdsAreDenseInSortedOrder) {
  const auto table = table_of({"b", "a", "c", "a", ""}, 1);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[NameId(0)], "");
  EXPECT_EQ(table[NameId(1)], "a");
  EXPECT_EQ(table[NameId(2)], "b");
  EXPECT_EQ(table[NameId(3)], "c");
  EXPECT_EQ(table.find("c"), NameId(3));
  EXPECT_EQ(table.find("d"), NameId::none());
}

TEST(StringTable, IdsAreEqualAtAnyNumberOfWorkers) {
  const auto names = some_names(5000);
  const auto one = table_of(names, 1);
  for (const unsigned workers : {2u, 3u, 8u}) {
    const auto many = table_of(names, workers);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      ASSERT_EQ(many[NameId::of(i)], one[NameId::of(i)]);
      ASSERT_EQ(many.find(one[NameId::of(i)]), NameId::of(i));
    }
  }
}

TEST(StringTable, OwnsItsBytes) {
  StringTable table;
  {
    auto names = some_names(100);
    table = table_of(names, 2);
    for (auto& name : names) std::fill(name.begin(), name.end(), '?');
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    ASSERT_TRUE(table[NameId::of(i)].starts_with("p/C"));
  }
}

}  // namespace
}  // namespace rejig::base
