// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/number_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace rejig::base {
namespace {

std::vector<std::uint32_t> slow_order(const std::vector<std::uint64_t>& of) {
  std::vector<std::uint32_t> out(of.size());
  std::iota(out.begin(), out.end(), 0U);
  std::stable_sort(out.begin(), out.end(),
                   [&](auto a, auto b) { return of[a] < of[b]; });
  return out;
}

TEST(NumberOrder, IsThatOfAStableSort) {
  std::mt19937_64 random(1);
  for (const unsigned bits : {1U, 5U, 11U, 12U, 22U, 23U, 40U, 63U, 64U}) {
    for (const std::size_t n : {0U, 1U, 2U, 7U, 5000U}) {
      std::vector<std::uint64_t> numbers(n);
      for (auto& one : numbers) one = random() >> (64 - bits);
      EXPECT_EQ(order_of(numbers), slow_order(numbers)) << bits << " " << n;
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(order_of(numbers), slow_order(numbers)) << bits << " " << n;
      std::reverse(numbers.begin(), numbers.end());
      EXPECT_EQ(order_of(numbers), slow_order(numbers)) << bits << " " << n;
    }
  }
}

TEST(NumberOrder, LargestAndEqualNumbers) {
  const std::vector<std::uint64_t> numbers = {~std::uint64_t{0}, 0, 7, 7, 0,
                                              ~std::uint64_t{0}};
  EXPECT_EQ(order_of(numbers), (std::vector<std::uint32_t>{1, 4, 2, 3, 0, 5}));
}

}  // namespace
}  // namespace rejig::base
