// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/recorder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace rejig::agent {
namespace {

namespace fs = std::filesystem;

// A JVM of one class: tests say whether it is initialized.
bool initialized = true;
std::uint32_t told_epoch = 0;
int released = 0;

Host host() {
  return {[](std::uint32_t e) { told_epoch = e; },
          []() -> void* { return &initialized; },
          [](void*) { return initialized; }, [](void*) { ++released; }};
}

struct FileRecord {
  unsigned kind;
  std::string payload;
};

class RecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/rejig-recorder-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    directory_ = name;
    initialized = true;
    released = 0;
    told_epoch = 0;
    ASSERT_TRUE(recorder_.start(directory_, "suite", "k\0v\0\0", host()));
    ClassInfo info;
    info.name = "p/C";
    info.methods = methods_;
    info.method_count = info.code_count = 3;
    methods_[0] = {0, "<clinit>", "()V", true, false, nullptr, 0};
    methods_[1] = {0, "a", "()V", true, false, nullptr, 0};
    methods_[2] = {0, "b", "()V", true, false, nullptr, 0};
    const ClassSlot slot = recorder_.reserve("p/C", Digest{}, 3);
    first_ = slot.first_method;
    class_ = slot.number;
    recorder_.publish(slot, info, Digest{}, Origin::kRewritten, "", 0, true);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::vector<FileRecord> records() {
    std::vector<FileRecord> out;
    const fs::path file = *fs::directory_iterator(directory_);
    std::ifstream in(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(all.substr(0, 8), "rejigrow");
    ByteReader r(Bytes(reinterpret_cast<const std::byte*>(all.data()),
                       all.size()));
    r.skip(16);
    while (!r.at_end() && !r.failed()) {
      const std::size_t at = r.pos();
      const std::uint32_t size = r.u4();
      const unsigned kind = r.u1();
      r.skip(size);
      const std::uint32_t sum = r.u4();
      EXPECT_EQ(sum, crc32(0, all.data() + at, 5 + size));
      out.push_back({kind, all.substr(at + 5, size)});
    }
    return out;
  }
  // How many records of a kind have this scope or class number and methods.
  std::size_t methods_in(Record kind, std::uint32_t number) {
    std::size_t n = 0;
    for (const FileRecord& r : records()) {
      if (r.kind != static_cast<unsigned>(kind)) continue;
      ByteReader in(Bytes(reinterpret_cast<const std::byte*>(r.payload.data()),
                          r.payload.size()));
      if (in.u4() != number) continue;
      if (kind == Record::kInit) in.u1();
      n += in.u4();
    }
    return n;
  }
  std::size_t count(Record kind) {
    std::size_t n = 0;
    for (const FileRecord& r : records()) {
      n += r.kind == static_cast<unsigned>(kind);
    }
    return n;
  }

  Recorder recorder_;
  std::string directory_;
  MethodInfo methods_[3];
  std::uint32_t first_ = 0;
  std::uint32_t class_ = 0;
  const int threads_[2] = {};
  Thread one_ = &threads_[0];
  Thread two_ = &threads_[1];
};

TEST_F(RecorderTest, WorkGoesToTheOpenTestOnly) {
  const auto c = recorder_.begin(ScopeKind::kContainer, 0, "p.T", one_);
  const auto t = recorder_.begin(ScopeKind::kTest, c, "p.T#x()", one_);
  EXPECT_NE(recorder_.enter(first_ + 1, one_), 0u);
  recorder_.end(t, Result::kPass, one_);
  recorder_.enter(first_ + 2, one_);
  recorder_.end(c, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kRow, t), 1u);
  EXPECT_EQ(methods_in(Record::kRow, c), 1u);
  EXPECT_EQ(methods_in(Record::kRow, 0), 0u);
}

TEST_F(RecorderTest, EveryScopeIsAnEpochOfItsOwn) {
  const std::uint32_t before = told_epoch;
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  EXPECT_GT(told_epoch, before);
  EXPECT_EQ(recorder_.enter(first_ + 1, one_), told_epoch);
  recorder_.end(t, Result::kPass, one_);
  EXPECT_GT(told_epoch, before + 1);
}

