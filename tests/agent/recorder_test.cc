// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/recorder.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/agent/class_bytes.h"

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
          [](void*) { return initialized; }, [](void*) { ++released; },
          [](void (*body)(void*), void* of) {
            std::thread(body, of).detach();
            return true;
          }};
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
    bytes_ = class_bytes("p/C", {"<clinit>", "a", "b"});
    const ClassSlot slot = recorder_.reserve("p/C", bytes_of(bytes_), 3, false);
    first_ = slot.first_method;
    class_ = slot.number;
    recorder_.publish(slot, bytes_of(bytes_), Origin::kRewritten, "", 0, true);
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
  std::string bytes_;
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
  const ClassSlot again = recorder_.reserve("p/C", bytes_of(bytes_), 3, false);
  EXPECT_TRUE(again.known);
  EXPECT_EQ(again.first_method, first_);
  const std::string other = class_bytes("p/C", {"a"}, {}, 1);
  for (const bool known : {false, true}) {
    // Also when nobody published it: an agent rewrote it again.
    EXPECT_EQ(recorder_.reserve("p/C", bytes_of(other), 3, false).known, known);
  }
}

TEST_F(RecorderTest, MethodNumbersRunOut) {
  EXPECT_TRUE(
      recorder_.reserve("p/D", {}, Recorder::kMaxMethods, false).refused);
}

TEST_F(RecorderTest, NamesAreDefinedOnceAndBeforeTheirUse) {
  for (const char* name : {"p/E", "p/F"}) {
    const std::string cls = class_bytes(name, {}, {"p/A", "p/B"});
    const ClassSlot slot = recorder_.reserve(name, bytes_of(cls), 0, true);
    recorder_.publish(slot, bytes_of(cls), Origin::kExternal, "", 0, false);
  }
  recorder_.finish();
  // p/C, p/E, p/A, p/B, p/F.
  EXPECT_EQ(count(Record::kName), 5u);
  EXPECT_TRUE(recorder_.is_of_library("p.E"));
  EXPECT_FALSE(recorder_.is_of_library("p.C"));
  EXPECT_FALSE(recorder_.is_of_library("p.A"));
}

// Whoever cannot read it knows that it is there.
TEST_F(RecorderTest, ClassesThatAreNoneAreDefined) {
  const std::string junk = "no class file";
  const ClassSlot slot = recorder_.reserve("p/J", bytes_of(junk), 0, true);
  recorder_.publish(slot, bytes_of(junk), Origin::kExternal, "", 0, false);
  recorder_.finish();
  EXPECT_EQ(count(Record::kClass), 2u);
  EXPECT_EQ(count(Record::kLoss), 0u);
}

// With methods that are recorded there is no such thing.
TEST_F(RecorderTest, RewrittenClassesThatCannotBeReadAreALoss) {
  const std::string junk = "no class file";
  const ClassSlot slot = recorder_.reserve("p/J", bytes_of(junk), 0, false);
  recorder_.publish(slot, bytes_of(junk), Origin::kRewritten, "", 0, true);
  recorder_.finish();
  EXPECT_EQ(count(Record::kLoss), 1u);
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

TEST(RecorderBeforeItStarts, WhatIsFoundIsTheSessions) {
  char name[] = "/tmp/rejig-recorder-XXXXXX";
  ASSERT_NE(::mkdtemp(name), nullptr);
  {
    Recorder r;
    EXPECT_NE(r.found(7, "agent.conf", &r), 0u);
    EXPECT_NE(r.found(7, "agent.conf", &r), 0u);
    ASSERT_TRUE(r.start(name, "s", "\0", host()));
    r.found(7, "agent.conf", &r);
    r.finish();
  }
  std::string bytes;
  for (const auto& file : fs::directory_iterator(name)) {
    std::ifstream in(file.path(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  fs::remove_all(name);
  const auto at = bytes.find("agent.conf");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(bytes.find("agent.conf", at + 1), std::string::npos);
  // Of scope 0: no method, no class, one fact, no receiver; the first one.
  const std::string row("\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\2", 22);
  EXPECT_NE(bytes.find(row), std::string::npos);
}

// What stays for a method of a large program: here, its class's share, and the
// tables of the recorder and of the marks class.
TEST_F(RecorderTest, KeepsFewBytesForAMethod) {
  constexpr unsigned kClasses = 5000;
  constexpr unsigned kMethods = 9;
  constexpr std::size_t kInTables = sizeof(std::uint32_t) + sizeof(short);
  const std::vector<std::string> methods(kMethods, "m");
  const auto in_use = [] {
    const auto now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const auto before = in_use();
  for (unsigned i = 0; i < kClasses; ++i) {
    const std::string name = "org/example/some/folder/NameOfAClass" + std::to_string(i);
    const std::string cls = class_bytes(name, methods);
    const auto slot = recorder_.reserve(name, bytes_of(cls), kMethods, false);
    ASSERT_FALSE(slot.refused);
    recorder_.publish(slot, bytes_of(cls), Origin::kRewritten, "", 0, true);
  }
  // What waits for the file goes there, and into a row.
  recorder_.end(recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_),
                Result::kPass, one_);
  const auto grown = static_cast<double>(in_use() - before);
  const double each = grown / (kClasses * kMethods) + kInTables;
  RecordProperty("bytes", std::to_string(each));
  EXPECT_LE(each, 32) << grown;
}

// Many threads load classes while tests begin and end, and the log reads them
// beside: in the file every class stands before the row that has it.
TEST_F(RecorderTest, ClassesStandBeforeTheRowsThatHaveThem) {
  constexpr unsigned kEach = 3000;
  std::vector<std::thread> loaders;
  for (const char* package : {"p/", "q/", "r/"}) {
    loaders.emplace_back([this, package] {
      for (unsigned i = 0; i < kEach; ++i) {
        // Some have the same name and other bytes.
        const std::string name = package + std::to_string(i % (kEach - 50));
        const std::string cls = class_bytes(name, {"m"}, {"q/7", "r/8"}, i);
        const auto slot = recorder_.reserve(name, bytes_of(cls), 1, false);
        recorder_.publish(slot, bytes_of(cls), Origin::kRewritten, "", 0, true);
        recorder_.loaded(slot.number, package);
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    recorder_.end(recorder_.begin(ScopeKind::kTest, 0, "p.T#x()", one_),
                  Result::kPass, one_);
  }
  for (std::thread& t : loaders) t.join();
  recorder_.finish();
  std::set<std::uint32_t> defined;
  std::size_t loads = 0;
  for (const FileRecord& r : records()) {
    ByteReader in(bytes_of(r.payload));
    const std::uint32_t number = in.u4();
    if (r.kind == static_cast<unsigned>(Record::kClass)) {
      EXPECT_TRUE(defined.insert(number).second);
    }
    if (r.kind != static_cast<unsigned>(Record::kRow)) continue;
    EXPECT_EQ(in.u4(), 0u);
    const std::uint32_t n = in.u4();
    in.skip(8);
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t v = 0;
      for (unsigned shift = 0;; shift += 7) {
        const unsigned b = in.u1();
        v |= (b & 0x7f) << shift;
        if (b < 0x80) break;
      }
      last += (v >> 1) ^ (0 - (v & 1));
      EXPECT_TRUE(defined.contains(last)) << last;
      ++loads;
    }
    EXPECT_FALSE(in.failed());
  }
  EXPECT_EQ(defined.size(), 3 * kEach + 1);
  EXPECT_EQ(loads, 3 * kEach);
  EXPECT_EQ(count(Record::kLoss), 0u);
}

}  // namespace
}  // namespace rejig::agent
