// SPDX-License-Identifier: Apache-2.0
// What follows from what a test read, listed and asked for; and whether that is
// still so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "classfile/base/hash.h"
#include "coverage/row/file_state.h"
#include "tests/unit/coverage_rows/jvm.h"

namespace rejig::coverage {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() {
    char name[] = "/tmp/rejig-files-XXXXXX";
    dir_ = ::mkdtemp(name);
    dir_ = fs::canonical(dir_).string();
    write("main/p/A.class", "bytes of A");
    write("main/cases/one.txt", "1");
    write("out.txt", "x");
    jvm_.file().internal_roots = {dir_ + "/main"};
    jvm_.file().sources[7] = "file:" + dir_ + "/main/";
    jvm_.file().environment["user.dir"] = dir_;
    RecordedClass& a = jvm_.cls("p/A");
    a.source = 7;
    a.digest = base::to_hex(base::sha256(std::as_bytes(
        std::span(std::string_view("bytes of A").data(), std::size_t{10}))));
    jvm_.test(3, "p.T#later()");
  }
  ~Files() override { fs::remove_all(dir_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(dir_ + "/" + name).parent_path());
    std::ofstream(dir_ + "/" + name) << text;
  }
  RecordedFact& look(FactKind kind, const std::string& name,
                     std::uint32_t scope = 2) {
    jvm_.work(scope).facts.push_back(jvm_.fact(kind, name));
    return jvm_.file().facts.back();
  }
  Joined joined() {
    for (auto& [number, scope] : jvm_.file().scopes) {
      scope.ended = ~std::uint64_t{0};
    }
    JoinOptions options;
    options.project = dir_;
    return Joined({jvm_.file()}, options);
  }
  Atoms row(const std::string& test = "p.T#x()") {
    return joined().atoms(test);
  }
  std::string state(const std::string& name, Look look) {
    return file_state(dir_ + "/" + name, look, dir_).value_or("?");
  }

  std::string dir_;
  Jvm jvm_;
};

TEST_F(Files, AListedFolderOfTheProgramIsNamedByItsNames) {
  look(FactKind::kFile, dir_ + "/main/cases");
  EXPECT_TRUE(row().contains("res:cases/"));
  EXPECT_TRUE(row().contains("resmiss:cases"));
  EXPECT_FALSE(row("p.T#later()").contains("res:cases/"));
}

TEST_F(Files, ARootThatIsListed) {
  look(FactKind::kFile, "main");
  EXPECT_TRUE(row().contains("res:/"));
}

TEST_F(Files, ToBeThereIsNoMatterOfContent) {
  look(FactKind::kExists, "main/cases/one.txt");
  EXPECT_TRUE(row().contains("resmiss:cases/one.txt"));
  EXPECT_FALSE(row().contains("res:cases/one.txt"));
}

TEST_F(Files, AClassFileReadAsDataCounts) {
  look(FactKind::kFile, "main/p/A.class");
  EXPECT_TRUE(row().contains("res:p/A.class"));
}

TEST_F(Files, WhatALoaderReadOfAClassThatHasTheBytesDoesNot) {
  look(FactKind::kFile, "main/p/A.class").by_loader = true;
  EXPECT_EQ(row(), Atoms{});
}

TEST_F(Files, ALoaderThatMadeOtherBytesOfTheFileReadData) {
  look(FactKind::kFile, "main/p/A.class").by_loader = true;
  write("main/p/A.class", "before it was woven");
  EXPECT_TRUE(row().contains("res:p/A.class"));
}

TEST_F(Files, WhatALoaderLookedForBesideTheProgramCounts) {
  look(FactKind::kExists, "plugins/q/N.class").by_loader = true;
  look(FactKind::kExists, "main/q/N.class").by_loader = true;
  const Atoms atoms = row();
  EXPECT_TRUE(atoms.contains("res:there:absent:plugins/q/N.class"));
  EXPECT_FALSE(atoms.contains("resmiss:q/N.class"));
}

TEST_F(Files, OfADeclarationTheShellCounts) {
  look(FactKind::kDeclared, "main/p/A.class");
  EXPECT_EQ(row(), (Atoms{"refl:p.A", "resmiss:p/A.class"}));
}

TEST_F(Files, AnEntryOfAnArchive) {
  write("lib.jar", "zip");
  look(FactKind::kEntry, dir_ + "/lib.jar!/x.txt");
  const Atoms atoms = row();
  EXPECT_TRUE(atoms.contains("res:x.txt"));
  EXPECT_TRUE(atoms.contains("res:file:" + state("lib.jar", Look::kContent) +
                             ":lib.jar"));
}

TEST_F(Files, AnArchiveOfTheProgramAsAWhole) {
  write("app.jar", "zip");
  jvm_.file().sources[8] = "file:" + dir_ + "/app.jar";
  jvm_.cls("p/B").source = 8;
  look(FactKind::kEntry, dir_ + "/app.jar!/");
  EXPECT_EQ(row(), Atoms{"res:!/"});
}

