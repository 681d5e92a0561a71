// SPDX-License-Identifier: Apache-2.0
// The array of an enum's constants: made in <clinit> or by $values(), the same
// program. Byte by byte, since no compiler that is here writes the first form.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/class_builder.h"
#include "tests/unit/traversal/worlds.h"

namespace rejig::test {
namespace {

namespace fs = std::filesystem;

constexpr int iconst_0 = 3, aastore = 83, dup = 89, return_ = 177,
              areturn = 176, getstatic = 178, putstatic = 179,
              invokestatic = 184, anewarray = 189;
constexpr unsigned kHelper = 0x100a;  // private static synthetic

struct Enum {
  bool helper = false;
  unsigned helper_access = kHelper;
  std::vector<std::string> constants = {"A", "B"};
  bool called_elsewhere = false;
  bool handler = false;
};

Out array(ClassBuilder& b, const std::vector<std::string>& constants) {
  Out o;
  o.u1(iconst_0 + static_cast<unsigned>(constants.size()));
  o.u1(anewarray).u2(b.cls("t/T"));
  for (std::size_t i = 0; i < constants.size(); ++i) {
    o.u1(dup).u1(iconst_0 + static_cast<unsigned>(i));
    o.u1(getstatic).u2(b.field("t/T", constants[i], "Lt/T;")).u1(aastore);
  }
  return o;
}

void write(const fs::path& root, const Enum& e) {
  ClassBuilder b("t/T");
  b.version(49);
  for (const char* name : {"A", "B", "C"}) b.add_field(0x0019, name, "Lt/T;");
  b.add_field(0x101a, "$VALUES", "[Lt/T;");
  const Out call = Out{invokestatic}.u2(b.method("t/T", "$values", "()[Lt/T;"));
  Out clinit;
  clinit.raw(e.helper ? call : array(b, e.constants));
  clinit.u1(putstatic).u2(b.field("t/T", "$VALUES", "[Lt/T;")).u1(return_);
  std::vector<BuiltHandler> handlers;
  if (e.handler) {
    handlers = {{0, static_cast<unsigned>(clinit.size()) - 1,
                 static_cast<unsigned>(clinit.size()), 0}};
    clinit.u1(87).u1(return_);  // pop
  }
  b.add_method(0x0008, "<clinit>", "()V", {b.code(8, 0, clinit, handlers)});
  if (e.helper) {
    b.add_method(e.helper_access, "$values", "()[Lt/T;",
                 {b.code(8, 0, array(b, e.constants).u1(areturn))});
  }
  Out f;
  f.raw(e.called_elsewhere ? call : Out{1}).u1(areturn);  // aconst_null
  b.add_method(0x0009, "f", "()[Lt/T;", {b.code(8, 0, f)});
  fs::create_directories(root / "t");
  std::ofstream(root / "t" / "T.class", std::ios::binary) << b.build();
}

Edges edges(const Enum& a, const Enum& b) {
  const Scratch scratch;
  write(scratch.path() / "old", a);
  write(scratch.path() / "new", b);
  Edges found = edges_of(scratch.path() / "old", scratch.path() / "new")["t"];
  std::erase_if(
      found, [](const std::string& edge) { return edge.starts_with("D16 "); });
  return found;
}

const Edges kInitializer{"D2 T.<clinit>()V"};

TEST(EnumValues, OneProgramInBothForms) {
  Enum inlined;
  Enum method;
  method.helper = true;
  EXPECT_EQ(edges(inlined, method), Edges{});
  EXPECT_EQ(edges(method, inlined), Edges{});
  inlined.handler = method.handler = true;
  EXPECT_EQ(edges(inlined, method), Edges{});
  EXPECT_EQ(edges(method, inlined), Edges{});
}

TEST(EnumValues, OtherConstants) {
  Enum inlined;
  Enum method;
  method.helper = true;
  Enum other = method;
  for (const auto& constants : std::vector<std::vector<std::string>>{
           {"B", "A"}, {"A"}, {"A", "B", "C"}, {"A", "C"}}) {
    other.constants = constants;
    EXPECT_EQ(edges(inlined, other), kInitializer);
    // Whoever ran the method, and whoever needs the class initialized.
    EXPECT_EQ(edges(method, other),
              (Edges{"D1 T.$values()[Lt/T;", "D2 T.<clinit>()V"}));
    Enum plain = inlined;
    plain.constants = constants;
    EXPECT_EQ(edges(method, plain),
              (Edges{"D1 T.$values()[Lt/T;", "D2 T.<clinit>()V"}));
  }
}

TEST(EnumValues, OnlyWhatJavacWrites) {
  Enum inlined;
  Enum method;
  method.helper = true;
  Enum by_hand = method;
  by_hand.helper_access = 0x000a;
  EXPECT_EQ(edges(inlined, by_hand), kInitializer);
  Enum shared = method;
  shared.called_elsewhere = true;
  inlined.called_elsewhere = true;
  EXPECT_EQ(edges(inlined, shared).contains("D2 T.<clinit>()V"), true);
}

}  // namespace
}  // namespace rejig::test
