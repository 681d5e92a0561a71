// SPDX-License-Identifier: Apache-2.0
// Class files that no compiler writes and a JVM takes: what it makes of them is
// asked of a real one, and a difference must be an edge by both ways.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "classfile/program/program.h"
#include "tests/support/class_builder.h"
#include "tests/unit/traversal/worlds.h"
#include "traversal/compare.h"
#include "traversal/walk/walk.h"

namespace rejig::test {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  char text[512];
  while (std::fgets(text, sizeof text, pipe) != nullptr) out += text;
  ::pclose(pipe);
  return out;
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// The rules and entities that one way finds.
using Found = std::set<std::string>;

Found edges_by(bool walk, const fs::path& root, bool facets = false) {
  base::Diagnostics diagnostics;
  const auto load = [&](const fs::path& path) {
    auto program = classfile::Program::load({path.string()}, {}, diagnostics);
    EXPECT_TRUE(program.ok()) << path;
    return std::move(program).value();
  };
  const auto olds = load(root / "old");
  const auto news = load(root / "new");
  traversal::CompareInputs inputs;
  inputs.old_internal = &olds;
  inputs.new_internal = &news;
  inputs.old_release = inputs.new_release = 17;
  const auto answer =
      walk ? traversal::compare_by_walk(inputs) : traversal::compare(inputs);
  EXPECT_TRUE(answer.ok());
  Found out;
  for (const auto& edge : facets ? answer->facets : answer->edges) {
    out.insert(std::string(classfile::name_of(edge.rule)) + " " + edge.entity);
  }
  return out;
}

class OddClasses : public ::testing::Test {
 protected:
  void compile(const std::string& name, const std::string& source,
               const std::string& into) {
    const fs::path path = root_.path() / "src" / into / (name + ".java");
    write(path, source);
    const std::string said = output_of(
        javac17(17) + " -nowarn -d '" + (root_.path() / into).string() +
        "' -cp '" + (root_.path() / into).string() + "' '" + path.string() +
        "'");
    ASSERT_EQ(said.find("error:"), std::string::npos) << said;
  }
  std::string run(const std::string& version, const std::string& main) {
    return output_of(jdk17() + "/bin/java -Xshare:auto -cp '" +
                     (root_.path() / version).string() + "' " + main);
  }
  void expect_edge(const std::string& edge) {
    for (const bool walk : {false, true}) {
      EXPECT_TRUE(edges_by(walk, root_.path()).contains(edge))
          << edge << (walk ? " by walking" : "");
    }
  }

