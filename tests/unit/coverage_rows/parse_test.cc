// SPDX-License-Identifier: Apache-2.0
// What the recorder writes, read back; and the same bytes damaged.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "apps/agent/recorder.h"
#include "coverage/row/row_file.h"

namespace rejig::coverage {
namespace {

namespace fs = std::filesystem;

std::string written() {
  char name[] = "/tmp/rejig-rows-XXXXXX";
  EXPECT_NE(::mkdtemp(name), nullptr);
  const int thread = 0;
  {
    agent::Recorder recorder;
    agent::Host host;
    host.is_initialized = [](void*) { return true; };
    EXPECT_TRUE(recorder.start(name, "s", "k\0v\0\0", host, true));
    std::string_view names[] = {"p/A", "q/X", "p/Named"};
    agent::ClassUse uses[] = {{0, 3}, {1, 0}};
    agent::MethodInfo methods[2];
    methods[0].name = "<init>";
    methods[0].descriptor = "()V";
    methods[0].has_code = true;
    methods[1].name = "m";
    methods[1].descriptor = "(Lp/A;)V";
    methods[1].has_code = methods[1].is_test = methods[1].asks = true;
    methods[1].access = 0x0008;
    methods[1].uses = uses;
    methods[1].use_count = 2;
    agent::ClassInfo info;
    info.name = "p/C";
    info.super = "p/Super";
    info.access = 0x0010;
    info.names = names;
    info.name_count = 3;
    info.constant_count = 2;
    info.methods = methods;
    info.method_count = info.code_count = 2;
    agent::Digest digest{};
    digest.bytes[31] = 7;
    const auto slot = recorder.reserve("p/C", {}, 2, false);
    recorder.publish(slot, info, digest, agent::Origin::kRewritten, "",
                     recorder.source("file:/x/"), true);
    recorder.loaded(slot.number, &thread);
    const auto c =
        recorder.begin(agent::ScopeKind::kContainer, 0, "p.T", &thread);
    const auto t =
        recorder.begin(agent::ScopeKind::kTest, c, "p.T#x()", &thread);
    recorder.received(slot.first_method + 1, "", nullptr, &thread);
    recorder.received(slot.first_method, "p/A", nullptr, &thread);
    recorder.found(18 + 32, "p.C", &thread);
    recorder.found(6, "a.txt", &thread);
    recorder.end(t, agent::Result::kFail, &thread);
    recorder.end(c, agent::Result::kPass, &thread);
    recorder.finish();
  }
  std::ifstream in(fs::directory_iterator(name)->path(), std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  fs::remove_all(name);
  return out;
}

base::Result<RowFile> parse(const std::string& text) {
  // From a block of exactly this size, so that reading beyond is seen.
  const auto block = std::make_unique<std::byte[]>(text.size());
  std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(),
              block.get());
  return parse_row_file({block.get(), text.size()}, "a.rows");
}

TEST(RowFile, IsReadAsTheRecorderWroteIt) {
  const auto file = parse(written());
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_EQ(file->suite, "s");
  EXPECT_EQ(file->environment.at("k"), "v");
  EXPECT_TRUE(file->has_exit);
  EXPECT_FALSE(file->torn);
  EXPECT_EQ(file->atom_kinds.back(), "recv");
  ASSERT_EQ(file->classes.size(), 1u);
  const RecordedClass& c = file->classes[0];
  EXPECT_EQ(c.name, "p/C");
  EXPECT_EQ(c.supertypes, std::vector<std::string>{"p/Super"});
  EXPECT_TRUE(c.is_final);
  EXPECT_EQ(c.constants, 2u);
  ASSERT_EQ(c.names.size(), 3u);
  EXPECT_EQ(file->names[c.names[2]], "p/Named");
  EXPECT_EQ(file->sources.at(c.source), "file:/x/");
  ASSERT_EQ(c.methods.size(), 2u);
  EXPECT_TRUE(c.methods[1].asks && c.methods[1].is_test);
  EXPECT_TRUE(c.methods[1].is_static);
  EXPECT_EQ(c.methods[1].uses, (std::vector<std::uint32_t>{3, 32}));
  const Scope& test = file->scopes.at(2);
  EXPECT_EQ(test.id, "p.T#x()");
  EXPECT_EQ(test.result, ScopeResult::kFailed);
  EXPECT_EQ(test.work.methods, (std::vector<std::uint32_t>{1, 0}));
  ASSERT_EQ(test.work.receivers.size(), 1u);
  EXPECT_EQ(file->names[file->receivers[0].name], "p/A");
  EXPECT_EQ(file->receivers[0].method, 0u);
  ASSERT_EQ(file->facts.size(), 2u);
  EXPECT_EQ(file->facts[0].kind, FactKind::kListed);
  EXPECT_TRUE(file->facts[0].by_runner);
  EXPECT_FALSE(file->facts[1].by_runner);
  EXPECT_EQ(file->scopes.at(0).work.classes.size(), 1u);
}

// Whatever is cut off, no row is more complete than before; what was cut inside
// a record is seen to be torn.
TEST(RowFile, ATornTailIsNoError) {
  const std::string whole = written();
  for (std::size_t n = 16; n < whole.size(); ++n) {
    const auto file = parse(whole.substr(0, n));
    ASSERT_TRUE(file.ok()) << n;
    EXPECT_FALSE(file->has_exit) << n;
    const auto test = file->scopes.find(2);
    if (test != file->scopes.end() && test->second.has_end) {
      EXPECT_EQ(test->second.work.methods.size(), 2u) << n;
    }
  }
  for (std::size_t n = 0; n < 16; ++n) {
    EXPECT_FALSE(parse(whole.substr(0, n)).ok()) << n;
  }
}

TEST(RowFile, AFlippedBitIsNeverBelieved) {
  const std::string whole = written();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    const auto file = parse(bad);
    if (at < 16) {
      EXPECT_FALSE(file.ok()) << at;
    } else if (file.ok()) {
      EXPECT_TRUE(file->torn) << at;
      EXPECT_FALSE(file->has_exit) << at;
    }
  }
}

TEST(RowFile, AnotherVersionIsRefused) {
  std::string other = written();
  other[11] = 2;
  const auto file = parse(other);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message().find("another version"), std::string::npos);
}

}  // namespace
}  // namespace rejig::coverage
