// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "classfile/archive/archive_lookup.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using classfile::ArtefactKind;
using classfile::EntryId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "entry=class name" of every entry that a loader finds.
std::vector<std::string> found(const ArchiveText& archive, unsigned release) {
  const auto names = classfile::loader_class_names(archive.artefact(), release);
  const auto entries = archive.artefact().entries();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    out.push_back(std::string(entries[i].name) + "=" + std::string(names[i]));
  }
  return out;
}

TEST(Archive, NestedArchivesStoredDeflatedAndInsideEachOther) {
  const std::string inner = make_zip({zip_item("p/A.class", "inner A", true)});
  const std::string middle =
      make_zip({zip_item("q/B.class", "B"), zip_item("deep.jar", inner, true)});
  const ArchiveText war(make_zip(
      {zip_item("WEB-INF/lib/stored.jar", middle),
       zip_item("WEB-INF/lib/deflated.jar", middle, true), zip_item("z", "end")}));
  EXPECT_EQ(war.names(),
            (std::vector<std::string>{
                "WEB-INF/lib/stored.jar", "WEB-INF/lib/deflated.jar", "z",
                "WEB-INF/lib/stored.jar!/q/B.class",
                "WEB-INF/lib/stored.jar!/deep.jar",
                "WEB-INF/lib/stored.jar!/deep.jar!/p/A.class",
                "WEB-INF/lib/deflated.jar!/q/B.class",
                "WEB-INF/lib/deflated.jar!/deep.jar",
                "WEB-INF/lib/deflated.jar!/deep.jar!/p/A.class"}));
  EXPECT_EQ(war.text("WEB-INF/lib/stored.jar!/deep.jar!/p/A.class"), "inner A");
  EXPECT_EQ(war.text("WEB-INF/lib/deflated.jar!/q/B.class"), "B");
  EXPECT_EQ(war.artefact().local_name(
                war.id("WEB-INF/lib/stored.jar!/deep.jar!/p/A.class")),
            "p/A.class");
  EXPECT_EQ(war.diagnostics(), "");
}

TEST(Archive, AnEnterpriseArchiveWithAWebArchiveAndAConnector) {
  const std::string lib = make_zip({zip_item("p/Lib.class", "lib")});
  const std::string war = make_zip({zip_item("WEB-INF/classes/p/Web.class", "web"),
                                    zip_item("WEB-INF/lib/l.jar", lib)});
  const ArchiveText ear(make_zip(
      {zip_item("META-INF/application.xml", "<application/>"), zip_item("w.war", war),
       zip_item("c.rar", make_zip({zip_item("c.jar", lib)})), zip_item("lib/l.jar", lib)}));
  EXPECT_EQ(ear.diagnostics(), "");
  EXPECT_EQ(ear.text("w.war!/WEB-INF/classes/p/Web.class"), "web");
  EXPECT_EQ(ear.text("w.war!/WEB-INF/lib/l.jar!/p/Lib.class"), "lib");
  EXPECT_EQ(ear.text("c.rar!/c.jar!/p/Lib.class"), "lib");
  EXPECT_EQ(ear.text("lib/l.jar!/p/Lib.class"), "lib");
  EXPECT_THAT(found(ear, 17),
              ElementsAre("w.war!/WEB-INF/classes/p/Web.class=p/Web",
                          "w.war!/WEB-INF/lib/l.jar!/p/Lib.class=p/Lib"));
}

TEST(Archive, AStoredNestedArchiveIsReadInPlace) {
  const std::string inner = make_zip({zip_item("A.class", "inner A")});
  const ArchiveText jar(make_zip({zip_item("a.jar", inner)}));
  const auto outer = jar.artefact().stored_bytes(jar.id("a.jar"));
  const auto nested = jar.artefact().stored_bytes(jar.id("a.jar!/A.class"));
  ASSERT_TRUE(outer && nested);
  EXPECT_GE(nested->data(), outer->data());
  EXPECT_LE(nested->data() + nested->size(), outer->data() + outer->size());
}

