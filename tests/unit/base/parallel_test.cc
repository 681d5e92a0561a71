// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>

namespace rejig::base {
namespace {

TEST(ThreadPool, EveryIndexOnceByAWorkerOfItsOwnNumber) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    ThreadPool pool(workers);
    ASSERT_EQ(pool.workers(), workers);
    // Not once only: the pool is used again for the next phase.
    for (const std::size_t n : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> times(n);
      pool.for_each(n, [&](unsigned worker, std::size_t i) {
        EXPECT_LT(worker, workers);
        ++times[i];
      });
      for (const auto& count : times) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, RangesCoverEverythingInPiecesOfTheGrain) {
  ThreadPool pool(3);
  std::vector<int> times(1001);
  pool.for_ranges(1001, 64, [&](unsigned, std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin % 64, 0u);
    EXPECT_LE(end - begin, 64u);
    for (std::size_t i = begin; i < end; ++i) ++times[i];
  });
  EXPECT_EQ(times, std::vector<int>(1001, 1));
}

TEST(ThreadPool, APoolOfOneStaysInTheCallersThread) {
  ThreadPool pool(1);
  const auto caller = std::this_thread::get_id();
  pool.for_each(10, [&](unsigned, std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ThreadPool, ReallyRunsAtTheSameTime) {
  ThreadPool pool(2);
  // Both have to be inside before one can leave.
  std::latch both(2);
  pool.for_each(2, [&](unsigned, std::size_t) { both.arrive_and_wait(); });
  EXPECT_TRUE(both.try_wait());
}

TEST(ThreadPool, TheExceptionOfTheSmallestIndexArrives) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    ThreadPool pool(workers);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> done{0};
      std::string caught;
      try {
        pool.for_each(200, [&](unsigned, std::size_t i) {
          ++done;
          if (i % 50 == 37) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& e) {
        caught = e.what();
      }
      ASSERT_EQ(caught, "37");
      ASSERT_EQ(done, 200);
    }
    // And the pool lives on.
    std::atomic<int> sum{0};
    pool.for_each(4,
                  [&](unsigned, std::size_t i) { sum += static_cast<int>(i); });
    ASSERT_EQ(sum, 6);
  }
}

TEST(ThreadPool, ErrorsArriveInTheOrderOfTheInput) {
  for (const unsigned workers : {1u, 4u}) {
    ThreadPool pool(workers);
    // The last that fails is done first where there is a second worker.
    const auto failing =
        pool.collect<int>(300, [](unsigned, std::size_t i) -> Result<int> {
          if (i == 120 || i == 299) {
            return Error{Errc::kMalformed, std::to_string(i), ""};
          }
          return static_cast<int>(i);
        });
    ASSERT_FALSE(failing.ok());
    ASSERT_EQ(failing.error().what, "120");
    const auto good =
        pool.collect<int>(300, [](unsigned, std::size_t i) -> Result<int> {
          return static_cast<int>(i) * 2;
        });
    ASSERT_TRUE(good.ok());
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ((*good)[static_cast<std::size_t>(i)], 2 * i);
    }
  }
}

}  // namespace
}  // namespace rejig::base
