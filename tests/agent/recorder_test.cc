// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/recorder.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rejig::agent {
namespace {

namespace fs = std::filesystem;

// A JVM of one class: tests say whether it is initialized.
bool initialized = true;
std::uint32_t told_epoch = 0;
int released = 0;
std::set<std::uint32_t> marks;                             // methods
std::set<std::pair<std::uint32_t, void*>> receiver_marks;  // method, class

Host host() {
  return {[](std::uint32_t e, std::uint32_t, Ids& marked) {
            told_epoch = e;
            for (const auto m : marks) marked.add(m);
            marks.clear();
            receiver_marks.clear();
          },
          [](std::uint32_t m, void* c) { receiver_marks.emplace(m, c); },
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
    marks.clear();
    receiver_marks.clear();
    ASSERT_TRUE(
        recorder_.start(directory_, "suite", "k\0v\0\0", host(), true));
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
  // Lengths of the lists of a scope's rows: methods, classes, facts, receivers.
  std::vector<std::size_t> lists_in(std::uint32_t scope) {
    std::vector<std::size_t> out(4);
    for (const FileRecord& r : records()) {
      if (r.kind != static_cast<unsigned>(Record::kRow)) continue;
      ByteReader in(Bytes(reinterpret_cast<const std::byte*>(r.payload.data()),
                          r.payload.size()));
      if (in.u4() != scope) continue;
      for (auto& n : out) n += in.u4();
    }
    return out;
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
  marks = {first_ + 1};
  recorder_.end(t, Result::kPass, one_);
  marks = {first_ + 2};
  recorder_.end(c, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kRow, t), 1u);
  EXPECT_EQ(methods_in(Record::kRow, c), 1u);
  EXPECT_EQ(methods_in(Record::kRow, 0), 0u);
}

TEST_F(RecorderTest, EveryScopeIsAnEpochOfItsOwn) {
  const std::uint32_t before = told_epoch;
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  EXPECT_GT(told_epoch, before);
  marks = {first_ + 1};
  recorder_.end(t, Result::kPass, one_);
  EXPECT_GT(told_epoch, before + 1);
  EXPECT_TRUE(marks.empty());
}

TEST_F(RecorderTest, EveryReceiverIsToldOnceAnEpoch) {
  int a = 0;
  int b = 0;
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(recorder_.received(first_ + 1, "p/C", &a, one_), told_epoch);
    EXPECT_EQ(recorder_.received(first_ + 1, "p/D", &b, one_), told_epoch);
  }
  recorder_.received(first_ + 2, "", &b, one_);  // of a hidden class
  EXPECT_TRUE(receiver_marks.contains({first_ + 1, &b}));
  recorder_.end(t, Result::kPass, one_);
  EXPECT_EQ(count(Record::kReceiver), 2u);
  EXPECT_EQ(methods_in(Record::kRow, t), 2u);
  EXPECT_EQ(lists_in(t)[3], 2u);
  EXPECT_TRUE(receiver_marks.empty());
}

TEST_F(RecorderTest, MarksBelongToWhoWasOpenMeanwhile) {
  marks = {first_ + 1};
  const auto c = recorder_.begin(ScopeKind::kContainer, 0, "p.T", one_);
  marks.insert(first_ + 1);
  const auto t = recorder_.begin(ScopeKind::kTest, c, "p.T#x()", one_);
  marks = {first_ + 1, first_ + 2};
  recorder_.end(t, Result::kPass, one_);
  recorder_.end(c, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kRow, 0), 1u);
  EXPECT_EQ(methods_in(Record::kRow, c), 1u);
  EXPECT_EQ(methods_in(Record::kRow, t), 2u);
}

TEST_F(RecorderTest, InitializerHasARowOfItsOwn) {
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  marks = {first_ + 2};
  initialized = false;
  recorder_.initializes(first_, one_);
  marks = {first_ + 1};
  recorder_.initialized(first_, one_);
  EXPECT_EQ(released, 1);
  marks = {first_ + 2};
  recorder_.end(t, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kInit, class_), 2u);
  // b before and after, the initializer and what it called.
  EXPECT_EQ(methods_in(Record::kRow, t), 4u);
}

// It threw, or has several returns: what ran until somebody looked is its, too.
TEST_F(RecorderTest, InitializerWithoutAnEndIsFoundDone) {
  const auto t = recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  recorder_.initializes(first_, one_);
  marks = {first_ + 1};
  recorder_.found(6, "a.txt", one_);
  EXPECT_EQ(released, 0);
  initialized = true;
  marks.insert(first_ + 2);
  recorder_.found(6, "b.txt", one_);
  EXPECT_EQ(released, 1);
  EXPECT_EQ(methods_in(Record::kInit, class_), 0u);  // not flushed
  recorder_.end(t, Result::kPass, one_);
  EXPECT_EQ(methods_in(Record::kInit, class_), 3u);
  EXPECT_EQ(methods_in(Record::kRow, t), 3u);
}

