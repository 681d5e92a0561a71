// SPDX-License-Identifier: Apache-2.0
// The quick answers about names, descriptors and operands are those of the
// obvious functions, on random input.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "classfile/reader/class_check.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "classfile/reader/constant_pool.h"
#include "classfile/reader/descriptor.h"
#include "classfile/reader/modified_utf8.h"
#include "classfile/reader/pool_notes.h"
#include "classfile/reader/text_shape.h"
#include "tests/support/class_builder.h"

namespace rejig::classfile {
namespace {

using test::ExactBytes;
using test::Out;

TextShape slow_shape(std::string_view text) {
  TextShape shape = 0;
  char before = 0;
  for (const char c : text) {
    if (c == 0 || static_cast<unsigned char>(c) >= 0x80) shape |= kShapeRaw;
    if (c == '.') shape |= kShapeDot;
    if (c == ';') shape |= kShapeSemicolon;
    if (c == '[') shape |= kShapeBracket;
    if (c == '<' || c == '>') shape |= kShapeAngle;
    if (c == '/') shape |= kShapeSlash;
    if (c == '/' && before == '/') shape |= kShapeSlashes;
    before = c;
  }
  return shape;
}

std::string random_text(std::mt19937& random, std::string_view letters,
                        std::size_t longest) {
  std::string text(random() % (longest + 1), ' ');
  for (char& c : text) c = letters[random() % letters.size()];
  return text;
}

TEST(TextShape, IsThatOfEachByte) {
  std::mt19937 random(20261119);
  for (int round = 0; round < 200000; ++round) {
    // Mostly plain, so that long texts have few special bytes.
    const std::string text = random_text(
        random,
        round % 2 == 0 ? std::string_view("abcdefghijklmnopqrst/xyz")
                       : std::string_view("ab/.;[<>\x80\0(c)L", 15),
        40);
    const std::string front(random() % 20, '/');
    const std::string whole = front + text + ".";
    const ExactBytes bytes(whole);
    const std::string_view view(
        reinterpret_cast<const char*>(bytes.get().data()) + front.size(),
        text.size());
    ASSERT_EQ(text_shape(view, front.size()), slow_shape(text))
        << "'" << text << "' after " << front.size();
  }
}

// A slash behind the text widens the answer, and only for texts that end with
// one.
TEST(TextShape, OfATextBeforeASlash) {
  const std::string whole = "0123456789abcdef/plain/";
  const std::string_view text = std::string_view(whole).substr(0, 22);
  EXPECT_EQ(text_shape(text, 0), kShapeSlash);
}

TEST(PoolNotes, AnswerLikeTheObviousFunctions) {
  std::mt19937 random(20261119);
  int legal = 0;
  for (int round = 0; round < 40000; ++round) {
    const bool descriptor = round % 2 == 0;
    std::string text;
    if (descriptor) {
      static constexpr std::string_view kParts[] = {
          "I",      "J",     "La/B;", "[",   "Ljava/lang/String;",
          ";",      "L/a;",  "Lb/;",  "La;", "V",
          "La//b;", "La.b;", "L;",    "(",   "D",
          "La[b;"};
      text = round % 4 == 0 ? "(" : "";
      for (auto n = random() % 5; n != 0; --n) text += kParts[random() % 16];
      if (round % 4 == 0) text += ")";
      if (random() % 4 != 0) text += kParts[random() % 5];
      if (round % 4 == 0 && random() % 2 == 0) text += "V";
    } else {
      text = random_text(random, "abcdefghijklmnopqrstu/./;[<>$_A", 24);
    }
    // A class whose second entry is the text.
    const std::uint16_t major = random() % 4 == 0 ? 48 : 61;
    Out pool;
    pool.u2(3)
        .u1(1)
        .u2(1)
        .raw("T")
        .u1(1)
        .u2(static_cast<unsigned>(text.size()))
        .raw(text)
        .raw("end");
    const ExactBytes bytes(pool.str());
    base::ByteReader reader(bytes.get());
    ConstantPool parsed;
    ASSERT_TRUE(parsed.read(reader, bytes.get(), major, "test").ok());
    PoolNotes notes(parsed, major);
    notes.note_text(1);
    notes.note_text(2);
    EXPECT_EQ(notes.field_name(2), legal_field_name(text, major)) << text;
    EXPECT_EQ(notes.method_name(2), legal_method_name(text, major)) << text;
    EXPECT_EQ(notes.class_name(2), legal_class_name(text, major)) << text;
    EXPECT_EQ(notes.field_descriptor(2), legal_field_descriptor(text, major))
        << text;
    const auto slots = legal_method_descriptor(text, major);
    ASSERT_EQ(notes.method_descriptor(2), slots.has_value()) << text;
    if (slots) {
      EXPECT_EQ(notes.argument_slots(2), *slots) << text;
    }
    legal += slots.has_value() || notes.field_descriptor(2) ? 1 : 0;
  }
  EXPECT_GT(legal, 2000);
}

// Close to the end of the code every instruction is read the obvious way.
TEST(InstructionReader, ReadsTheSameInTheMiddleAndAtTheEnd) {
  std::mt19937 random(20261119);
  int read = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string code(24, ' ');
    for (char& c : code) c = static_cast<char>(random());
    code[0] = static_cast<char>(random() % 256);
    const ExactBytes all(code);
    InstructionReader quick(all.get());
    Instruction one;
    if (!quick.next(one)) continue;
    const ExactBytes cut(std::string_view(code).substr(0, one.length));
    InstructionReader slow(cut.get());
    Instruction two;
    ASSERT_TRUE(slow.next(two));
    ++read;
    ASSERT_EQ(one.pc, two.pc);
    ASSERT_EQ(one.op, two.op);
    ASSERT_EQ(one.length, two.length);
    ASSERT_EQ(one.index, two.index) << mnemonic(one.op);
    ASSERT_EQ(one.value, two.value) << mnemonic(one.op);
    ASSERT_EQ(one.target, two.target) << mnemonic(one.op);
    ASSERT_EQ(one.low, two.low);
    ASSERT_EQ(one.cases, two.cases);
    ASSERT_EQ(quick.position(), slow.position());
  }
  EXPECT_GT(read, 50000);
}

}  // namespace
}  // namespace rejig::classfile