TEST_F(RecorderTest, InitializerHasARowOfItsOwn) {
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  recorder_.enter(first_, one_);
  recorder_.enter(first_ + 1, one_);
  initialized = true;
  recorder_.enter(first_ + 2, one_);
  recorder_.end(t, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kInit, class_), 2u);
  EXPECT_EQ(methods_in(Record::kRow, t), 3u);
  EXPECT_EQ(released, 1);
}

TEST_F(RecorderTest, OtherThreadsMustAskAgainWhileAnInitializerRuns) {
  recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  EXPECT_NE(recorder_.enter(first_, one_), 0u);
  EXPECT_EQ(recorder_.enter(first_ + 1, two_), 0u);
  EXPECT_NE(recorder_.enter(first_ + 1, one_), 0u);
  initialized = true;
  EXPECT_NE(recorder_.enter(first_ + 1, two_), 0u);
}

TEST_F(RecorderTest, ThreadsThatAskAgainDoNotGrowTheRow) {
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  recorder_.enter(first_, one_);
  for (int i = 0; i < 100; ++i) {
    recorder_.enter(first_ + 1, two_);
    recorder_.found(6, "a.txt", two_);
  }
  initialized = true;
  recorder_.end(t, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kRow, t), 2u);
}

TEST_F(RecorderTest, OverlappingTestsShareAndSayJoin) {
  const auto a = recorder_.begin(ScopeKind::kTest, 0, "p.T#a()", one_);
  const auto b = recorder_.begin(ScopeKind::kTest, 0, "p.T#b()", two_);
  recorder_.enter(first_ + 1, two_);
  recorder_.end(a, Result::kPass, one_);
  recorder_.end(b, Result::kPass, two_);
  EXPECT_EQ(methods_in(Record::kRow, a), 1u);
  EXPECT_EQ(methods_in(Record::kRow, b), 1u);
  EXPECT_EQ(count(Record::kJoin), 1u);
}

TEST_F(RecorderTest, TestsOneAfterTheOtherAreNotJoined) {
  for (const char* id : {"p.T#a()", "p.T#b()"}) {
    recorder_.end(recorder_.begin(ScopeKind::kTest, 0, id, one_),
                  Result::kPass, one_);
  }
  EXPECT_EQ(count(Record::kJoin), 0u);
}

TEST_F(RecorderTest, OpenTestIsNotInTheFileBeforeItsEnd) {
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  recorder_.enter(first_ + 1, one_);
  EXPECT_EQ(count(Record::kBegin), 1u);
  EXPECT_EQ(methods_in(Record::kRow, t), 0u);
  EXPECT_EQ(count(Record::kEnd), 0u);
}

TEST_F(RecorderTest, SameClassAgainKeepsItsNumbers) {
  const ClassSlot again = recorder_.reserve("p/C", Digest{}, 3);
  EXPECT_TRUE(again.known);
  EXPECT_EQ(again.first_method, first_);
  Digest other{};
  other.bytes[0] = 1;
  EXPECT_FALSE(recorder_.reserve("p/C", other, 3).known);
}

TEST_F(RecorderTest, MethodNumbersRunOut) {
  Digest other{};
  other.bytes[0] = 2;
  EXPECT_TRUE(
      recorder_.reserve("p/D", other, Recorder::kMaxMethods).refused);
}

TEST_F(RecorderTest, FactsAreDefinedOnce) {
  recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  recorder_.found(6, "a.txt", one_);
  recorder_.found(6, "a.txt", one_);
  recorder_.found(7, "a.txt", one_);
  recorder_.finish();
  EXPECT_EQ(count(Record::kFact), 2u);
  EXPECT_EQ(count(Record::kExit), 1u);
}

TEST(RecorderWithoutDirectory, DoesNotStart) {
  Recorder r;
  EXPECT_FALSE(r.start("/nonexistent/rejig", "s", "\0", host()));
  EXPECT_NE(r.enter(0, &r), 0u);
  EXPECT_EQ(r.begin(ScopeKind::kTest, 0, "x#y()", &r), 0u);
}

}  // namespace
}  // namespace rejig::agent
