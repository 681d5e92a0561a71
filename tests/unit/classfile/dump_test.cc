// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "classfile/dump/dump.h"
#include "classfile/dump/ordered_output.h"
#include "classfile/reader/class_view.h"
#include "tests/support/class_builder.h"

namespace rejig::classfile {
namespace {

using test::ClassBuilder;
using test::ExactBytes;
using test::Out;

std::string dumped(ClassBuilder& b, DumpType type) {
  const ExactBytes bytes(b.build());
  const auto cls = ClassView::parse(bytes.get(), "T.class");
  if (!cls.ok()) return cls.error().message();
  DumpTypes types;
  types.set(type);
  std::string out;
  dump_class(out, *cls, "T.class", true, types);
  return out;
}

TEST(Dump, ClassFieldAndMethodLines) {
  ClassBuilder b("a/T");
  b.interface("a/I").add_attribute("SourceFile", Out().u2(b.utf8("T.java")));
  b.add_field(0x19, "f\"", "J",
              {b.attribute("ConstantValue", Out().u2(b.long_value(-1)))});
  b.add_method(0x401, "n", "()V");
  b.access(0x421);
  b.add_code(Out{0x1A, 0x99, 0, 3, 0xB1}, 1, 1, {{0, 5, 4, 0}},
             {b.attribute("LineNumberTable",
                          Out().u2(2).u2(0).u2(9).u2(4).u2(7))},
             "m", "(I)V");
  EXPECT_EQ(dumped(b, DumpType::kClass),
            "{\"type\":\"class\",\"in\":\"T.class\",\"name\":\"a/T\",\"super\":"
            "\"java/lang/Object\",\"interfaces\":[\"a/I\"],\"access\":1057,"
            "\"major\":52,\"minor\":0,\"source\":\"T.java\",\"used\":true}\n");
  EXPECT_EQ(dumped(b, DumpType::kField),
            "{\"type\":\"field\",\"in\":\"T.class\",\"name\":\"f\\\"\",\"desc\":"
            "\"J\",\"access\":25,\"value\":{\"long\":\"-1\"}}\n");
  EXPECT_EQ(
      dumped(b, DumpType::kMethod),
      "{\"type\":\"method\",\"in\":\"T.class\",\"name\":\"n\",\"desc\":\"()V\","
      "\"access\":1025,\"insns\":null,\"jumps\":null,\"targets\":null,"
      "\"handlers\":null,\"first\":null,\"last\":null}\n"
      "{\"type\":\"method\",\"in\":\"T.class\",\"name\":\"m\",\"desc\":"
      "\"(I)V\",\"access\":9,\"insns\":3,\"jumps\":1,\"targets\":1,"
      "\"handlers\":1,\"first\":7,\"last\":9}\n");
  EXPECT_EQ(dumped(b, DumpType::kHandler),
            "{\"type\":\"handler\",\"in\":\"T.class\",\"method\":\"m(I)V\","
            "\"n\":0,\"from\":0,\"to\":5,\"at\":4,\"catch\":null}\n");
  EXPECT_EQ(dumped(b, DumpType::kInsn),
            "{\"type\":\"insn\",\"in\":\"T.class\",\"method\":\"m(I)V\",\"pc\":"
            "0,\"op\":\"iload\",\"args\":[0]}\n"
            "{\"type\":\"insn\",\"in\":\"T.class\",\"method\":\"m(I)V\",\"pc\":"
            "1,\"op\":\"ifeq\",\"args\":[4]}\n"
            "{\"type\":\"insn\",\"in\":\"T.class\",\"method\":\"m(I)V\",\"pc\":"
            "4,\"op\":\"return\",\"args\":[]}\n");
}

TEST(Dump, ReferencesOfInstructions) {
  ClassBuilder b;
  b.version(55);
  const unsigned boot = b.handle(6, b.method("B", "boot", "()V"));
  b.add_attribute("BootstrapMethods",
                  Out().u2(1).u2(boot).u2(1).u2(b.method_type("()V")));
  Out code;
  code.u1(0xB2).u2(b.field("A", "f", "I"));
  code.u1(0xB8).u2(b.interface_method("I", "s", "()V"));
  code.u1(0xBA).u2(b.invoke_dynamic(0, "run", "()V")).u2(0);
  code.u1(0xC5).u2(b.cls("[[I")).u1(2);
  code.raw(Out{0xBC, 4});
  code.u1(0x12).u1(b.string("\xC0\x80"));
  code.u1(0xB1);
  b.add_code(code);
  EXPECT_EQ(dumped(b, DumpType::kAccess),
            "{\"type\":\"access\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":"
            "0,\"op\":\"getstatic\",\"owner\":\"A\",\"name\":\"f\",\"desc\":"
            "\"I\"}\n");
  EXPECT_EQ(dumped(b, DumpType::kCall),
            "{\"type\":\"call\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":3,"
            "\"op\":\"invokestatic\",\"owner\":\"I\",\"name\":\"s\",\"desc\":"
            "\"()V\",\"itf\":true}\n");
  EXPECT_EQ(dumped(b, DumpType::kIndy),
            "{\"type\":\"indy\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":6,"
            "\"name\":\"run\",\"desc\":\"()V\",\"bsm\":{\"kind\":6,\"owner\":"
            "\"B\",\"name\":\"boot\",\"desc\":\"()V\",\"itf\":false},\"args\":[{"
            "\"mtype\":\"()V\"}]}\n");
  EXPECT_EQ(dumped(b, DumpType::kUse),
            "{\"type\":\"use\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":11,"
            "\"op\":\"multianewarray\",\"of\":\"[[I\",\"dims\":2}\n"
            "{\"type\":\"use\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":15,"
            "\"op\":\"newarray\",\"of\":\"Z\",\"dims\":1}\n");
  EXPECT_EQ(dumped(b, DumpType::kConst),
            "{\"type\":\"const\",\"in\":\"T.class\",\"method\":\"m()V\",\"pc\":"
            "17,\"value\":{\"string\":\"\\u0000\"}}\n");
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1)) {
    ++n;
  }
  return n;
}

