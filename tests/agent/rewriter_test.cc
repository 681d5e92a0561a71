// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/rewriter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/agent/class_info.h"

namespace rejig::agent {
namespace {

bool hit(void* number, const MethodHead&, Prefix& prefix) {
  prefix.hook = "hit";
  prefix.descriptor = "(I)V";
  prefix.has_number = true;
  prefix.number = *static_cast<int*>(number);
  return true;
}

bool mark(void* number, const MethodHead& method, Prefix& prefix) {
  hit(number, method, prefix);
  prefix.hook = "MARKS";
  prefix.descriptor = "[S";
  prefix.marks = true;
  return true;
}

bool initializer(void* number, const MethodHead& method, Prefix& prefix) {
  hit(number, method, prefix);
  prefix.at_end = "done";
  return true;
}

bool none(void*, const MethodHead&, Prefix&) { return false; }

bool in_place(void*, const MethodHead&, Prefix& prefix) {
  prefix.hook = "get";
  prefix.descriptor = "(La/B;I)J";
  prefix.instead_of = "a/B";
  return true;
}

// A class T with one method `void m()` whose code the test gives.
class Maker {
 public:
  std::vector<unsigned char> code = {0xb1};
  unsigned major = 52;
  unsigned minor = 0;
  unsigned extra_constants = 0;
  unsigned handler_end = 0;  // a handler over [0, handler_end) at 0
  std::string class_name = "T";
  std::string extra_class;
  std::vector<std::string> refs;  // "a/B", "name", "(I)J": a Methodref of six

  std::string bytes() const {
    Buffer b;
    b.u4(0xcafebabe);
    b.u2(minor);
    b.u2(major);
    b.u2(static_cast<unsigned>(8 + extra_constants +
                               (extra_class.empty() ? 0 : 2) +
                               2 * refs.size()));
    utf8(b, class_name);  // 1
    b.u1(kClass);         // 2
    b.u2(1);
    utf8(b, "java/lang/Object");  // 3
    b.u1(kClass);                 // 4
    b.u2(3);
    utf8(b, "m");     // 5
    utf8(b, "()V");   // 6
    utf8(b, "Code");  // 7
    for (unsigned i = 0; i < extra_constants; ++i) utf8(b, "");
    if (!extra_class.empty()) {
      utf8(b, extra_class);
      b.u1(kClass);
      b.u2(8 + extra_constants);
    }
    for (unsigned at = 8; 3 * ((at - 8) / 6) < refs.size(); at += 6) {
      const std::size_t ref = 3 * ((at - 8) / 6);
      for (std::size_t i = 0; i < 3; ++i) utf8(b, refs[ref + i]);
      b.u1(kClass);
      b.u2(at);
      b.u1(kNameAndType);
      b.u2(at + 1);
      b.u2(at + 2);
      b.u1(kMethodref);
      b.u2(at + 3);
      b.u2(at + 4);
    }
    for (const unsigned v : {0x21u, 2u, 4u, 0u, 0u, 1u}) b.u2(v);
    for (const unsigned v : {9u, 5u, 6u, 1u, 7u}) b.u2(v);
    const unsigned handlers = handler_end != 0 ? 1 : 0;
    b.u4(static_cast<std::uint32_t>(12 + code.size() + 8 * handlers));
    b.u2(0);
    b.u2(1);
    b.u4(static_cast<std::uint32_t>(code.size()));
    b.bytes(code.data(), code.size());
    b.u2(handlers);
    if (handlers != 0) {
      for (const unsigned v : {0u, handler_end, 0u, 0u}) b.u2(v);
    }
    b.u2(0);
    b.u2(0);
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }

