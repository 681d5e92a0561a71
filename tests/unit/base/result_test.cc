// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/result.h"

#include <gtest/gtest.h>

#include <memory>

#include "classfile/base/diagnostics.h"

namespace rejig::base {
namespace {

Error broken(std::string where) {
  return Error{Errc::kMalformed, "tag 60, allowed 1 to 20", std::move(where)};
}

Result<int> half(int n) {
  if (n % 2 != 0) return broken("a.jar!/B.class @0x1f3");
  return n / 2;
}
Result<int> quarter(int n) {
  REJIG_TRY(const int once, half(n));
  REJIG_TRY(const int twice, half(once));
  return twice;
}
Result<void> quarters(int n) {
  REJIG_TRY_VOID(quarter(n));
  return {};
}

TEST(Result, HoldsAValueOrAnErrorThatNamesItsPlace) {
  const auto good = half(8);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 4);
  const auto bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, Errc::kMalformed);
  EXPECT_EQ(bad.error().message(),
            "a.jar!/B.class @0x1f3: tag 60, allowed 1 to 20");
  EXPECT_EQ(broken("").message(), "tag 60, allowed 1 to 20");
}

TEST(Result, TryReturnsTheFirstError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_FALSE(quarter(6).ok());
  EXPECT_TRUE(quarters(12).ok());
  EXPECT_FALSE(quarters(13).ok());
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> box(std::make_unique<int>(5));
  const std::unique_ptr<int> out = std::move(box).value();
  EXPECT_EQ(*out, 5);
}

TEST(ResultDeathTest, AValueThatIsNotThereIsABugOfOurs) {
  const auto bad = half(7);
  EXPECT_DEATH((void)bad.value(), "internal error");
  const auto good = half(8);
  EXPECT_DEATH((void)good.error(), "internal error");
}

TEST(Diagnostics, AreAppendedInTheOrderOfTheirItems) {
  Diagnostics all;
  all.note("first", "x");
  Diagnostics one;
  one.widened(broken("y"));
  one.note("third", "z");
  all.append(std::move(one));
  ASSERT_EQ(all.items().size(), 3u);
  EXPECT_EQ(all.items()[0].what, "first");
  EXPECT_EQ(all.items()[0].severity, Severity::kNote);
  EXPECT_EQ(all.items()[1].what, "tag 60, allowed 1 to 20");
  EXPECT_EQ(all.items()[1].where, "y");
  EXPECT_EQ(all.items()[1].severity, Severity::kWidened);
  EXPECT_EQ(all.items()[2].where, "z");
}

}  // namespace
}  // namespace rejig::base