// A constant that contains itself twice means a tree without end.
TEST(Dump, CyclicCondysAreBounded) {
  ClassBuilder b;
  b.version(55);
  const unsigned boot = b.handle(6, b.method("B", "boot", "()V"));
  const unsigned condy = b.dynamic(0, "c", "I");
  b.add_attribute("BootstrapMethods",
                  Out().u2(1).u2(boot).u2(2).u2(condy).u2(condy));
  b.add_code(Out{0x13}.u2(condy).u1(0xB1));
  const std::string line = dumped(b, DumpType::kConst);
  EXPECT_EQ(count(line, "\"bsm\":"), 4096u);
  EXPECT_EQ(count(line, "{\"condy\":"), 2 * 4096u + 1);
}

// 131 KB that mean 10 GB: refused, in bounded memory.
TEST(Dump, TextOfAClassIsBounded) {
  ClassBuilder b;
  b.version(55);
  const unsigned boot = b.handle(6, b.method("B", "boot", "()V"));
  const unsigned condy = b.dynamic(0, "c", "I");
  Out table;
  table.u2(1).u2(boot).u2(65535);
  for (int i = 0; i < 65535; ++i) table.u2(condy);
  b.add_attribute("BootstrapMethods", table);
  b.add_code(Out{0x13}.u2(condy).u1(0xB1));
  EXPECT_EQ(dumped(b, DumpType::kConst), "");
}

// Long names on many lines are no lie: groovy-4.0.24 has a class of 300 MB.
TEST(Dump, LongDescriptorsOnManyLinesAreHonest) {
  ClassBuilder b;
  b.version(49);
  std::string descriptor = "(";
  for (int i = 0; i < 255; ++i) descriptor += "Ljava/lang/Object;";
  Out code;
  for (int i = 0; i < 65534; ++i) code.u1(0);
  b.add_code(code.u1(0xB1), 1, 255, {}, {}, "m", descriptor + ")V");
  const std::string lines = dumped(b, DumpType::kInsn);
  EXPECT_EQ(count(lines, "\n"), 65535u);
  EXPECT_GT(lines.size(), std::size_t{256} << 20);
}

