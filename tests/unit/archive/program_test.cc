// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "classfile/program/program.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using classfile::Program;
using classfile::ProgramFile;
using classfile::ProgramOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ZipItem file(const std::string& name, const std::string& content) {
  return zip_item(name, content, true);
}
ZipItem manifest(const std::string& lines) {
  return file("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n" + lines + "\n");
}

struct Loaded {
  base::Diagnostics diagnostics;
  Program program;

  explicit Loaded(const std::vector<std::string>& roots,
                  const ProgramOptions& options = {}) {
    auto loaded = Program::load(roots, options, diagnostics);
    if (!loaded.ok()) throw std::runtime_error(loaded.error().message());
    program = std::move(loaded).value();
  }
  std::string content(const std::string& name) const {
    const ProgramFile* const cls = program.find_class(name);
    return cls == nullptr ? "not found" : text(*cls);
  }
  std::string text(const ProgramFile& one) const {
    base::Buffer buffer;
    const auto bytes = program.read(one, buffer);
    return bytes.ok() ? text_of(*bytes) : bytes.error().message();
  }
  std::vector<std::string> lines(std::span<const ProgramFile> files) const {
    std::vector<std::string> out;
    for (const ProgramFile& one : files) {
      out.push_back(std::string(one.name) + "=" + text(one));
    }
    return out;
  }
  std::vector<std::string> root_names() const {
    std::vector<std::string> out;
    for (const auto& root : program.roots()) {
      out.push_back(std::filesystem::path(root->path()).filename().string());
    }
    return out;
  }
};

std::string failure(const std::vector<std::string>& roots) {
  base::Diagnostics ignored;
  const auto loaded = Program::load(roots, {}, ignored);
  return loaded.ok() ? "" : loaded.error().message();
}

TEST(Program, TheFirstRootWinsAndTheOthersAreKept) {
  const TempFolder folder;
  const std::string a = folder.write(
      "a.jar", make_zip({file("x/A.class", "A of a"), file("r", "r of a")}));
  const std::string b = folder.write(
      "b.jar", make_zip({file("x/A.class", "A of b"), file("x/B.class", "B"),
                         file("r", "r of b")}));
  const Loaded ab({a, b});
  EXPECT_THAT(ab.lines(ab.program.classes()),
              ElementsAre("x/A=A of a", "x/B=B"));
  EXPECT_THAT(ab.lines(ab.program.shadowed()), ElementsAre("x/A=A of b"));
  EXPECT_THAT(ab.lines(ab.program.resources()),
              ElementsAre("r=r of a", "r=r of b"));
  const Loaded ba({b, a});
  EXPECT_EQ(ba.content("x/A"), "A of b");
  EXPECT_EQ(ba.content("x/Z"), "not found");
}

TEST(Program, ClassesAreSortedByNameNotByPath) {
  const TempFolder folder;
  const Loaded p({folder.write(
      "a.jar", make_zip({file("x/A.class", "1"), file("x/A$B.class", "2"),
                         file("x/A-.class", "3")}))});
  EXPECT_THAT(p.lines(p.program.classes()),
              ElementsAre("x/A=1", "x/A$B=2", "x/A-=3"));
  EXPECT_EQ(p.content("x/A"), "1");
  EXPECT_EQ(p.content("x/A$B"), "2");
}

