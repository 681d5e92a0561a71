// SPDX-License-Identifier: Apache-2.0
// Modified UTF-8 and descriptors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "classfile/reader/descriptor.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::classfile {
namespace {

using namespace std::string_view_literals;

TEST(ModifiedUtf8, Legality) {
  struct Case {
    std::string_view bytes;
    bool strict, overlong;
  };
  const Case cases[] = {
      {"", true, true},
      {"plain text that is longer than eight bytes", true, true},
      {"12345678\x80", false, false},
      {"\x80" "2345678 and plain to the end", false, false},
      {"12345678 \xC1\x81 12345678", false, true},
      {"\0" "2345678 and plain to the end"sv, false, false},
      {"\0"sv, false, false},
      {"1234567\0"sv, false, false},
      {"\xC0\x80", true, true},          // U+0000
      {"\xC1\x81", false, true},         // overlong 'A'
      {"\xC2\x80", true, true},
      {"\xE0\x81\x81", false, true},     // overlong 'A'
      {"\xE0\xA0\x80", true, true},
      {"\xED\xA0\x80", true, true},      // lone high surrogate
      {"\xED\xB0\x80", true, true},      // lone low surrogate
      {"\xEF\xBF\xBF", true, true},
      {"\xF0\x9F\x98\x80", false, false},
      {"\xFF", false, false},
      {"\x80", false, false},
      {"\xC2", false, false},
      {"\xC2" "A", false, false},
      {"\xE1\x80", false, false},
      {"\xE1\x80" "A", false, false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(legal_modified_utf8(c.bytes, false), c.strict) << c.bytes;
    EXPECT_EQ(legal_modified_utf8(c.bytes, true), c.overlong) << c.bytes;
  }
}

TEST(ModifiedUtf8, DecodesForOutput) {
  EXPECT_EQ(to_utf8("abc"), "abc");
  EXPECT_EQ(to_utf8("\xC0\x80"), "\0"sv);
  EXPECT_EQ(to_utf8("\xC1\x81"), "A");
  EXPECT_EQ(to_utf8("\xC3\xA9\xE2\x82\xAC"), "\xC3\xA9\xE2\x82\xAC");
  // A surrogate pair is one character of four bytes.
  EXPECT_EQ(to_utf8("\xED\xA0\xBD\xED\xB8\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(to_utf8("a\xED\xA0\xBD"), "a\\ud83d");
  EXPECT_EQ(to_utf8("\xED\xB8\x80z"), "\\ude00z");
  EXPECT_EQ(to_utf8("\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80"),
            "\\ud83d\xF0\x9F\x98\x80");
  // Ill-formed bytes do not make it read on.
  EXPECT_EQ(to_utf8("\xE1\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(ModifiedUtf8, JsonEscapesWhatTheFormatSays) {
  std::string out;
  append_json_text(out, "a\"b\\c/\n\x7f\xC0\x80\xED\xA0\x80");
  EXPECT_EQ(out, "a\\\"b\\\\c/\\u000a\x7f\\u0000\\ud800");
}

TEST(Descriptor, LegalTypes) {
  for (const char* good :
       {"I", "[I", "[[Ljava/lang/String;", "La-b/c d;", "LX;"}) {
    EXPECT_TRUE(legal_field_descriptor(good, 52)) << good;
  }
  for (const char* bad : {"", "V", "[V", "[", "L;", "LX", "Q", "II", "La//b;",
                          "L/a;", "La/;", "La.b;", "La[b;", "(I)V"}) {
    EXPECT_FALSE(legal_field_descriptor(bad, 52)) << bad;
  }
  EXPECT_FALSE(legal_field_descriptor("La-b;", 48));
  EXPECT_TRUE(legal_field_descriptor("La_b$/c1;", 48));
  EXPECT_TRUE(legal_field_descriptor(std::string(255, '[') + "I", 52));
  EXPECT_FALSE(legal_field_descriptor(std::string(256, '[') + "I", 52));
}

TEST(Descriptor, LegalMethods) {
  EXPECT_EQ(legal_method_descriptor("()V", 52), 0u);
  EXPECT_EQ(legal_method_descriptor("(IJ[DLa/B;D)[I", 52), 7u);
  for (const char* bad :
       {"", "I", "(", "()", "(V)V", "()VV", "(I", "(I)", "(L)V", "()("}) {
    EXPECT_FALSE(legal_method_descriptor(bad, 52)) << bad;
  }
  EXPECT_TRUE(legal_method_descriptor("(I)V", 52, true));
  EXPECT_FALSE(legal_method_descriptor("(I)I", 52, true));
}

TEST(Descriptor, Names) {
  EXPECT_TRUE(legal_method_name("<init>", 52));
  EXPECT_TRUE(legal_method_name("<clinit>", 48));
  EXPECT_FALSE(legal_method_name("<x>", 52));
  EXPECT_FALSE(legal_method_name("a<b", 52));
  EXPECT_TRUE(legal_field_name("a<b", 52));
  EXPECT_FALSE(legal_field_name("a/b", 52));
  EXPECT_FALSE(legal_field_name("", 52));
  EXPECT_TRUE(legal_class_name("a/b c", 52));
  EXPECT_FALSE(legal_class_name("a/b c", 48));
  EXPECT_FALSE(legal_class_name("1a", 48));
  EXPECT_TRUE(legal_class_name("[La/B;", 52));
  EXPECT_FALSE(legal_class_name("[La/B", 52));
}

TEST(Descriptor, Walk) {
  MethodDescriptor d("(I[[JLa/B;[La/C;D)[Z");
  std::vector<std::string> seen;
  unsigned slots = 0;
  TypeView t;
  while (d.next(t)) {
    seen.push_back(std::string(t.text) + "/" + std::to_string(t.dimensions) +
                   "/" + std::string(t.class_name));
    slots += t.slots();
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"I/0/", "[[J/2/", "La/B;/0/a/B",
                                            "[La/C;/1/a/C", "D/0/"}));
  EXPECT_EQ(slots, 6u);
  EXPECT_EQ(argument_slots("(I[[JLa/B;[La/C;D)[Z"), 6u);
  EXPECT_EQ(d.result().text, "[Z");
  EXPECT_EQ(type_of_class_constant("a/B").class_name, "a/B");
  EXPECT_EQ(type_of_class_constant("[[La/B;").class_name, "a/B");
  EXPECT_EQ(type_of_class_constant("[[La/B;").dimensions, 2u);
}

// From version 49 a class name may hold parentheses.
TEST(Descriptor, ParenthesesInClassNames) {
  const char* text = "(La)b;I(LJ;)La)c;";
  EXPECT_FALSE(legal_method_descriptor(text, 52));
  const char* legal = "(La)b;IL(x;)La)c;";
  ASSERT_EQ(legal_method_descriptor(legal, 52), 3u);
  EXPECT_FALSE(legal_method_descriptor(legal, 48));
  EXPECT_EQ(argument_slots(legal), 3u);
  MethodDescriptor d(legal);
  TypeView t;
  std::vector<std::string> names;
  while (d.next(t)) names.emplace_back(t.text);
  EXPECT_EQ(names, (std::vector<std::string>{"La)b;", "I", "L(x;"}));
  EXPECT_EQ(d.result().class_name, "a)c");
}

// Nothing here may read past the end, whatever it is given.
TEST(Descriptor, IllFormedTextsAreHarmless) {
  for (const char* text : {"", "(", "(L", "[[[", "(I", ")", "L", "(Lx"}) {
    MethodDescriptor d(text);
    TypeView t;
    int n = 0;
    while (d.next(t) && n < 10) ++n;
    EXPECT_LT(n, 10);
    EXPECT_LE(argument_slots(text), 3u);
    EXPECT_LE(type_of_descriptor(text).text.size(), 3u);
  }
}

}  // namespace
}  // namespace rejig::classfile
