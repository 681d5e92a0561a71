// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/string_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

namespace rejig::base {
namespace {

std::vector<std::uint32_t> obvious(std::span<const std::string_view> texts) {
  std::vector<std::uint32_t> places(texts.size());
  std::iota(places.begin(), places.end(), 0u);
  std::stable_sort(places.begin(), places.end(),
                   [&](auto a, auto b) { return texts[a] < texts[b]; });
  return places;
}

void check(const std::vector<std::string>& owned) {
  const std::vector<std::string_view> texts(owned.begin(), owned.end());
  ASSERT_EQ(order_of(texts), obvious(texts));
}

TEST(StringOrder, IsThatOfTheBytesThenOfThePlaces) {
  check({});
  check({"only"});
  check({"b", "a", "", "a", "ab", ""});
  check({std::string("a\0", 2), "a", std::string("a\0\0", 3), "a\x01"});
  // Bytes are unsigned.
  check({"\xff", "\x7f", "\x80", "a"});
}

// Zeros at the end of a text look like the filling behind a shorter one.
TEST(StringOrder, TextsThatEndInZerosAroundEightBytes) {
  std::vector<std::string> texts;
  for (int copies = 0; copies < 3; ++copies) {
    for (std::size_t n = 0; n < 40; ++n) {
      texts.push_back(std::string(n, '\0'));
      texts.push_back(std::string(n, 'a'));
      texts.push_back(std::string(n, 'a') + std::string(n % 9, '\0'));
      texts.push_back(std::string(8, 'a') + std::string(n, '\0') + "b");
    }
  }
  std::shuffle(texts.begin(), texts.end(), std::mt19937(3));
  check(texts);
}

TEST(StringOrder, ManyRandomTextsWithLongSharedBeginnings) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t letters = seed % 3 + 1;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 50 + seed * 20; ++i) {
      std::string text(random() % 3 * 8, 'p');
      for (std::size_t n = random() % 20; n > 0; --n) {
        text += static_cast<char>(random() % letters);
      }
      texts.push_back(std::move(text));
    }
    check(texts);
  }
}

// As an archive lists them: folder by folder, in no order.
TEST(StringOrder, RunsOfTextsThatBeginAlike) {
  std::mt19937 random(5);
  std::vector<std::string> texts;
  for (unsigned folder = 0; folder < 300; ++folder) {
    // Some folders come twice, some begin like others.
    const std::string name =
        "org/example/part" + std::to_string(random() % 200) + "/";
    for (unsigned n = 0; n < 30; ++n) {
      texts.push_back(name + "Class" + std::to_string(random() % 50));
    }
  }
  check(texts);
}

TEST(StringOrder, SortedTextsStaySorted) {
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) {
    texts.push_back("com/example/application/Class" + std::to_string(i));
  }
  check(texts);
  std::sort(texts.begin(), texts.end());
  check(texts);
  std::reverse(texts.begin(), texts.end());
  check(texts);
}

}  // namespace
}  // namespace rejig::base