TEST(Program, DuplicatesVersionsModuleInfoAndResources) {
  const TempFolder folder;
  const std::string jar = folder.write(
      "a.jar", make_zip({manifest("Multi-Release: true\n"),
                         file("x/A.class", "base"), file("x/A.class", "last"),
                         file("META-INF/versions/11/x/A.class", "11"),
                         file("META-INF/versions/21/x/A.class", "21"),
                         file("META-INF/versions/11/r", "r of 11"),
                         file("r", "r"), file("module-info.class", "m"),
                         file("META-INF/services/x.S", "x.A\n"),
                         file("META-INF/X.SF", "sig")}));
  ProgramOptions ten;
  ten.release = 10;
  EXPECT_EQ(Loaded({jar}, ten).content("x/A"), "last");
  const Loaded p({jar});
  EXPECT_EQ(p.content("x/A"), "11");
  EXPECT_THAT(p.lines(p.program.shadowed()), ElementsAre("x/A=last"));
  EXPECT_THAT(p.lines(p.program.resources()),
              ElementsAre("META-INF/MANIFEST.MF=Manifest-Version: 1.0\n"
                          "Multi-Release: true\n\n",
                          "META-INF/X.SF=sig", "META-INF/services/x.S=x.A\n",
                          "META-INF/versions/21/x/A.class=21",
                          "module-info.class=m", "r=r of 11"));
  ProgramOptions twenty_one;
  twenty_one.release = 21;
  EXPECT_EQ(Loaded({jar}, twenty_one).content("x/A"), "21");
}

TEST(Program, SpringBootJarsInTheOrderOfTheirIndex) {
  const TempFolder folder;
  const auto lib = [](const std::string& content) {
    return make_zip({file("x/L.class", content)});
  };
  std::vector<ZipItem> items = {
      file("BOOT-INF/classes/x/App.class", "app"),
      file("BOOT-INF/lib/a.jar", lib("from a")),
      file("BOOT-INF/lib/b.jar", lib("from b")),
      file("org/springframework/boot/loader/Launcher.class", "boot")};
  const Loaded plain({folder.write("plain.jar", make_zip(items))});
  EXPECT_EQ(plain.content("x/App"), "app");
  EXPECT_EQ(plain.content("x/L"), "from a");
  EXPECT_EQ(plain.content("org/springframework/boot/loader/Launcher"), "boot");
  items.push_back(file("BOOT-INF/classpath.idx",
                       "- \"BOOT-INF/lib/b.jar\"\n- \"BOOT-INF/lib/a.jar\"\n"));
  const Loaded indexed({folder.write("indexed.jar", make_zip(items))});
  EXPECT_EQ(indexed.content("x/L"), "from b");
}

TEST(Program, ClassPathOfTheManifestIsFollowedInPlace) {
  const TempFolder folder;
  folder.write("lib/b.jar", make_zip({manifest("Class-Path: c.jar ../a.jar\n"),
                                      file("x/A.class", "b")}));
  folder.write("lib/c.jar", make_zip({file("x/C.class", "c")}));
  folder.write("lib/dir/x/D.class", "d");
  folder.write("lib/with blank.jar", make_zip({file("x/E.class", "e")}));
  const std::string a = folder.write(
      "a.jar",
      make_zip({manifest("Class-Path: lib/b.jar missing.jar lib/dir/ lib/dir ht"
                         "\n tp://h/x.jar lib/with%20blank.jar\n"),
                file("x/A.class", "a")}));
  const std::string z =
      folder.write("z.jar", make_zip({file("x/C.class", "z")}));
  const Loaded p({a, z});
  EXPECT_THAT(p.root_names(), ElementsAre("a.jar", "b.jar", "c.jar", "dir",
                                          "with blank.jar", "z.jar"));
  EXPECT_EQ(p.content("x/A"), "a");
  EXPECT_EQ(p.content("x/C"), "c");
  EXPECT_EQ(p.content("x/D"), "d");
  EXPECT_EQ(p.content("x/E"), "e");
  EXPECT_THAT(lines_of(p.diagnostics), HasSubstr("missing.jar"));
  EXPECT_THAT(lines_of(p.diagnostics), HasSubstr("http://h/x.jar"));
  ProgramOptions alone;
  alone.follow_class_path = false;
  EXPECT_THAT(Loaded({a}, alone).root_names(), ElementsAre("a.jar"));
}