  Scratch root_;
};

constexpr const char* kAnnotation =
    "package p; import java.lang.annotation.*;\n"
    "@Retention(RetentionPolicy.RUNTIME) public @interface An {\n"
    "  int v() default 0; An2[] in() default {}; }\n"
    "@Retention(RetentionPolicy.RUNTIME) @interface An2 { Class<?>[] c() "
    "default {}; }\n";
constexpr const char* kShow =
    "package p; public class Show { public static void main(String[] a) {\n"
    "  System.out.println(A.class.getAnnotation(An.class).v()); } }\n";

// `@An(v = VALUE)`, and something behind it.
std::string annotated(int value, const std::string& trailing) {
  ClassBuilder c("p/A");
  Out content;
  content.u2(1).u2(c.utf8("Lp/An;")).u2(1).u2(c.utf8("v")).u1('I').u2(
      c.integer(value));
  content.raw(trailing);
  c.add_attribute("RuntimeVisibleAnnotations", content);
  return c.build();
}

TEST_F(OddClasses, AByteBehindAnnotations) {
  for (const std::string version : {"old", "new"}) {
    compile("An", kAnnotation, version);
    write(root_.path() / version / "p" / "A.class",
          annotated(version == "old" ? 1 : 2, std::string(1, '\0')));
    compile("Show", kShow, version);
  }
  EXPECT_EQ(run("old", "p.Show"), "1\n");
  EXPECT_EQ(run("new", "p.Show"), "2\n");
  expect_edge("D16 p.A");
}

// Arrays in each other, deeper than we follow them. The JVM reads `v` before it
// comes there.
TEST_F(OddClasses, AnnotationsNestedDeeperThanWeRead) {
  const auto nested = [](int value) {
    ClassBuilder c("p/A");
    Out content;
    content.u2(1).u2(c.utf8("Lp/An;")).u2(2).u2(c.utf8("v")).u1('I').u2(
        c.integer(value));
    content.u2(c.utf8("unknown"));
    for (int i = 0; i < 1200; ++i) content.u1('[').u2(1);
    content.u1('I').u2(c.integer(5));
    c.add_attribute("RuntimeVisibleAnnotations", content);
    return c.build();
  };
  for (const std::string version : {"old", "new"}) {
    compile("An", kAnnotation, version);
    // javac does not read the nested one either.
    write(root_.path() / version / "p" / "A.class", annotated(0, ""));
    compile("Show", kShow, version);
    write(root_.path() / version / "p" / "A.class",
          nested(version == "old" ? 1 : 2));
  }
  EXPECT_EQ(run("old", "p.Show"), "1\n");
  EXPECT_EQ(run("new", "p.Show"), "2\n");
  expect_edge("D16 p.A");
}

// `new Lib$2` in a class that the compiler of Lib has never seen.
std::string client() {
  ClassBuilder c("p/Client");
  const unsigned made = c.cls("p/Lib$2");
  const unsigned init = c.method("p/Lib$2", "<init>", "()V");
  const unsigned call =
      c.interface_method("java/lang/Runnable", "run", "()V");
  c.add_code(Out{0xbb}.u2(made).u1(0x59).u1(0xb7).u2(init).u1(0xb9).u2(call)
                 .u1(1)
                 .u1(0)
                 .u1(0xb1),
             2, 1, {}, {}, "main", "([Ljava/lang/String;)V");
  return c.build();
}

TEST_F(OddClasses, SomebodyOutsideNamesAnAnonymousClass) {
  const std::string one =
      "static Runnable a() { return new Runnable() { public void run() { "
      "System.out.println(\"a\"); } }; }\n";
  const std::string two =
      "static Runnable b() { return new Runnable() { public void run() { "
      "System.out.println(\"b\"); } }; }\n";
  compile("Lib", "package p; class Lib {" + one + two + "}", "old");
  compile("Lib", "package p; class Lib {" + two + one + "}", "new");
  for (const std::string version : {"old", "new"}) {
    write(root_.path() / version / "p" / "Client.class", client());
  }
  EXPECT_EQ(run("old", "p.Client"), "b\n");
  EXPECT_EQ(run("new", "p.Client"), "a\n");
  expect_edge("D1 p.Client.main([Ljava/lang/String;)V");
}

// Nobody names it any more, and the client did not change.
TEST_F(OddClasses, SomebodyOutsideNamesAnAnonymousClassThatIsGone) {
  const std::string one =
      "static Runnable a() { return new Runnable() { public void run() { "
      "System.out.println(\"a\"); } }; }\n";
  const std::string two =
      "static Runnable b() { return new Runnable() { public void run() { "
      "System.out.println(\"b\"); } }; }\n";
  compile("Lib", "package p; class Lib {" + one + two + "}", "old");
  compile("Lib", "package p; class Lib {" + two + "}", "new");
  for (const std::string version : {"old", "new"}) {
    write(root_.path() / version / "p" / "Client.class", client());
  }
  EXPECT_EQ(run("old", "p.Client"), "b\n");
  EXPECT_NE(run("new", "p.Client").find("NoClassDefFoundError"),
            std::string::npos);
  expect_edge("D1 p.Client.main([Ljava/lang/String;)V");
}

// A method that nobody calls makes its class unusable: who verifies it loads a
// class that is not there. `asks` is the version that has it.
class AbsentClasses : public OddClasses {
 protected:
  void expect_edge_of(const std::string& asks, char major) {
    const std::string missing =
        "package p; public class Missing extends java.io.InputStream { public "
        "int read() { return -1; } }";
    const std::string body = "static int f() { return 1; } static Object take("
                             "java.io.InputStream s) { return s; }";
    for (const std::string version : {"old", "new"}) {
      compile("Missing", missing, version);
      compile("Opt", "package p; public class Opt extends Missing { }", version);
      compile("C",
              "package p; class C { " + body +
                  (version == asks
                       ? "static Object h(Opt o) { return take(o); } }"
                       : "}"),
              version);
      compile("T",
              "package p; class T { public static void main(String[] a) { "
              "System.out.println(C.f()); } }",
              version);
      fs::remove(root_.path() / version / "p" / "Missing.class");
      std::fstream file(root_.path() / version / "p" / "C.class",
                        std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(7);
      file.put(major);
    }
    EXPECT_EQ(run(asks == "old" ? "new" : "old", "p.T"), "1\n");
    EXPECT_NE(run(asks, "p.T").find("NoClassDefFoundError: p/Missing"),
              std::string::npos);
    expect_edge("D14 p.C");
  }
};

TEST_F(AbsentClasses, ANewMethodAsksForOne) { expect_edge_of("new", 61); }

TEST_F(AbsentClasses, AMethodThatIsGoneAskedForOne) { expect_edge_of("old", 61); }

// The verifier before version 51 infers what it compares.
TEST_F(AbsentClasses, ANewMethodAsksByInference) {
  expect_edge_of("new", 49);
}

TEST_F(AbsentClasses, AMethodThatIsGoneAskedByInference) {
  expect_edge_of("old", 49);
}

// Resolving a handle asks whether its types can be named from there; the class
// has no call sites whose types are looked at anyway.
TEST_F(OddClasses, AHandleOfATypeThatIsPublicNow) {
  ClassBuilder c("p/U");
  c.version(55);
  Out code = Out{0x13}.u2(c.handle(6, c.method("q/C", "m", "(Lq/D;)V")));
  c.add_method(9, "f", "()V", {c.code(1, 0, code.u1(0x57).u1(0xb1))});
  const std::string user = c.build();
  for (const std::string version : {"old", "new"}) {
    const std::string access = version == "old" ? "" : "public ";
    compile("D", "package q; " + access + "class D { }", version);
    compile("C", "package q; public class C { public static void m(D d) { } }",
            version);
    write(root_.path() / version / "p" / "U.class", user);
    compile("T",
            "package p; class T { public static void main(String[] a) { "
            "U.f(); System.out.println(1); } }",
            version);
  }
  EXPECT_NE(run("old", "p.T").find("IllegalAccessError"), std::string::npos);
  EXPECT_EQ(run("new", "p.T"), "1\n");
  expect_edge("D6 p.U.f()V");
}

// As scala-library 3.8.0 has them.
TEST_F(OddClasses, AConstructorThatCallsNoOther) {
  const auto made = [](bool calls) {
    ClassBuilder c("p/A");
    c.version(61);
    Out code;
    if (calls) {
      code.u1(0x2a).u1(0xb7).u2(c.method("java/lang/Object", "<init>", "()V"));
    }
    c.add_method(1, "<init>", "()V", {c.code(1, 1, code.u1(0xb1))});
    c.add_method(9, "f", "()I", {c.code(1, 0, Out{4, 0xac})});
    return c.build();
  };
  for (const std::string version : {"old", "new"}) {
    write(root_.path() / version / "p" / "A.class", made(true));
    compile("T",
            "package p; class T { public static void main(String[] a) { "
            "System.out.println(A.f()); } }",
            version);
    write(root_.path() / version / "p" / "A.class", made(version == "old"));
  }
  EXPECT_EQ(run("old", "p.T"), "1\n");
  EXPECT_NE(run("new", "p.T").find("VerifyError"), std::string::npos);
  expect_edge("D14 p.A");
}

// An accessor does what it did, and nobody may call it.
TEST_F(OddClasses, AnAccessorThatIsPrivateNow) {
  const auto made = [](unsigned flags) {
    ClassBuilder c("p/B");
    c.add_field(0x000a, "z", "I");
    Out code = Out{0xb2}.u2(c.field("p/B", "z", "I")).u1(0xac);
    c.add_method(flags, "access$000", "()I", {c.code(1, 0, code)});
    return c.build();
  };
  for (const std::string version : {"old", "new"}) {
    ClassBuilder c("p/C");
    c.add_code(Out{0xb8}.u2(c.method("p/B", "access$000", "()I")).u1(0xac), 1,
               0, {}, {}, "f", "()I");
    write(root_.path() / version / "p" / "C.class", c.build());
    write(root_.path() / version / "p" / "B.class",
          made(version == "old" ? 0x1008 : 0x100a));
    compile("T",
            "package p; class T { public static void main(String[] a) { "
            "System.out.println(C.f()); } }",
            version);
  }
  EXPECT_EQ(run("old", "p.T"), "0\n");
  EXPECT_NE(run("new", "p.T").find("IllegalAccessError"), std::string::npos);
  expect_edge("D1 p.C.f()I");
}

// Code that was well typed in an instance method.
TEST_F(OddClasses, AMethodThatIsStaticNow) {
  const auto made = [](unsigned flags) {
    ClassBuilder c("p/A");
    c.version(61);
    c.add_method(flags, "g", "(I)I", {c.code(1, 2, Out{0x1b, 0xac})});
    c.add_method(9, "f", "()I", {c.code(1, 0, Out{4, 0xac})});
    return c.build();
  };
  for (const std::string version : {"old", "new"}) {
    write(root_.path() / version / "p" / "A.class",
          made(version == "old" ? 1 : 9));
    compile("T",
            "package p; class T { public static void main(String[] a) { "
            "System.out.println(A.f()); } }",
            version);
  }
  EXPECT_EQ(run("old", "p.T"), "1\n");
  EXPECT_NE(run("new", "p.T").find("VerifyError"), std::string::npos);
  expect_edge("D14 p.A");
}

// What only names no numbers is not asked: its edges are those of the structure.
TEST_F(OddClasses, RenumberedClassesThatNobodyNames) {
  const std::string one =
      "static Runnable a() { return new Runnable() { public void run() { "
      "System.out.println(\"a\"); } }; }\n";
  const std::string two =
      "static Runnable b() { return new Runnable() { public void run() { "
      "System.out.println(\"b\"); } }; }\n";
  compile("Lib", "package p; class Lib {" + one + two + "}", "old");
  compile("Lib", "package p; class Lib {" + two + one + "}", "new");
  for (const std::string version : {"old", "new"}) {
    compile("User",
            "package p; class User { void use() { Lib.b().run(); } }",
            version);
  }
  for (const bool walk : {false, true}) {
    for (const auto& edge : edges_by(walk, root_.path())) {
      EXPECT_EQ(edge.find("User"), std::string::npos) << edge;
      EXPECT_FALSE(edge.starts_with("D1 ")) << edge;
    }
  }
}

}  // namespace
}  // namespace rejig::test
