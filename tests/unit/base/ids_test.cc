// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace rejig::base {
namespace {

using ClassId = Id<struct ClassTag>;
using MethodId = Id<struct MethodTag>;

static_assert(sizeof(ClassId) == 4);
static_assert(!std::is_convertible_v<ClassId, MethodId>);
static_assert(!std::is_constructible_v<ClassId, MethodId>);
static_assert(!std::is_convertible_v<int, ClassId>);
static_assert(!std::is_convertible_v<ClassId, std::uint32_t>);
static_assert(!std::is_convertible_v<ClassId, bool>);

TEST(Id, IsNothingUntilItIsGiven) {
  EXPECT_FALSE(ClassId().valid());
  EXPECT_EQ(ClassId(), ClassId::none());
  EXPECT_TRUE(ClassId(0).valid());
  EXPECT_EQ(ClassId::of(7).index(), 7u);
  EXPECT_LT(ClassId(1), ClassId(2));
  EXPECT_LT(ClassId(2), ClassId::none());
}

TEST(IdVector, GivesIdsInTheOrderOfInsertion) {
  IdVector<ClassId, char> letters;
  EXPECT_EQ(letters.next_id(), ClassId(0));
  EXPECT_EQ(letters.push_back('a'), ClassId(0));
  EXPECT_EQ(letters.push_back('b'), ClassId(1));
  EXPECT_EQ(letters[ClassId(1)], 'b');
  EXPECT_TRUE(letters.contains(ClassId(1)));
  EXPECT_FALSE(letters.contains(ClassId(2)));
  EXPECT_FALSE(letters.contains(ClassId::none()));
  letters.resize(4, 'z');
  EXPECT_EQ(letters[ClassId(3)], 'z');
}

TEST(IdVector, HoldsBits) {
  IdVector<ClassId, bool> marks(3);
  marks[ClassId(1)] = true;
  EXPECT_FALSE(marks[ClassId(0)]);
  EXPECT_TRUE(marks[ClassId(1)]);
}

}  // namespace
}  // namespace rejig::base
