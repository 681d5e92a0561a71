// SPDX-License-Identifier: Apache-2.0
// What a dynamic constant refers to is asked at every place that loads it, and
// of the constants that make it however deep they lie.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/class_builder.h"
#include "tests/unit/traversal/worlds.h"

namespace rejig::test {
namespace {

constexpr unsigned kInvokeStatic = 6;
constexpr const char* kBoot =
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
    "Ljava/lang/Class;)Ljava/lang/Object;";

void write(const std::filesystem::path& root, const char* name,
           const std::string& bytes) {
  const auto file = root / (std::string(name) + ".class");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string boots(const char* name, bool has_boot) {
  ClassBuilder b(name);
  b.version(55);
  if (has_boot) b.add_code(Out{0x01, 0xb0}, 1, 3, {}, {}, "boot", kBoot);
  return b.build();
}

// Two methods load the same constant, a third one a chain of constants whose
// last one is made by p.L.
std::string user(unsigned chain) {
  ClassBuilder b("p/T");
  b.version(55);
  const unsigned by_k = b.handle(kInvokeStatic, b.method("p/K", "boot", kBoot));
  const unsigned by_l = b.handle(kInvokeStatic, b.method("p/L", "boot", kBoot));
  const unsigned by_other =
      b.handle(kInvokeStatic, b.method("p/M", "boot", kBoot));
  Out table;
  table.u2(chain + 2);
  table.u2(by_k).u2(0);
  const unsigned shared = b.dynamic(0, "shared", "Ljava/lang/Object;");
  unsigned last = 0;
  for (unsigned i = 0; i <= chain; ++i) {
    table.u2(i == 0 ? by_l : by_other);
    if (i == 0) {
      table.u2(0);
    } else {
      table.u2(1).u2(last);
    }
    last = b.dynamic(i + 1, "link", "Ljava/lang/Object;");
  }
  b.add_attribute("BootstrapMethods", table);
  const auto load = [](unsigned index) {
    return Out{0x13}.u2(index).u1(0x57).u1(0xb1);  // ldc_w, pop, return
  };
  b.add_code(load(shared), 1, 0, {}, {}, "one", "()V");
  b.add_code(load(shared), 1, 0, {}, {}, "two", "()V");
  b.add_code(load(last), 1, 0, {}, {}, "deep", "()V");
  return b.build();
}

TEST(CondyReferences, AreAskedEverywhere) {
  const Scratch scratch;
  for (const char* version : {"old", "new"}) {
    const auto root = scratch.path() / version;
    const bool old = std::string_view(version) == "old";
    write(root, "p/T", user(100));
    write(root, "p/K", boots("p/K", old));
    write(root, "p/L", boots("p/L", old));
    write(root, "p/M", boots("p/M", true));
  }
  auto edges = edges_of(scratch.path() / "old", scratch.path() / "new");
  for (const char* method : {"one", "two", "deep"}) {
    EXPECT_TRUE(edges["p"].contains("D4 T." + std::string(method) + "()V"))
        << method;
  }
}

}  // namespace
}  // namespace rejig::test