TEST(Program, PathLists) {
  const TempFolder folder;
  folder.write("lib/b.jar", make_zip({}));
  folder.write("lib/a.JAR", make_zip({}));
  folder.write("lib/c.Jar", "");
  folder.write("lib/d.zip", "");
  folder.write("lib/sub/e.jar", "");
  const std::string lib = folder / "lib";
  EXPECT_THAT(Program::split_path_list("x.jar:" + lib + "/*:y"),
              ElementsAre("x.jar", lib + "/a.JAR", lib + "/b.jar", "y"));
  EXPECT_THAT(Program::split_path_list(lib + "/sub*"),
              ElementsAre(lib + "/sub*"));
  EXPECT_THAT(Program::split_path_list(""), IsEmpty());
  EXPECT_THAT(Program::split_path_list("a::b"), ElementsAre("a", ".", "b"));
  std::filesystem::create_directory(folder / "none");
  EXPECT_THAT(Program::split_path_list((folder / "none") + "/*"),
              ElementsAre((folder / "none") + "/*"));
  EXPECT_EQ(failure({(folder / "none") + "/*"}), "");
  EXPECT_THAT(failure({folder / "nowhere.jar"}), HasSubstr("No such file"));
  EXPECT_THAT(failure({(folder / "nowhere") + "/*"}),
              HasSubstr("No such file"));
}

TEST(Program, AJdkHomeStandsForItsModules) {
  const TempFolder folder;
  folder.write("jdk/release", "JAVA_VERSION=\"8\"\n");
  folder.write("jdk/jre/lib/rt.jar",
               make_zip({file("java/lang/Object.class", "O")}));
  folder.write("jdk/jre/lib/jce.jar", make_zip({file("javax/A.class", "J")}));
  const Loaded eight({folder / "jdk"});
  EXPECT_THAT(eight.root_names(), ElementsAre("rt.jar", "jce.jar"));
  ZipLayout jmod;
  jmod.prefix = std::string("JM\1\0", 4);
  folder.write("nine/release", "");
  folder.write("nine/jmods/java.base.jmod",
               make_zip({file("classes/java/lang/Object.class", "9")}, jmod));
  EXPECT_EQ(Loaded({folder / "nine"}).content("java/lang/Object"), "9");
}

TEST(Program, KnownEqualRestsOnBytesNotOnTheChecksum) {
  const TempFolder folder;
  const auto load = [&](const std::string& name, const std::string& content,
                        std::optional<std::uint32_t> crc, bool deflated) {
    ZipItem item = file("A.class", content);
    item.deflated = deflated;
    item.crc = crc;
    return Loaded({folder.write(name, make_zip({item}))});
  };
  const auto equal = [](const Loaded& a, const Loaded& b) {
    return known_equal(a.program, a.program.classes()[0], b.program,
                       b.program.classes()[0]);
  };
  const std::string text(1000, 'a');
  const Loaded a = load("a.jar", text, std::nullopt, true);
  EXPECT_TRUE(equal(a, a));
  EXPECT_TRUE(equal(a, load("b.jar", text, std::nullopt, true)));
  EXPECT_FALSE(equal(a, load("c.jar", text, std::nullopt, false)));
  EXPECT_FALSE(equal(a, load("d.jar", text, 1, true)));
  // Same name, method, sizes and CRC field, other bytes.
  const std::string other = std::string(999, 'a') + "b";
  EXPECT_FALSE(
      equal(load("e.jar", text, 7, false), load("f.jar", other, 7, false)));
}

TEST(Program, WrongChecksumsAreReportedOnce) {
  const TempFolder folder;
  ZipItem item = file("A.class", "text");
  item.crc = 1;
  const Loaded p({folder.write("a.jar", make_zip({item}))});
  EXPECT_EQ(p.content("A"), "text");
  EXPECT_EQ(p.content("A"), "text");
  base::Diagnostics diagnostics;
  p.program.report(diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_THAT(lines_of(diagnostics), HasSubstr("a.jar!/A.class: the CRC-32"));
}

}  // namespace
}  // namespace rejig::test