TEST(Archive, NestingEndsAtDepthEight) {
  std::string bytes = make_zip({zip_item("A.class", "deepest")});
  for (int depth = 0; depth < 9; ++depth) {
    bytes = make_zip({zip_item("n.jar", bytes)});
  }
  const ArchiveText jar(bytes);
  EXPECT_EQ(jar.artefact().containers().size(), 9u);
  EXPECT_EQ(jar.artefact().containers().back().depth, 8u);
  EXPECT_THAT(jar.diagnostics(), HasSubstr("nested deeper than 8"));
}

TEST(Archive, ANestedArchiveThatCannotBeReadIsSaidOnceAndTheRestRead) {
  const ArchiveText jar(
      make_zip({zip_item("lib/bad.jar", "no zip at all"), zip_item("x/Y.class", "Y"),
                zip_item("lib/good.jar", make_zip({zip_item("a/B.class", "B")}))}));
  ASSERT_EQ(jar.artefact().unreadable().size(), 1u);
  EXPECT_EQ(jar.artefact().unreadable()[0].in, "lib/bad.jar!/");
  EXPECT_THAT(jar.diagnostics(), HasSubstr("no zip end record"));
  EXPECT_EQ(jar.text("lib/good.jar!/a/B.class"), "B");
}

TEST(Archive, AnArchiveThatContainsItselfIsBounded) {
  // The stored entry's data is the whole archive, itself included.
  ZipItem self = zip_item("self.jar", "");
  std::string bytes;
  for (std::size_t size = 0; bytes.size() != size || size == 0;) {
    size = bytes.size();
    self.size = self.stored_size = size > 38 ? size - 38 : 0;
    bytes = make_zip({self});
  }
  const ArchiveText jar(bytes);
  EXPECT_LE(jar.artefact().containers().size(), 9u);
}

TEST(Archive, WhichFileDefinesAName) {
  const std::string lib = make_zip(
      {zip_item("p/Lib.class", "1"), zip_item("p/App.class", "hidden by the classes")});
  const ArchiveText boot(
      make_zip({zip_item("org/Loader.class", "0"), zip_item("BOOT-INF/lib/a.jar", lib),
                zip_item("BOOT-INF/classes/p/App.class", "2"),
                zip_item("BOOT-INF/classes/org/Loader.class", "hidden by the root"),
                zip_item("module-info.class", "m")}));
  EXPECT_THAT(found(boot, 17),
              ElementsAre("org/Loader.class=org/Loader",
                          "BOOT-INF/classes/p/App.class=p/App",
                          "module-info.class=module-info",
                          "BOOT-INF/lib/a.jar!/p/Lib.class=p/Lib"));
}

TEST(Archive, VersionFoldersInForce) {
  const std::string manifest =
      "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
  const std::vector<ZipItem> items = {
      zip_item("META-INF/MANIFEST.MF", manifest),
      zip_item("x/Y.class", "base"),
      zip_item("META-INF/versions/8/x/Y.class", "8"),
      zip_item("META-INF/versions/09/x/Y.class", "09"),
      zip_item("META-INF/versions/11/x/Y.class", "11"),
      zip_item("META-INF/versions/21/x/Y.class", "21"),
      zip_item("META-INF/versions/11/x/New.class", "new")};
  const ArchiveText jar(make_zip(items));
  const auto has = [&](unsigned release, const std::string& line) {
    const auto lines = found(jar, release);
    return std::count(lines.begin(), lines.end(), line) == 1;
  };
  EXPECT_TRUE(has(10, "x/Y.class=x/Y"));
  EXPECT_TRUE(has(17, "META-INF/versions/11/x/Y.class=x/Y"));
  EXPECT_FALSE(has(17, "x/Y.class=x/Y"));
  EXPECT_TRUE(has(17, "META-INF/versions/11/x/New.class=x/New"));
  EXPECT_TRUE(has(21, "META-INF/versions/21/x/Y.class=x/Y"));
  EXPECT_FALSE(has(10, "META-INF/versions/11/x/New.class=x/New"));
}

