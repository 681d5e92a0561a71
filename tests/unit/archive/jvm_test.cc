// SPDX-License-Identifier: Apache-2.0
// Does a real JVM find what we say it finds? Every case is built, shown to the
// class loaders of JDK 17 (and of JDK 25 where there is one) and to Program,
// and the answers are compared. What a JVM refuses depends on its patch level,
// too: an archive that some refuse must be said to be one, whatever the JVM of
// this machine does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "classfile/program/program.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using classfile::Program;

struct Case {
  std::string what;
  std::string roots;  // path list
  std::string resource = "r";
  bool some_refuse = false;
};

std::vector<std::pair<std::string, unsigned>> jvms() {
  std::vector<std::pair<std::string, unsigned>> out{
      {jdk_home("17", "JAVA_HOME"), 17}};
  const std::string newer = jdk_home("25", "JDK25_HOME");
  if (!newer.empty()) out.emplace_back(newer, 25);
  return out;
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string out;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) {
    out.append(buffer, n);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return out;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1) {
    out.push_back(text.substr(at, end - at));
  }
  return out;
}

struct Answer {
  std::string text;
  bool some_refuse = false;
};

Answer ours(const Case& one, unsigned release) {
  base::Diagnostics diagnostics;
  classfile::ProgramOptions options;
  options.release = release;
  const auto program =
      Program::load(Program::split_path_list(one.roots), options, diagnostics);
  if (!program.ok()) return {"REFUSED"};
  const auto& archive = program->roots()[0]->containers()[0];
  if (!archive.refused.empty()) return {"REFUSED"};
  Answer answer{"", !archive.refused_by_some.empty()};
  std::string& out = answer.text;
  base::Buffer buffer;
  for (const auto& file : program->resources()) {
    if (file.name != one.resource) continue;
    const auto bytes = program->read(file, buffer);
    out += (out.empty() ? "" : "|") + (bytes.ok() ? text_of(*bytes) : "ERROR");
  }
  return answer;
}

void compare(const TempFolder& folder, const std::vector<Case>& cases) {
  std::string list;
  for (const Case& one : cases) list += one.roots + "\t" + one.resource + "\n";
  const std::string file = folder.write("cases", list);
  for (const auto& [home, release] : jvms()) {
    const auto answers = lines_in(
        output_of(home + "/bin/java " REJIG_JVM_LOADER " " + file + " 2>&1"));
    ASSERT_EQ(answers.size(), cases.size()) << home;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Answer mine = ours(cases[i], release);
      EXPECT_EQ(mine.some_refuse, cases[i].some_refuse) << cases[i].what;
      if (mine.some_refuse && answers[i] == "REFUSED") continue;
      EXPECT_EQ(mine.text, answers[i])
          << cases[i].what << " (the second is what " << home << " says)";
    }
  }
}

class Jvm : public ::testing::Test {
 protected:
  void add(const std::string& what, const std::vector<ZipItem>& items,
           const ZipLayout& layout = {}, const std::string& resource = "r") {
    add_bytes(what, make_zip(items, layout), resource);
  }
  void add_bytes(const std::string& what, const std::string& bytes,
                 const std::string& resource = "r") {
    const std::string name = std::to_string(cases_.size()) + ".jar";
    cases_.push_back({what, folder_.write(name, bytes), resource, false});
  }

  TempFolder folder_;
  std::vector<Case> cases_;
};