TEST(Dump, Globs) {
  EXPECT_TRUE(matches_glob("a.*", "a.b.C"));
  EXPECT_TRUE(matches_glob("*.C", "a.b.C"));
  EXPECT_TRUE(matches_glob("a.?.C", "a.b.C"));
  EXPECT_TRUE(matches_glob("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(matches_glob("a.*", "b.C"));
  EXPECT_FALSE(matches_glob("", "a"));
  EXPECT_TRUE(matches_glob("*", ""));
}

// The whole of a directory, the same at any number of workers.
TEST(Dump, DirectoriesInOneOrder) {
  namespace fs = std::filesystem;
  const fs::path dir =
      fs::temp_directory_path() / ("rejig-dump-" + std::to_string(::getpid()));
  fs::create_directories(dir / "a");
  for (int i = 0; i < 200; ++i) {
    const std::string name = "a/T" + std::to_string(i);
    ClassBuilder b(name);
    b.add_code(Out{0xB1});
    std::string bytes = b.build();
    if (i == 77) bytes.resize(20);
    std::ofstream(dir / (name + ".class"), std::ios::binary) << bytes;
  }
  std::ofstream(dir / "a/readme.txt") << "hello";
  const auto run = [&](unsigned workers) {
    base::Diagnostics diagnostics;
    auto artefact = Artefact::open(dir.string(), diagnostics);
    base::ThreadPool pool(workers);
    std::string out;
    const auto counts =
        dump(**artefact, DumpOptions(), pool,
             [&](std::string_view text) { out += text; }, diagnostics);
    EXPECT_EQ(counts.entries, 201u);
    EXPECT_EQ(counts.class_files, 199u);
    EXPECT_EQ(counts.errors, 1u);
    EXPECT_EQ(diagnostics.items().size(), 1u);
    return out;
  };
  const std::string one = run(1);
  EXPECT_EQ(one, run(4));
  EXPECT_EQ(count(one, "{\"type\":\"error\",\"in\":\"a/T77.class\"}"), 1u);
  EXPECT_EQ(count(one, "\"in\":\"a/T77.class\""), 2u);  // entry and error
  EXPECT_EQ(count(one, "{\"type\":\"entry\",\"in\":\"a/readme.txt\",\"size\":5,"
                       "\"crc\":\"3610a686\",\"found\":true}"),
            1u);
  fs::remove_all(dir);
}

TEST(OrderedOutput, WritesInOrderAndStopsAtAFailure) {
  std::string written;
  OrderedOutput out([&](std::string_view text) { written += text; }, 1 << 20);
  const auto put = [](OrderedOutput& to, std::size_t index, std::string piece) {
    to.put(index, piece);
    EXPECT_EQ(piece, "");
  };
  put(out, 2, "c");
  put(out, 1, "b");
  EXPECT_EQ(written, "");
  // The beginning of a piece is written when it is its turn, and only then.
  std::string begin = "d";
  out.put_begin(3, begin);
  EXPECT_EQ(begin, "d");
  std::string first = "a";
  out.put_begin(0, first);
  EXPECT_EQ(first, "");
  EXPECT_EQ(written, "a");
  put(out, 0, "A");
  EXPECT_EQ(written, "aAbc");
  put(out, 3, begin);
  EXPECT_EQ(written, "aAbcd");

  struct Closed {};
  OrderedOutput closed([](std::string_view) { throw Closed(); }, 1);
  std::thread waiting([&] {
    std::string far = "cc";
    closed.put(2, far);
    far = "dd";
    closed.put(3, far);
  });
  std::string next = "a";
  EXPECT_THROW(closed.put(0, next), Closed);
  waiting.join();
  EXPECT_TRUE(closed.stopped());
}

}  // namespace
}  // namespace rejig::classfile
