// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "classfile/archive/archive_lookup.h"
#include "classfile/archive/jimage.h"
#include "classfile/program/program.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using classfile::ArtefactKind;
using classfile::EntryId;
using ::testing::HasSubstr;

// A jimage of one resource, written by hand in either byte order.
class TinyImage {
 public:
  explicit TinyImage(bool little) : little_(little) {}

  std::string make(const std::string& content, std::uint64_t compressed = 0,
                   std::uint64_t size = 0) const {
    const std::string strings = std::string("\0", 1) + z("m") + z("a/b") +
                                z("C") + z("class") + z("zip") +
                                z("compact-cp");
    std::string location;
    const auto attribute = [&](unsigned kind, std::uint64_t value) {
      location += static_cast<char>(kind << 3 | 7);
      for (int shift = 56; shift >= 0; shift -= 8) {
        location += static_cast<char>(value >> shift & 0xff);
      }
    };
    attribute(1, strings.find("m"));
    attribute(2, strings.find("a/b"));
    attribute(3, strings.find("C"));
    attribute(4, strings.find("class"));
    attribute(5, 0);
    attribute(6, compressed);
    attribute(7, size != 0 ? size : content.size());
    location += '\0';
    return u4(0xcafedada) + u4(1u << 16) + u4(0) + u4(1) + u4(1) +
           u4(location.size()) + u4(strings.size()) + u4(0) + u4(0) + location +
           strings + content;
  }
  std::string layer(const std::string& packed, std::uint64_t size,
                    std::size_t name) const {
    const std::uint64_t n = packed.size();
    const std::string sizes = little_ ? u4(n) + u4(0) + u4(size) + u4(0)
                                      : u4(0) + u4(n) + u4(0) + u4(size);
    return u4(0xcafefafa) + sizes + u4(name) + u4(0) + "\1" + packed;
  }
  static constexpr std::size_t kZip = 15;  // of "zip" in the strings
  static constexpr std::size_t kCompactCp = 19;

 private:
  static std::string z(const std::string& text) {
    return text + std::string("\0", 1);
  }
  std::string u4(std::uint64_t v) const {
    std::string out;
    for (int i = 0; i < 4; ++i) {
      out += static_cast<char>(v >> (little_ ? 8 * i : 24 - 8 * i) & 0xff);
    }
    return out;
  }
  bool little_;
};

// zlib wrapper around a raw deflated stream.
std::string zlib(const std::string& content) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : content) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  std::string out = "\x78\x9c" + deflate(content);
  for (const std::uint32_t half : {b, a}) {
    out += static_cast<char>(half >> 8);
    out += static_cast<char>(half & 0xff);
  }
  return out;
}

TEST(Jimage, BothByteOrders) {
  for (const bool little : {false, true}) {
    const ArchiveText image(TinyImage(little).make("content"));
    EXPECT_EQ(image.artefact().kind(), ArtefactKind::kJimage);
    EXPECT_EQ(image.names(), (std::vector<std::string>{"m/a/b/C.class"}));
    EXPECT_EQ(image.text("m/a/b/C.class"), "content");
    const auto names = classfile::loader_class_names(image.artefact(), 17);
    EXPECT_EQ(names[0], "a/b/C");
  }
}

TEST(Jimage, CompressedByJlink) {
  const std::string content(2000, 'c');
  for (const bool little : {false, true}) {
    const TinyImage tiny(little);
    const std::string once =
        tiny.layer(zlib(content), content.size(), TinyImage::kZip);
    const ArchiveText image(tiny.make(once, once.size(), content.size()));
    EXPECT_EQ(image.text("m/a/b/C.class"), content);

    const std::string twice =
        tiny.layer(zlib(once), once.size(), TinyImage::kZip);
    const ArchiveText layers(tiny.make(twice, twice.size(), content.size()));
    EXPECT_EQ(layers.text("m/a/b/C.class"), content);

    const std::string other =
        tiny.layer(content, content.size(), TinyImage::kCompactCp);
    const ArchiveText sharing(tiny.make(other, other.size(), content.size()));
    EXPECT_THAT(sharing.error("m/a/b/C.class"), HasSubstr("\"compact-cp\""));
    const ArchiveText lie(tiny.make(once, once.size(), content.size() + 1));
    EXPECT_THAT(lie.error("m/a/b/C.class"), HasSubstr("decompresses to 2000"));
  }
}