TEST_F(Jvm, MultiReleaseLines) {
  const std::vector<std::string> manifests = {
      "Multi-Release: true\n",
      "Multi-Release: true\n\n",
      "Multi-Release: true\r\n",
      "Multi-Release: true\r",
      "Multi-Release: true\rX: y\r",
      "multi-release: TRUE\n",
      "Multi-Release: True\n",
      "Multi-Release: true",
      "Multi-Release: true\nX: y",
      "Multi-Release: true\n x",
      "Multi-Release: true\n ",
      "Multi-Release: true\nno colon",
      "Multi-Release: true\n\nno colon\n",
      "Multi-Release: true\nX: " + std::string(600, 'x'),
      "Multi-Release: true\nClass-Path: x\n\nno colon\n",
      "Multi-Release: true\nClass-Path: x\n\nName: a\nno colon\n",
      "Multi-Release: true\nClass-Path: x\n\nName: a\nB: c\n\n\nName: d\n",
      "Multi-Release: true\nClass-Path: x\n\n\n\nname: a\n b\n\nName:x\n",
      "Class-Path: x\nno colon\n",
      "X-Class-Path: x\nno colon\n",
      "no colon\n",
      "Multi-Release:  true\n",
      "Multi-Release: true \n",
      "Multi-Release:true\n",
      "Multi-Release : true\n",
      " Multi-Release: true\n",
      "Multi-Release: tr\n ue\n",
      "Multi-Release: true\n  \n",
      "Multi-Release: true\n \n",
      "Multi-Release: true\n x\n",
      "Multi-Rel\n ease: true\n",
      "Multi-Release: false\n",
      "Multi-Release: yes\n",
      "X-Multi-Release: true\n",
      "Multi-Release: false\nMulti-Release: true\n",
      "Multi-Release: true\nMulti-Release: false\n",
      "Manifest-Version: 1.0\n\nMulti-Release: true\n",
      "Manifest-Version: 1.0\n\nName: x\nMulti-Release: true\n",
      "Manifest-Version: 1.0\nMulti-Release: true\nno colon\n",
      "bad name: x\nMulti-Release: true\n",
      "Multi-Release: true\nbad_name!: x\n",
      "Multi-Release: tr\n ue\nX: Multi-Release: true\n",
      "Comment: Multi-Release: true\nMulti-Release: true\n",
      "\nMulti-Release: true\n",
      "",
      "\xef\xbb\xbfMulti-Release: true\n",
      "X: " + std::string(505, 'x') + "\nMulti-Release: true\n",
      "X: " + std::string(508, 'x') + "\nMulti-Release: true\n",
      "X: " + std::string(509, 'x') + "\nMulti-Release: true\n",
      "X: " + std::string(600, 'x') + "\nMulti-Release: true\n",
      std::string(70, 'n') + ": x\nMulti-Release: true\n",
      std::string(71, 'n') + ": x\nMulti-Release: true\n",
      "{Multi-Release: true\nMulti-Release: true\n",
      "MULTI-RELEASE: MULTI-RELEASE: TRUE\nMulti-Release: true\n",
  };
  for (const std::string& manifest : manifests) {
    add(manifest, {zip_item("META-INF/MANIFEST.MF", manifest), zip_item("r", "base"),
                   zip_item("META-INF/versions/9/r", "nine")});
  }
  compare(folder_, cases_);
}

TEST_F(Jvm, VersionFoldersAndTheManifestsName) {
  const std::string on = "Multi-Release: true\n";
  const ZipItem manifest = zip_item("META-INF/MANIFEST.MF", on);
  for (const std::string version :
       {"8", "9", "09", "10", "17", "18", "25", "26", "99", "0", "-9", "9x",
        "x", "", "4294967305", "010"}) {
    add("versions/" + version,
        {manifest, zip_item("r", "base"),
         zip_item("META-INF/versions/" + version + "/r", version)});
  }
  add("only versioned", {manifest, zip_item("META-INF/versions/9/r", "nine")});
  add("highest first", {manifest, zip_item("META-INF/versions/9/r", "nine"),
                        zip_item("META-INF/versions/11/r", "eleven")});
  add("lower-case folder",
      {manifest, zip_item("r", "base"), zip_item("meta-inf/versions/9/r", "nine")});
  add("manifest in lower case",
      {zip_item("meta-inf/manifest.mf", on), zip_item("META-INF/versions/9/r", "nine"),
       zip_item("r", "base")});
  add("manifest of mixed case",
      {zip_item("META-INF/Manifest.mf", on), zip_item("META-INF/versions/9/r", "nine"),
       zip_item("r", "base")});
  add("two manifests, the last says no",
      {zip_item("META-INF/MANIFEST.MF", on), zip_item("META-INF/MANIFEST.MF", "A: b\n"),
       zip_item("META-INF/versions/9/r", "nine"), zip_item("r", "base")});
  add("two manifests, the last says yes",
      {zip_item("META-INF/MANIFEST.MF", "A: b\n"), zip_item("META-INF/MANIFEST.MF", on),
       zip_item("META-INF/versions/9/r", "nine"), zip_item("r", "base")});
  add("no versions for META-INF",
      {manifest, zip_item("META-INF/versions/9/META-INF/r", "nine"),
       zip_item("META-INF/r", "base")},
      {}, "META-INF/r");
  compare(folder_, cases_);
}