 private:
  static void utf8(Buffer& b, const std::string& s) {
    b.u1(kUtf8);
    b.text(s);
  }
};

struct Made {
  Verdict verdict;
  std::string bytes;
};

Bytes view(const std::string& s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

Made run(const std::string& cls, int number = 5, PrefixFor prefix = hit) {
  Arena arena;
  Buffer out;
  const Verdict v = rewrite(view(cls), prefix, &number, arena, out);
  return {v, {reinterpret_cast<const char*>(out.data()), out.size()}};
}

// The code of the only method.
std::string code_of(const std::string& cls) {
  Arena arena;
  ConstantPool pool;
  ByteReader in(view(cls));
  in.skip(8);
  EXPECT_TRUE(pool.read(in, view(cls), arena));
  in.skip(8 + 2 + 2 + 8 + 2 + 4);
  in.skip(4);
  const Bytes code = in.bytes(in.u4());
  EXPECT_FALSE(in.failed());
  return {reinterpret_cast<const char*>(code.data()), code.size()};
}

TEST(Rewriter, SmallNumberIsSipushCallAndTwoNops) {
  const Made made = run(Maker().bytes());
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  EXPECT_EQ(code_of(made.bytes),
            std::string("\x11\x00\x05\xb8\x00\x0d\x00\x00\xb1", 9));
}

TEST(Rewriter, AMarkIsAStoreOfTheSameSize) {
  const Made made = run(Maker().bytes(), 5, mark);
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  EXPECT_EQ(code_of(made.bytes),
            std::string("\xb2\x00\x0d\x11\x00\x05\x04\x56\xb1", 9));
  const Made large = run(Maker().bytes(), 40000, mark);
  ASSERT_EQ(large.verdict, Verdict::kRewritten);
  EXPECT_EQ(code_of(large.bytes).size(), 9u);
}

TEST(Rewriter, AnInitializerSaysWhereItEnds) {
  Maker m;
  m.code = {0x00, 0x10, 0xb1, 0x57, 0xb1};  // nop; bipush -79; pop; return
  m.handler_end = 5;
  const Made made = run(m.bytes(), 5, initializer);
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  const std::string code = code_of(made.bytes);
  ASSERT_EQ(code.size(), 8u + 4u + 7u);
  EXPECT_EQ(code.substr(8, 4), std::string("\x00\x10\xb1\x57", 4));
  EXPECT_EQ(code.substr(12, 4), std::string("\x11\x00\x05\xb8", 4));
  EXPECT_EQ(code.back(), '\xb1');
  // The handler covers what is there now.
  EXPECT_NE(made.bytes.find(std::string("\x00\x01\x00\x08\x00\x13\x00\x08", 8)),
            std::string::npos);
}

TEST(Rewriter, WhatReturnsInTheMiddleHasNoEnd) {
  Maker m;
  for (const std::vector<unsigned char>& code :
       {std::vector<unsigned char>{0xb1, 0xb1}, {0xb1, 0xa7, 0xff, 0xff},
        {0x01, 0xbf}, {0xfe, 0xb1}}) {
    m.code = code;
    const Made made = run(m.bytes(), 5, initializer);
    ASSERT_EQ(made.verdict, Verdict::kRewritten);
    EXPECT_EQ(code_of(made.bytes).size(), 8u + code.size());
  }
}

TEST(Rewriter, ACallBecomesOneOfTheHook) {
  Maker m;
  m.refs = {"a/B", "get", "(I)J"};  // 13
  m.code = {0x10, 0xb6, 0xb6, 0x00, 0x0d, 0xb1};  // bipush; invokevirtual
  m.handler_end = 6;
  const Made made = run(m.bytes(), 0, in_place);
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  // Class, name, descriptor, two of their kinds, NameAndType before it.
  EXPECT_EQ(code_of(made.bytes), std::string("\x10\xb6\xb8\x00\x13\xb1", 6));
  EXPECT_NE(made.bytes.find(std::string("\x00\x01\x00\x00\x00\x06\x00\x00", 8)),
            std::string::npos);
}

TEST(Rewriter, NoOtherCallBecomesOneOfTheHook) {
  const std::vector<std::vector<std::string>> others = {
      {"a/C", "get", "(I)J"},  {"a/B", "got", "(I)J"}, {"a/B", "get", "(J)J"},
      {"a/B", "get", "(I)I"},  {"a/B", "get", "()J"},  {"a/B", "get", "I)J"},
      {"a/B", "get", "(II)J"}, {"a/B", "get", ""}};
  for (const auto& ref : others) {
    Maker m;
    m.refs = ref;
    m.code = {0xb6, 0x00, 0x0d, 0xb1};
    const Made made = run(m.bytes(), 0, in_place);
    ASSERT_EQ(made.verdict, Verdict::kRewritten);
    EXPECT_EQ(code_of(made.bytes), std::string("\xb6\x00\x0d\xb1", 4));
  }
  Maker m;
  m.refs = {"a/B", "get", "(I)J"};
  m.code = {0xb7, 0x00, 0x0d, 0xb8, 0x00, 0x0d, 0xb1};  // special, static
  EXPECT_EQ(code_of(run(m.bytes(), 0, in_place).bytes),
            std::string("\xb7\x00\x0d\xb8\x00\x0d\xb1", 7));
  m.code = {0xfe, 0xb1};
  EXPECT_EQ(run(m.bytes(), 0, in_place).verdict, Verdict::kMalformed);
  m.code = {0xb6, 0x00};
  EXPECT_EQ(run(m.bytes(), 0, in_place).verdict, Verdict::kMalformed);
}

TEST(Rewriter, LargestInitializerThatFits) {
  Maker m;
  m.code.assign(65535 - 8 - 6 - 1, 0);
  m.code.push_back(0xb1);
  EXPECT_EQ(run(m.bytes(), 5, initializer).verdict, Verdict::kRewritten);
  m.code.insert(m.code.begin(), 0);
  EXPECT_EQ(run(m.bytes(), 5, initializer).verdict, Verdict::kMethodTooLarge);
}

TEST(Rewriter, LargeNumberIsAConstantOfTheSameSize) {
  const Made made = run(Maker().bytes(), 40000);
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  const std::string code = code_of(made.bytes);
  EXPECT_EQ(code.size(), 9u);
  EXPECT_EQ(code[0], 0x13);
}

TEST(Rewriter, HandlerMovesAndDoesNotCoverThePrefix) {
  Maker m;
  m.handler_end = 1;
  const Made made = run(m.bytes());
  ASSERT_EQ(made.verdict, Verdict::kRewritten);
  EXPECT_NE(made.bytes.find(std::string("\x00\x01\x00\x08\x00\x09\x00\x08", 8)),
            std::string::npos);
}

TEST(Rewriter, MethodsWithoutPrefixStayByteForByte) {
  EXPECT_EQ(run(Maker().bytes(), 0, none).verdict, Verdict::kNothingToDo);
}

TEST(Rewriter, LargestMethodThatFits) {
  Maker m;
  m.code.assign(65535 - 9, 0);
  m.code.push_back(0xb1);
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kRewritten);
  m.code.assign(65535 - 8, 0);
  m.code.push_back(0xb1);
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kMethodTooLarge);
}

TEST(Rewriter, FullPoolIsDeclined) {
  Maker m;
  m.extra_constants = 65535 - 8 - 6;
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kRewritten);
  ++m.extra_constants;
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kPoolFull);
}