TEST(Archive, JmodAndClassFileAndDirectory) {
  ZipLayout layout;
  layout.prefix = std::string("JM\1\0", 4);
  layout.offsets_count_prefix = true;
  const ArchiveText jmod(
      make_zip({zip_item("classes/a/B.class", "B", true), zip_item("lib/libx.so", "x")},
               layout));
  EXPECT_EQ(jmod.artefact().kind(), ArtefactKind::kJmod);
  EXPECT_EQ(jmod.text("classes/a/B.class"), "B");
  EXPECT_THAT(found(jmod, 17), ElementsAre("classes/a/B.class=a/B"));

  const ArchiveText cls(tiny_class("B"));
  EXPECT_EQ(cls.artefact().kind(), ArtefactKind::kClassFile);
  EXPECT_EQ(cls.text("x.zip"), tiny_class("B"));

  const TempFolder folder;
  folder.write("b/C.class", "C");
  folder.write("a/B.class", "B");
  folder.write("META-INF/MANIFEST.MF", "Multi-Release: true\n");
  folder.write("META-INF/versions/9/a/B.class", "9");
  folder.write("WEB-INF/lib/n.jar", make_zip({zip_item("n/N.class", "N")}));
  const auto tree = ArchiveText::at(folder.path() + "/");
  EXPECT_EQ(tree.artefact().kind(), ArtefactKind::kDirectory);
  EXPECT_EQ(tree.names(),
            (std::vector<std::string>{
                "META-INF/MANIFEST.MF", "META-INF/versions/9/a/B.class",
                "WEB-INF/lib/n.jar", "a/B.class", "b/C.class",
                "WEB-INF/lib/n.jar!/n/N.class"}));
  EXPECT_EQ(tree.text("WEB-INF/lib/n.jar!/n/N.class"), "N");
  EXPECT_EQ(tree.artefact().where(tree.id("a/B.class")),
            folder.path() + "/a/B.class");
  const auto names = found(tree, 17);
  EXPECT_EQ(std::count(names.begin(), names.end(), "a/B.class=a/B"), 1)
      << "directories are never multi-release";
}

TEST(Archive, ReadFromManyThreads) {
  std::vector<ZipItem> items;
  for (int i = 0; i < 200; ++i) {
    items.push_back(zip_item(
        "f" + std::to_string(i),
        std::string(static_cast<std::size_t>(i * 37), 'x') + std::to_string(i),
        i % 2 == 0));
    if (i % 5 == 0) items.back().crc = 1;
    if (i % 7 == 0) {
      // Left to libzip, which does not know the method either.
      items.back().method = 77;
    }
  }
  const ArchiveText jar(make_zip(items));
  const auto entries = jar.artefact().entries();
  std::vector<std::string> results(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : results) {
      threads.emplace_back([&] {
        base::Buffer buffer;
        for (std::size_t i = 0; i < entries.size(); ++i) {
          const auto bytes = jar.artefact().read(EntryId::of(i), buffer);
          result += bytes.ok() ? text_of(*bytes) : bytes.error().message();
          result += '\n';
        }
      });
    }
  }
  EXPECT_THAT(results[0], HasSubstr("x199\n"));
  EXPECT_THAT(results[0], HasSubstr("f7: libzip: "));
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
  // Those of a method that nobody reads have no bytes to compare.
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 200; i += 5) wrong += i % 7 != 0;
  EXPECT_EQ(jar.artefact().wrong_checksums().size(), wrong);
}

TEST(Archive, FoldersWithoutClassesAndEmptyArchives) {
  const TempFolder folder;
  EXPECT_THAT(ArchiveText::at(folder.path()).names(), IsEmpty());
  EXPECT_THAT(ArchiveText(make_zip({})).names(), IsEmpty());
}

}  // namespace
}  // namespace rejig::test