TEST_F(Jvm, OddArchives) {
  const std::string text(500, 't');
  const ZipItem r = zip_item("r", text, true);
  add("plain", {r});
  add("the last of two", {zip_item("r", "first"), zip_item("r", "last")});
  add("the last of three, one deflated",
      {zip_item("r", "first"), zip_item("r", "second", true), zip_item("r", "last")});
  ZipLayout layout;
  for (const unsigned count : {0u, 1u, 7u, 65535u}) {
    layout.count = static_cast<std::uint16_t>(count);
    add("entry count " + std::to_string(count), {zip_item("a", "1"), r}, layout);
    cases_.back().some_refuse = count > 2;
  }
  for (const bool counted : {false, true}) {
    for (const bool zip64 : {false, true}) {
      ZipLayout prefix;
      prefix.prefix = "#!/bin/sh\n" + std::string(100, '#');
      prefix.offsets_count_prefix = counted;
      prefix.zip64_end = zip64 && counted;
      add("prefix", {r}, prefix);
      prefix.prefix.clear();
      prefix.zip64_end = zip64;
      prefix.trailing = std::string(1000, 'x');
      add("trailing bytes", {r}, prefix);
    }
  }
  ZipLayout both;
  both.prefix = "prefix";
  both.trailing = "trailing";
  add("prefix and trailing bytes", {r}, both);
  both.offsets_count_prefix = true;
  add("counted prefix and trailing bytes", {r}, both);
  ZipLayout far;
  far.trailing = std::string(65535, 'x');
  add("65535 trailing bytes", {r}, far);
  for (const std::size_t n : {65536u, 65613u, 65614u, 65615u, 65616u, 70000u}) {
    far.trailing = std::string(n, 'x');
    add(std::to_string(n) + " trailing bytes", {r}, far);
  }
  ZipLayout gap;
  gap.gap = "gap before the directory";
  add("gap", {r}, gap);
  ZipLayout comment;
  comment.comment = "a comment with PK\5\6 inside and more than 22 bytes";
  add("comment", {r}, comment);
  comment.comment_length = 10;
  add("comment longer than it says", {r}, comment);
  comment.comment_length = 300;
  add("comment cut off", {r}, comment);

  ZipItem item = r;
  item.flags = 1;
  add("encrypted", {r, item});
  for (const unsigned method : {1u, 9u, 12u, 14u, 93u, 99u}) {
    item = zip_item("other", "x");
    item.method = static_cast<std::uint16_t>(method);
    add("method " + std::to_string(method), {r, item});
  }
  add("name that is not UTF-8", {r, zip_item("\xe4", "x")});
  add("name with a surrogate", {r, zip_item("\xed\xa0\x80", "x")});
  add("overlong name", {r, zip_item("\xc0\x80", "x")});
  add("name of four bytes", {r, zip_item("\xf0\x9f\x98\x80", "x")});
  add("empty name", {r, zip_item("", "x")});
  add("name with a NUL", {r, zip_item(std::string("a\0b", 3), "x")});
  item = r;
  item.local_name = "another";
  item.local_crc = 5;
  item.local_size = 1;
  add("local header lies", {item});
  item = r;
  item.crc = 5;
  add("wrong CRC", {item});
  item = r;
  item.data_descriptor = true;
  add("data descriptor", {item});
  item = r;
  item.zip64 = true;
  add("zip64 fields", {item});
  item = r;
  item.extra = std::string("\x34\x12\xff\xff", 4);
  add("extra field cut off", {item});
  item.extra = std::string("\x34\x12\2\0ab", 6);
  add("extra field", {item});
  item.extra = "abc";
  add("three extra bytes", {item});
  item = r;
  item.offset = 100000;
  add("local header outside", {item});

  ZipLayout size;
  size.directory_size = 40;
  add("directory too short", {r}, size);
  size.directory_size = 100000;
  add("directory too long", {r}, size);
  ZipLayout offset;
  offset.directory_offset = 100000;
  add("directory offset outside", {r}, offset);
  std::string bytes = make_zip({zip_item("a", "1"), r});
  bytes[bytes.rfind("PK\1\2")] = 'Q';
  add_bytes("no directory entry", bytes);
  add_bytes("empty archive", make_zip({}));
  add_bytes("text", "hello\n");
  add_bytes("end record only, cut", make_zip({}).substr(0, 21));
  compare(folder_, cases_);
}

