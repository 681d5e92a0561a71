// SPDX-License-Identifier: Apache-2.0
// A writer that is killed, shut out, or runs out of room leaves the store as it
// was; two writers both get their rows in.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "coverage/store/store.h"
#include "tests/unit/coverage_store/model.h"

namespace rejig::coverage::test {
namespace {

using testing::HasSubstr;

Model shard(unsigned seed) {
  std::mt19937_64 random(seed);
  return random_model(random, {40, 30, 60});
}

base::Result<void> add_shard(const std::string& path, const Model& model,
                             unsigned wait_ms = 60'000) {
  return update_store(path,
                      [&](MatrixBuilder& builder) -> base::Result<void> {
                        model.add_to(builder);
                        return {};
                      },
                      {wait_ms});
}

Model stored(const std::string& path) {
  EXPECT_TRUE(verify_store(path).ok());
  auto matrix = open_store(path);
  EXPECT_TRUE(matrix.ok());
  return matrix.ok() ? model_of(**matrix) : Model();
}

// Runs body() in a child; its exit status is 0 if body() is true.
template <class F>
pid_t start(F&& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  return child;
}
int status_of(pid_t child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

// Kills the child before its n-th system call; false when it had ended before.
bool killed_at_call(pid_t child, long n) {
  int status = status_of(child);  // its SIGSTOP
  EXPECT_TRUE(WIFSTOPPED(status));
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_EXITKILL);
  for (long stop = 0; stop < n; ++stop) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    status = status_of(child);
    if (WIFEXITED(status)) return false;
  }
  ::kill(child, SIGKILL);
  status = status_of(child);
  EXPECT_TRUE(WIFSIGNALED(status));
  return true;
}

// The kernel kills this process when the time is over.
void die_after(long nanoseconds) {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer = {};
  ::timer_create(CLOCK_MONOTONIC, &event, &timer);
  itimerspec when = {};
  when.it_value.tv_sec = nanoseconds / 1'000'000'000;
  when.it_value.tv_nsec = nanoseconds % 1'000'000'000 + 1;
  ::timer_settime(timer, 0, &when, nullptr);
}

// Entering and leaving every system call of a writer is a point to die at:
// between two of them nothing changes that another process could see.
TEST(StoreCrash, KilledAtEverySystemCallTheStoreIsOldOrNew) {
  const Folder folder;
  const auto path = folder / "m.db";
  const Model old_rows = shard(1);
  const Model more = shard(2);
  Model both = old_rows;
  both.add(more);
  ASSERT_TRUE(add_shard(path, old_rows).ok());
  const auto old_bytes = bytes_of(path);
  std::size_t kills = 0;
  std::size_t kept = 0;
  std::size_t replaced = 0;
  for (long n = 1;; ++n) {
    const pid_t child = start([&] {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      return add_shard(path, more).ok();
    });
    if (!killed_at_call(child, n)) break;
    ++kills;
    if (bytes_of(path) == old_bytes) {
      ++kept;
      if (n % 16 == 0) {
        ASSERT_EQ(stored(path), old_rows);
      }
      continue;
    }
    ++replaced;
    ASSERT_EQ(stored(path), both) << "killed at stop " << n;
    std::filesystem::remove(path);
    ASSERT_TRUE(add_shard(path, old_rows).ok());
    ASSERT_EQ(bytes_of(path), old_bytes);
  }
  EXPECT_EQ(stored(path), both);
  EXPECT_GT(kept, 0U);
  EXPECT_GT(replaced, 0U);
  RecordProperty("kills", static_cast<int>(kills));
  printf("%zu kills at system calls: %zu kept, %zu replaced\n", kills, kept,
         replaced);
}

// And at moments that no system call marks: a spread of delays from nothing to
// twice what an undisturbed writer takes.
TEST(StoreCrash, KilledAtAThousandMomentsTheStoreIsOldOrNew) {
  const Folder folder;
  const auto path = folder / "m.db";
  std::mt19937_64 random(20);
  Model known = shard(100);
  ASSERT_TRUE(add_shard(path, known).ok());
  timespec begin = {};
  timespec end = {};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  ASSERT_TRUE(add_shard(path, known).ok());
  clock_gettime(CLOCK_MONOTONIC, &end);
  const long took = (end.tv_sec - begin.tv_sec) * 1'000'000'000 +
                    (end.tv_nsec - begin.tv_nsec);
  std::string known_bytes = bytes_of(path);
  std::size_t kept = 0;
  std::size_t replaced = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    const Model more = random_model(random, {6, 30, 400});
    Model next = known;
    next.add(more);
    const long delay =
        static_cast<long>(random() % static_cast<unsigned long>(2 * took));
    status_of(start([&] {
      die_after(delay);
      return add_shard(path, more).ok();
    }));
    const auto bytes = bytes_of(path);
    if (bytes == known_bytes) {
      ++kept;
      continue;
    }
    ++replaced;
    ASSERT_EQ(stored(path), next) << "round " << i;
    if (next.rows.size() > 300) {
      std::filesystem::remove(path);
      next = shard(100);
      ASSERT_TRUE(add_shard(path, next).ok());
    }
    known = next;
    known_bytes = bytes_of(path);
  }
  printf("1000 kills at moments: %zu kept, %zu replaced\n", kept, replaced);
  EXPECT_GT(kept, 0U);
  EXPECT_GT(replaced, 0U);
  // The next writer clears up what they left.
  ASSERT_TRUE(add_shard(path, {}).ok());
  EXPECT_EQ(
      std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(StoreCrash, WritersWaitForEachOther) {
  const Folder folder;
  const auto path = folder / "m.db";
  std::vector<pid_t> children;
  Model all;
  for (unsigned i = 0; i < 12; ++i) {
    all.add(shard(i));
    children.push_back(start([&] { return add_shard(path, shard(i)).ok(); }));
  }
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  EXPECT_EQ(stored(path), all);
}

TEST(StoreCrash, AWriterThatIsShutOutSaysSo) {
  const Folder folder;
  const auto path = folder / "m.db";
  ASSERT_TRUE(add_shard(path, shard(1)).ok());
  const int held = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const auto result = add_shard(path, shard(2), 20);
  ::close(held);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().what, HasSubstr("another process is writing"));
  EXPECT_EQ(stored(path), shard(1));
  EXPECT_TRUE(add_shard(path, shard(2), 20).ok());
}

TEST(StoreCrash, WithoutRoomTheStoreStays) {
  const Folder folder;
  const auto path = folder / "m.db";
  ASSERT_TRUE(add_shard(path, shard(1)).ok());
  const auto old_bytes = bytes_of(path);
  Model large;
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    std::string noise(4096, '\0');
    for (auto& c : noise) c = static_cast<char>(random());
    large.facts["class/p.C" + std::to_string(i)].insert(noise);
  }
  for (rlim_t room = 0; room < 900'000; room += 24'000) {
    const pid_t child = start([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {room, room};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const auto result = add_shard(path, large);
      if (result.ok()) return room > 200'000;
      const auto message = result.error().message();
      return message.find("m.db.new") != std::string::npos &&
             (message.find("I/O error") != std::string::npos ||
              message.find("is full") != std::string::npos);
    });
    EXPECT_EQ(status_of(child), 0) << room;
    if (bytes_of(path) == old_bytes) continue;
    EXPECT_GT(room, 200'000U);
    return;
  }
  FAIL() << "the limit was never large enough";
}

TEST(StoreCrash, AReadOnlyFolderIsAnErrorForWritersOnly) {
  const Folder folder;
  std::filesystem::create_directory(folder / "s");
  const auto path = folder / "s/m.db";
  ASSERT_TRUE(add_shard(path, shard(1)).ok());
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "s", std::filesystem::perms(0555));
  const pid_t child = start([&] {
    // Root is not bound by modes; nobody is.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;
    const auto result = add_shard(path, shard(2));
    return !result.ok() &&
           result.error().what.find("Permission denied") != std::string::npos &&
           verify_store(path).ok();
  });
  EXPECT_EQ(status_of(child), 0);
  std::filesystem::permissions(folder / "s", std::filesystem::perms(0755));
  EXPECT_EQ(stored(path), shard(1));
}

}  // namespace
}  // namespace rejig::coverage::test