TEST_F(Files, TheClassPathsOwnArchiveSaysNothing) {
  write("app.jar", "zip");
  jvm_.file().sources[8] = "file:" + dir_ + "/app.jar";
  jvm_.cls("p/B").source = 8;
  look(FactKind::kFile, dir_ + "/app.jar").by_loader = true;
  EXPECT_EQ(row(), Atoms{});
}

TEST_F(Files, WhatWasNotThereIsNotWhatTheProgramMade) {
  look(FactKind::kExists, "made").absent = true;
  write("made", "by the program");
  look(FactKind::kFile, "made", 3);
  EXPECT_TRUE(row().contains("res:there:absent:made"));
  EXPECT_TRUE(row("p.T#later()")
                  .contains("res:file:absent/" +
                            state("made", Look::kContent) + ":made"));
}

TEST_F(Files, BelowAFolderThatTheProgramMade) {
  look(FactKind::kExists, "made").absent = true;
  write("made/x", "by the program");
  look(FactKind::kFile, "made/x");
  EXPECT_TRUE(row().contains("res:file:absent/" +
                             state("made/x", Look::kContent) + ":made/x"));
}

TEST_F(Files, AFolderThatIsMadeIfNeedBe) {
  EXPECT_EQ(state("nothing", Look::kFolder), state("main", Look::kFolder));
  EXPECT_NE(state("nothing", Look::kFolder), state("out.txt", Look::kFolder));
}

TEST_F(Files, NativeCodeIsContent) {
  write("libx.so", "machine code");
  look(FactKind::kNative, dir_ + "/libx.so");
  look(FactKind::kNative, "x");
  look(FactKind::kExists, "out.txt", 3);
  EXPECT_TRUE(row().contains("res:file:" + state("libx.so", Look::kContent) +
                             ":libx.so"));
  // It may have read what the program only asked for, in later tests as well.
  const Atoms later = row("p.T#later()");
  EXPECT_TRUE(later.contains("res:there:there:out.txt"));
  EXPECT_TRUE(later.contains("res:file:" + state("out.txt", Look::kContent) +
                             ":out.txt"));
}

TEST_F(Files, NativeCodeThatNobodyFindsIsDoubt) {
  look(FactKind::kNative, "x");
  EXPECT_TRUE(row().contains("res:file:unknown:native library x"));
}

TEST_F(Files, ModeBitsAndLinksAreAttributes) {
  const std::string before = state("out.txt", Look::kAttributes);
  fs::permissions(dir_ + "/out.txt", fs::perms::owner_exec,
                  fs::perm_options::add);
  EXPECT_NE(state("out.txt", Look::kAttributes), before);
  EXPECT_EQ(state("out.txt", Look::kExists), "there");
  write("same.txt", "x");
  fs::permissions(dir_ + "/same.txt", fs::perms::owner_exec,
                  fs::perm_options::add);
  fs::create_symlink("out.txt", dir_ + "/link");
  const std::string link = state("link", Look::kAttributes);
  const std::string content = state("link", Look::kContent);
  const std::string real = state("link", Look::kRealPath);
  fs::remove(dir_ + "/link");
  fs::create_symlink("same.txt", dir_ + "/link");
  EXPECT_NE(state("link", Look::kAttributes), link);
  EXPECT_NE(state("link", Look::kRealPath), real);
  EXPECT_EQ(state("link", Look::kContent), content);
}

TEST_F(Files, ModeBitsOfTheProgramsFiles) {
  look(FactKind::kAttributes, "main/cases/one.txt");
  EXPECT_TRUE(row().contains("res:cases/one.txt"));
  EXPECT_TRUE(row().contains(
      "res:mode:absent/" + state("main/cases/one.txt", Look::kMode) +
      ":main/cases/one.txt"));
}

TEST_F(Files, NamesAndKindsInAFolder) {
  write("list/a", "1");
  const std::string before = state("list", Look::kContent);
  write("list/a", "2");
  EXPECT_EQ(state("list", Look::kContent), before);
  fs::remove(dir_ + "/list/a");
  fs::create_directory(dir_ + "/list/a");
  EXPECT_NE(state("list", Look::kContent), before);
  fs::remove(dir_ + "/list/a");
  EXPECT_NE(state("list", Look::kContent), before);
}

TEST_F(Files, WhereAPathLeadsIsToldFromTheProject) {
  fs::create_directory_symlink("main", dir_ + "/current");
  const std::string here = state("current/cases", Look::kRealPath);
  const std::string there = dir_ + "-moved";
  fs::rename(dir_, there);
  EXPECT_EQ(file_state(there + "/current/cases", Look::kRealPath, there), here);
  fs::rename(there, dir_);
}

}  // namespace
}  // namespace rejig::coverage