// Archives with random bytes of their directory and end record changed. What
// any JVM refuses we refuse, or say that some do.
TEST_F(Jvm, DamagedArchives) {
  std::mt19937 random(std::random_device{}());
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int i = 0; i < 400; ++i) {
    ZipLayout layout;
    if (below(4) == 0) layout.comment = std::string(below(40), 'c');
    if (below(4) == 0) layout.zip64_end = true;
    std::vector<ZipItem> items = {zip_item("a", "1"),
                                  zip_item("r", std::string(60, 't'), true),
                                  zip_item("z", "3")};
    ZipItem& item = items[below(items.size())];
    item.zip64 = below(3) == 0;
    if (below(3) == 0) item.extra = std::string("\x34\x12\2\0ab", 6);
    std::string bytes = make_zip(items, layout);
    const std::size_t directory = bytes.find("PK\1\2");
    std::string what = "changed:";
    for (std::size_t n = 1 + below(2); n > 0; --n) {
      const std::size_t at = directory + below(bytes.size() - directory);
      bytes[at] = static_cast<char>(below(2) == 0 ? below(256) : below(4));
      what += " @" + std::to_string(at - directory) + "=" +
              std::to_string(static_cast<unsigned char>(bytes[at]));
    }
    add_bytes(what, bytes);
  }
  std::string list;
  for (const Case& one : cases_) list += one.roots + "\t" + one.resource + "\n";
  const std::string cases = folder_.write("cases", list);
  std::size_t refused = 0;
  for (const auto& [home, release] : jvms()) {
    const auto answers = lines_in(
        output_of(home + "/bin/java " REJIG_JVM_LOADER " " + cases + " 2>&1"));
    ASSERT_EQ(answers.size(), cases_.size()) << home;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const Answer mine = ours(cases_[i], release);
      if (answers[i] != "REFUSED") continue;
      ++refused;
      EXPECT_TRUE(mine.some_refuse || mine.text == "REFUSED")
          << cases_[i].what << ": " << home << " refuses it";
    }
  }
  EXPECT_GT(refused, 50u);
}

TEST_F(Jvm, ClassPathOfManifests) {
  const auto manifest = [](const std::string& line) {
    return zip_item("META-INF/MANIFEST.MF", line);
  };
  folder_.write("lib/b.jar", make_zip({zip_item("r", "b")}));
  folder_.write("lib/c.jar",
                make_zip({manifest("Class-Path: b.jar ../lib/./b.jar c.jar\n"),
                          zip_item("r", "c")}));
  folder_.write("lib/b c.jar", make_zip({zip_item("r", "blank")}));
  folder_.write("lib/d/r", "folder");
  folder_.write("lib/text.jar", "no archive");
  const std::string z = folder_.write("z.jar", make_zip({zip_item("r", "z")}));
  const std::string absolute = folder_ / "lib/b.jar";
  for (const std::string& value : std::vector<std::string>{
           "lib/b.jar", "lib/b.jar lib/c.jar", "lib/c.jar", "lib/d/", "lib/d",
           "lib/b.jar/", "nothing.jar lib/b.jar", "lib/b%20c.jar",
           "lib/text.jar lib/b.jar", absolute, "file:" + absolute,
           "http://localhost:1/x.jar lib/b.jar", "./lib/b.jar", "lib/b.jar?x",
           "LIB/b.jar", "lib/b.\n jar", "", " lib/b.jar "}) {
    add("Class-Path: " + value,
        {manifest("Class-Path: " + value + "\n"), zip_item("r", "a")});
    cases_.back().roots += ":" + z;
  }
  compare(folder_, cases_);
}

TEST_F(Jvm, Wildcards) {
  for (const std::string name : {"b.jar", "a.JAR", "c.Jar", "d.zip", ".jar",
                                 "sub/e.jar", "f.jar/x", "g.jar.txt"}) {
    folder_.write("lib/" + name, make_zip({}));
  }
  const std::string program = folder_.write(
      "Print.java",
      "public class Print { public static void main(String[] a) {"
      "System.out.println(System.getProperty(\"java.class.path\")); } }");
  std::filesystem::create_directory(folder_ / "none");
  const std::string list =
      "x:" + (folder_ / "lib") + "/*:y:" + (folder_ / "lib") +
      "/b*:" + (folder_ / "none") + "/*:" + (folder_ / "nowhere") + "/*";
  {
    const auto split = [](const std::string& text) {
      std::vector<std::string> out;
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(':', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
      }
      std::sort(out.begin(), out.end());
      return out;
    };
    const auto answer = lines_in(
        output_of(jvms()[0].first + "/bin/java -cp '" + list + "' " + program));
    ASSERT_EQ(answer.size(), 1u);
    auto mine = Program::split_path_list(list);
    std::sort(mine.begin(), mine.end());
    EXPECT_EQ(mine, split(answer[0])) << list;
  }
}

}  // namespace
}  // namespace rejig::test
