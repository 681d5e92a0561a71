// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <thread>

namespace rejig::app {

namespace {

constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
constexpr int kStep = 64 << 20;  // of addresses; what is not used costs nothing
constexpr int kLargestBlock = 32 << 20;  // malloc accepts no more

}  // namespace

void prepare_heap(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  // One arena each: what one thread frees, the next one of its kind has.
  ::mallopt(M_ARENA_MAX, static_cast<int>(std::min(threads, 1024U)));
  ::mallopt(M_TOP_PAD, kStep);
  ::mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kStep);
  // Larger than what is left of the first step: the heap grows.
  void* const block = std::malloc(std::size_t{1} << 20);
  if (block == nullptr) return;
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  auto begin = reinterpret_cast<std::uintptr_t>(block);
  std::free(block);
  begin = (begin + kLargePage - 1) / kLargePage * kLargePage;
  if (begin < end && end - begin <= 2 * std::uintptr_t{kStep}) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the heap
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
}

}  // namespace rejig::app