// A mark does not say whose it is: it goes to every initializer that runs.
TEST_F(RecorderTest, WorkOfOtherThreadsIsTheInitializersToo) {
  recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  recorder_.initializes(first_, one_);
  marks = {first_ + 1};
  recorder_.begin(ScopeKind::kTest, 0, "p.T#y()", two_);
  marks = {first_ + 1, first_ + 2};
  recorder_.initialized(first_, two_);  // not its thread's
  EXPECT_EQ(released, 0);
  recorder_.initialized(first_, one_);
  EXPECT_EQ(released, 1);
  recorder_.finish();
  EXPECT_EQ(methods_in(Record::kInit, class_), 3u);
}

// Who is outside must say again what it finds: those inside find it, too.
TEST_F(RecorderTest, FactsBelongToTheInitializerOfTheirThread) {
  recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_);
  initialized = false;
  recorder_.initializes(first_, one_);
  EXPECT_EQ(recorder_.found(6, "a.txt", two_), 0u);
  EXPECT_EQ(recorder_.found(6, "a.txt", one_), told_epoch);
  for (int i = 0; i < 100; ++i) recorder_.found(6, "b.txt", two_);
  recorder_.initialized(first_, one_);
  EXPECT_EQ(recorder_.found(6, "b.txt", two_), told_epoch);
  recorder_.finish();
  std::vector<std::size_t> facts;
  for (const FileRecord& r : records()) {
    if (r.kind != static_cast<unsigned>(Record::kInit)) continue;
    ByteReader in(Bytes(reinterpret_cast<const std::byte*>(r.payload.data()),
                        r.payload.size()));
    in.skip(4 + 1 + 4 + 4);
    facts.push_back(in.u4());
  }
  EXPECT_EQ(facts, std::vector<std::size_t>{1});
}

TEST_F(RecorderTest, OverlappingTestsShareAndSayJoin) {
  const auto a = recorder_.begin(ScopeKind::kTest, 0, "p.T#a()", one_);
  const auto b = recorder_.begin(ScopeKind::kTest, 0, "p.T#b()", two_);
  marks = {first_ + 1};
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
  marks = {first_ + 1};
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

TEST_F(RecorderTest, NamesAreDefinedOnceAndBeforeTheirUse) {
  std::string_view names[] = {"p/A", "p/B"};
  for (const std::uint8_t i : {std::uint8_t{3}, std::uint8_t{4}}) {
    ClassInfo info;
    info.name = i == 3 ? "p/E" : "p/F";
    info.names = names;
    info.name_count = 2;
    Digest digest{};
    digest.bytes[0] = i;
    recorder_.publish(recorder_.reserve(info.name, digest, 0), info, digest,
                      Origin::kExternal, "", 0, false);
  }
  recorder_.finish();
  // p/C, p/E, p/A, p/B, p/F.
  EXPECT_EQ(count(Record::kName), 5u);
  EXPECT_TRUE(recorder_.is_of_library("p.E"));
  EXPECT_FALSE(recorder_.is_of_library("p.C"));
  EXPECT_FALSE(recorder_.is_of_library("p.A"));
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
  r.initializes(0, &r);
  r.initialized(0, &r);
  EXPECT_EQ(r.begin(ScopeKind::kTest, 0, "x#y()", &r), 0u);
}

// What stays for a method of a large program: here, its class's share, and the
// tables of the recorder and of the marks class.
TEST_F(RecorderTest, KeepsFewBytesForAMethod) {
  constexpr unsigned kClasses = 5000;
  constexpr unsigned kMethods = 9;
  constexpr std::size_t kInTables = sizeof(std::uint32_t) + sizeof(short);
  MethodInfo methods[kMethods];
  for (MethodInfo& m : methods) m = {0, "m", "()V", true, false, nullptr, 0};
  const auto in_use = [] {
    const auto now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const auto before = in_use();
  for (unsigned i = 0; i < kClasses; ++i) {
    const std::string name = "org/example/some/folder/NameOfAClass" + std::to_string(i);
    Digest digest{};
    std::memcpy(digest.bytes, &i, sizeof i);
    const auto slot = recorder_.reserve(name, digest, kMethods);
    ASSERT_FALSE(slot.refused);
    ClassInfo info;
    info.name = name;
    info.methods = methods;
    info.method_count = info.code_count = kMethods;
    recorder_.publish(slot, info, digest, Origin::kRewritten, "", 0, true);
  }
  const auto grown = static_cast<double>(in_use() - before);
  const double each = grown / (kClasses * kMethods) + kInTables;
  RecordProperty("bytes", std::to_string(each));
  EXPECT_LE(each, 32) << grown;
}

}  // namespace
}  // namespace rejig::agent
