// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/number_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace rejig::base {

namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

}  // namespace

std::vector<std::uint32_t> order_of(std::span<const std::uint64_t> numbers) {
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  if (std::is_sorted(numbers.begin(), numbers.end())) return order;
  std::uint64_t used = 0;
  for (const std::uint64_t n : numbers) used |= n;
  std::vector<std::uint32_t> sorted(order.size());
  std::array<std::uint32_t, kDigits> places{};
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(used));
       shift += kDigitBits) {
    const auto digit = [&](std::uint32_t i) {
      return static_cast<std::size_t>(numbers[i] >> shift) & (kDigits - 1);
    };
    places.fill(0);
    for (const std::uint32_t i : order) ++places[digit(i)];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
    for (const std::uint32_t i : order) sorted[places[digit(i)]++] = i;
    order.swap(sorted);
  }
  return order;
}

}  // namespace rejig::base