TEST(Jimage, EveryTruncationAndEveryDamagedByteIsSurvived) {
  const std::string whole = TinyImage(true).make("content");
  for (std::size_t n = 4; n < whole.size(); ++n) {
    EXPECT_NE(ArchiveText::failure(whole.substr(0, n)), "") << n;
  }
  std::size_t opened = 0;
  for (std::size_t i = 4; i < whole.size(); ++i) {
    for (const int flip : {1, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      if (!ArchiveText::failure(bytes).empty()) continue;
      const ArchiveText image(bytes);
      for (const std::string& name : image.names()) {
        EXPECT_TRUE(image.reads(name) || !image.error(name).empty());
      }
      ++opened;
    }
  }
  EXPECT_GT(opened, 10u);
}

std::vector<std::string> jdk_homes() {
  std::vector<std::string> out;
  const std::filesystem::path jvm = "/usr/lib/jvm";
  for (const auto& item : std::filesystem::directory_iterator(jvm)) {
    if (std::filesystem::exists(item.path() / "lib/modules")) {
      out.push_back(item.path().string());
    }
  }
  return out;
}

TEST(Jimage, TheImagesOfThisMachine) {
  const auto homes = jdk_homes();
  ASSERT_FALSE(homes.empty());
  for (const std::string& home : homes) {
    base::Diagnostics diagnostics;
    auto program = classfile::Program::load({home}, {}, diagnostics);
    ASSERT_TRUE(program.ok()) << program.error().message();
    EXPECT_TRUE(diagnostics.empty()) << lines_of(diagnostics);
    EXPECT_GT(program->classes().size(), 5000u);
    base::Buffer buffer;
    for (const auto& file : program->classes()) {
      const auto bytes = program->read(file, buffer);
      ASSERT_TRUE(bytes.ok()) << bytes.error().message();
      base::ByteReader in(*bytes);
      ASSERT_EQ(in.u4(), 0xcafebabeu) << program->where(file);
    }
    ASSERT_NE(program->find_class("java/lang/Object"), nullptr);
    EXPECT_THAT(program->where(*program->find_class("java/lang/Object")),
                HasSubstr("lib/modules!/java.base/java/lang/Object.class"));
  }
}

// What jlink compresses with "zip" is what the jmods hold.
TEST(Jimage, AnImageThatJlinkHasCompressed) {
  const std::string home = jdk_home("17", "JAVA_HOME");
  ASSERT_NE(home, "") << "JDK 17 is required";
  const TempFolder folder;
  const std::string out = folder / "image";
  const std::string command = home + "/bin/jlink --add-modules java.base" +
                              " --compress=2 --output " + out;
  ASSERT_EQ(std::system(command.c_str()), 0);
  base::Diagnostics diagnostics;
  auto image = classfile::Program::load({out}, {}, diagnostics);
  auto module = classfile::Program::load({home + "/jmods/java.base.jmod"}, {},
                                         diagnostics);
  ASSERT_TRUE(image.ok() && module.ok());
  base::Buffer one;
  base::Buffer two;
  std::size_t equal = 0;
  std::size_t different = 0;
  for (const auto& file : module->classes()) {
    const auto* const other = image->find_class(file.name);
    if (other == nullptr) continue;
    const auto a = module->read(file, one);
    const auto b = image->read(*other, two);
    ASSERT_TRUE(a.ok() && b.ok()) << image->where(*other);
    ++(text_of(*a) == text_of(*b) ? equal : different);
  }
  EXPECT_GT(equal, 5000u);
  EXPECT_LT(different, 100u);
  const auto entries = image->roots()[0]->entries();
  EXPECT_GT(std::count_if(entries.begin(), entries.end(),
                          [](const auto& e) { return e.stored_size < e.size; }),
            5000);
}

// The image and the jmods of one JDK are two packings of the same classes.
TEST(Jimage, ImageAndJmodsHoldTheSameClasses) {
  std::size_t compared = 0;
  for (const std::string& home : jdk_homes()) {
    const std::filesystem::path jmods = home + "/jmods";
    if (!std::filesystem::exists(jmods / "java.base.jmod")) continue;
    std::vector<std::string> roots;
    for (const auto& item : std::filesystem::directory_iterator(jmods)) {
      roots.push_back(item.path().string());
    }
    base::Diagnostics diagnostics;
    auto image = classfile::Program::load({home}, {}, diagnostics);
    auto modules = classfile::Program::load(roots, {}, diagnostics);
    ASSERT_TRUE(image.ok() && modules.ok());
    base::Buffer one;
    base::Buffer two;
    std::size_t different = 0;
    for (const auto& file : modules->classes()) {
      if (modules->where(file).find("!/classes/") == std::string::npos) {
        continue;
      }
      const auto* const other = image->find_class(file.name);
      ASSERT_NE(other, nullptr) << modules->where(file);
      const auto a = modules->read(file, one);
      const auto b = image->read(*other, two);
      ASSERT_TRUE(a.ok() && b.ok());
      // jlink rewrites a few (jdk.internal.module.SystemModules…) and adds
      // some (java.lang.invoke.BoundMethodHandle$Species_…).
      if (text_of(*a) != text_of(*b)) ++different;
      ++compared;
    }
    EXPECT_LT(different, 100u) << home;
    break;
  }
  EXPECT_GT(compared, 5000u) << "JDK 17 with its jmods is required";
}

}  // namespace
}  // namespace rejig::test