TEST(Rewriter, OldCodeAttributeIsDeclined) {
  Maker m;
  m.major = 45;
  m.minor = 2;
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kOldCode);
  m.minor = 3;
  EXPECT_EQ(run(m.bytes()).verdict, Verdict::kRewritten);
}

TEST(Rewriter, ItsOwnWorkIsNotRewrittenAgain) {
  const Made once = run(Maker().bytes());
  EXPECT_EQ(run(once.bytes).verdict, Verdict::kAlreadyMarked);
}

TEST(Rewriter, TrailingBytesAreMalformed) {
  EXPECT_EQ(run(Maker().bytes() + "x").verdict, Verdict::kMalformed);
}

TEST(Rewriter, EveryTruncationIsMalformed) {
  const std::string whole = Maker().bytes();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const std::string cut(whole.data(), n);
    EXPECT_EQ(run(cut).verdict, Verdict::kMalformed) << n;
    Arena arena;
    ClassInfo info;
    read_class(view(cut), arena, info);
  }
}

TEST(Rewriter, NoFlippedByteIsReadOutside) {
  const std::string whole = Maker().bytes();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string odd = whole;
      odd[n] = static_cast<char>(odd[n] ^ flip);
      const Made made = run(odd);
      if (made.verdict == Verdict::kRewritten) {
        EXPECT_GE(made.bytes.size(), odd.size() + 8) << n;
      }
    }
  }
}

TEST(ClassInfo, UsesOfAMethod) {
  Maker m;
  m.extra_class = "p/Q";
  m.code = {0xbb, 0x00, 0x09, 0x57, 0xb1};  // new p/Q; pop; return
  const std::string cls = m.bytes();
  Arena arena;
  ClassInfo info;
  ASSERT_TRUE(read_class(view(cls), arena, info));
  EXPECT_EQ(info.name, "T");
  EXPECT_EQ(info.super, "java/lang/Object");
  ASSERT_EQ(info.method_count, 1u);
  const MethodInfo& method = info.methods[0];
  ASSERT_EQ(method.use_count, 1u);
  EXPECT_EQ(info.names[method.uses[0].name], "p/Q");
  EXPECT_EQ(method.uses[0].use, unsigned{kCreates | kTriggers});
}

TEST(ClassInfo, CodeThatIsNotUnderstoodUsesEverything) {
  Maker m;
  m.extra_class = "p/Q";
  m.code = {0xfe, 0xb1};
  const std::string cls = m.bytes();
  Arena arena;
  ClassInfo info;
  ASSERT_TRUE(read_class(view(cls), arena, info));
  EXPECT_EQ(info.methods[0].use_count, info.name_count);
  EXPECT_TRUE(info.methods[0].clones);
  EXPECT_TRUE(info.methods[0].asks);
}

}  // namespace
}  // namespace rejig::agent
