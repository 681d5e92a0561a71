// SPDX-License-Identifier: Apache-2.0
// Every sample: our verdict, its message, and the JVM's.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "classfile/dump/dump.h"
#include "classfile/reader/class_view.h"
#include "tests/classes/samples.h"
#include "tests/support/class_builder.h"

namespace rejig::classfile {
namespace {

using test::Sample;

struct Verdict {
  bool ok = false;
  std::string message;
  std::string dumped;
};

Verdict of_class(const ClassView& cls) {
  Verdict v;
  v.ok = true;
  DumpTypes types = DumpTypes::usual();
  types.set(DumpType::kInsn);
  dump_class(v.dumped, cls, "s.class", true, types);
  dump_class_text(v.dumped, cls, "s.class", true);
  return v;
}

Verdict verdict_of(const Sample& s) {
  const test::ExactBytes bytes(s.bytes);
  const auto cls = ClassView::parse(bytes.get(), "s.class");
  return cls.ok() ? of_class(*cls) : Verdict{false, cls.error().message(), ""};
}

Verdict verdict_of(const Sample& s, ClassReader& reader) {
  const test::ExactBytes bytes(s.bytes);
  const auto cls = reader.parse(bytes.get(), "s.class");
  return cls.ok() ? of_class(**cls) : Verdict{false, cls.error().message(), ""};
}

TEST(Samples, IllegalOnesAreOneErrorThatSaysWhatAndWhere) {
  for (const Sample& s : test::illegal_samples()) {
    const Verdict v = verdict_of(s);
    EXPECT_FALSE(v.ok) << s.name;
    EXPECT_NE(v.message.find(s.message), std::string::npos)
        << s.name << ": " << v.message << "\nexpected: " << s.message;
    EXPECT_TRUE(v.message.starts_with("s.class @0x")) << v.message;
  }
}

TEST(Samples, LegalOnesAreReadAndDumped) {
  for (const Sample& s : test::legal_samples()) {
    const Verdict v = verdict_of(s);
    EXPECT_TRUE(v.ok) << s.name << ": " << v.message;
    EXPECT_NE(v.dumped.find("\"type\":\"class\""), std::string::npos)
        << s.name;
  }
}

// Cut anywhere, a class file is an error, and nobody reads past its end.
TEST(Samples, EveryPrefixIsAnError) {
  for (const Sample& s : test::legal_samples()) {
    if (s.bytes.size() > 2000) continue;
    for (std::size_t n = 0; n < s.bytes.size(); ++n) {
      const test::ExactBytes cut(std::string_view(s.bytes).substr(0, n));
      EXPECT_FALSE(ClassView::parse(cut.get(), "cut").ok())
          << s.name << " cut to " << n;
    }
  }
}

// What a reader has read before, whole or in part, changes nothing.
TEST(Samples, AReaderThatIsUsedAgainSaysTheSame) {
  ClassReader reader;
  std::size_t unknown = 0;
  for (int round = 0; round < 2; ++round) {
    for (const auto& list : {test::legal_samples(), test::illegal_samples()}) {
      for (const Sample& s : list) {
        const Verdict fresh = verdict_of(s);
        const Verdict again = verdict_of(s, reader);
        EXPECT_EQ(fresh.ok, again.ok) << s.name;
        EXPECT_EQ(fresh.message, again.message) << s.name;
        EXPECT_EQ(fresh.dumped, again.dumped) << s.name;
        const test::ExactBytes bytes(s.bytes);
        const auto one = ClassView::parse_layout(bytes.get(), "s");
        const auto two = reader.parse_layout(bytes.get(), "s");
        ASSERT_EQ(one.ok(), two.ok()) << s.name;
        if (!one.ok()) continue;
        EXPECT_EQ(one->super_name(), (*two)->super_name()) << s.name;
        EXPECT_EQ(one->unknown_attributes(), (*two)->unknown_attributes());
        EXPECT_EQ(one->pool().first_dynamic(), (*two)->pool().first_dynamic());
        unknown += one->unknown_attributes();
      }
    }
  }
  EXPECT_GT(unknown, 0u);
}

// Every byte of the small ones changed in three ways: an error or a class that
// can be dumped, under the sanitizers without a finding.
TEST(Samples, EveryByteChanged) {
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const auto& list : {test::illegal_samples(), test::legal_samples()}) {
    for (const Sample& s : list) {
      if (s.bytes.size() > 400) continue;
      for (std::size_t i = 0; i < s.bytes.size(); ++i) {
        for (const int change : {0x01, 0x80, 0xFF}) {
          Sample changed = s;
          changed.bytes[i] = static_cast<char>(changed.bytes[i] ^ change);
          ++(verdict_of(changed).ok ? read : refused);
        }
      }
    }
  }
  EXPECT_GT(read, 1000u);
  EXPECT_GT(refused, 10000u);
}

TEST(Samples, TheJvmAgrees) {
  namespace fs = std::filesystem;
  const fs::path dir = fs::temp_directory_path() /
                       ("rejig-samples-" + std::to_string(::getpid()));
  fs::create_directories(dir);
  std::map<std::string, bool> ours;
  for (const auto& list : {test::illegal_samples(), test::legal_samples()}) {
    for (const Sample& s : list) {
      if (!s.ask_jvm) continue;
      std::ofstream(dir / s.name, std::ios::binary) << s.bytes;
      EXPECT_TRUE(ours.emplace(s.name, s.message.empty()).second) << s.name;
    }
  }
  const std::string command = "java " REJIG_CLASSES_DIR "/LoadAll.java " +
                              dir.string() + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::size_t answers = 0;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const std::string text(line);
    const auto blank = text.find(' ');
    const auto known = ours.find(text.substr(0, blank));
    ASSERT_NE(known, ours.end()) << text;
    ++answers;
    EXPECT_EQ(known->second, text.substr(blank + 1) == "ok\n") << text;
  }
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(answers, ours.size());
  fs::remove_all(dir);
}

}  // namespace
}  // namespace rejig::classfile
