// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/listing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/agent/constant_pool.h"

namespace rejig::agent {
namespace {

// java.lang.Class with one method that calls another of the class.
std::string calls(const std::string& caller, const std::string& callee,
                  unsigned opcode = 0xb6, bool by_handle = false) {
  Buffer b;
  const auto utf8 = [&b](const std::string& s) {
    b.u1(kUtf8);
    b.text(s);
  };
  b.u4(0xcafebabe);
  b.u4(52);
  b.u2(by_handle ? 10 : 9);
  utf8("java/lang/Class");  // 1
  b.u1(kClass);             // 2
  b.u2(1);
  utf8(caller);  // 3
  utf8(callee);  // 4
  utf8("()V");   // 5
  utf8("Code");  // 6
  b.u1(kNameAndType);  // 7
  b.u2(4);
  b.u2(5);
  b.u1(kMethodref);  // 8
  b.u2(2);
  b.u2(7);
  if (by_handle) {
    b.u1(kMethodHandle);  // 9
    b.u1(5);
    b.u2(8);
  }
  for (const unsigned v : {0x21u, 2u, 0u, 0u, 0u, 1u}) b.u2(v);
  for (const unsigned v : {1u, 3u, 5u, 1u, 6u}) b.u2(v);
  const std::vector<unsigned> code = {0x2a, opcode, 0, 8, 0xb1};
  b.u4(static_cast<std::uint32_t>(12 + code.size()));
  b.u2(1);
  b.u2(1);
  b.u4(static_cast<std::uint32_t>(code.size()));
  for (const unsigned op : code) b.u1(op);
  b.u4(0);
  b.u2(0);
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

bool known(const std::string& s) {
  return lists_as_known({reinterpret_cast<const std::byte*>(s.data()), s.size()});
}

TEST(Listing, KnownCallersOnly) {
  EXPECT_TRUE(known(calls("getMethod0", "getMethodsRecursive")));
  EXPECT_TRUE(known(calls("anything", "anythingElse")));
  EXPECT_FALSE(known(calls("getMethodFast", "getMethodsRecursive")));
  EXPECT_FALSE(known(calls("getMethod", "getMethodsRecursive")));
  EXPECT_FALSE(known(calls("access$000", "privateGetDeclaredFields", 0xb8)));
  EXPECT_FALSE(known(calls("lambda$0", "getField0", 0xb7)));
}

TEST(Listing, AHandleMayBeCalledByAnybody) {
  EXPECT_TRUE(known(calls("getField", "getField0")));
  EXPECT_FALSE(known(calls("getField", "getField0", 0xb6, true)));
}

TEST(Listing, WhatIsNotUnderstoodIsNotKnown) {
  const std::string whole = calls("getField", "getField0");
  for (std::size_t n = 0; n < whole.size() - 2; ++n) {
    EXPECT_FALSE(known(whole.substr(0, n))) << n;
  }
  EXPECT_FALSE(known(calls("getField", "getField0", 0xfe)));
}

}  // namespace
}  // namespace rejig::agent
