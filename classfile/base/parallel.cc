// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace rejig::base {

struct ThreadPool::State {
  using Body = std::function<void(unsigned, std::size_t, std::size_t)>;

  unsigned workers = 1;
  std::vector<std::jthread> threads;

  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  std::uint64_t generation = 0;
  unsigned running = 0;
  bool stopping = false;

  const Body* body = nullptr;
  std::size_t n = 0;
  std::size_t grain = 1;
  std::atomic<std::size_t> next{0};
  std::size_t failed_at = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure;

  void work(unsigned worker) {
    while (true) {
      const std::size_t begin = next.fetch_add(grain);
      if (begin >= n) return;
      const std::size_t end = std::min(n, begin + grain);
      try {
        (*body)(worker, begin, end);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (begin < failed_at) {
          failed_at = begin;
          failure = std::current_exception();
        }
      }
    }
  }

  void loop(unsigned worker) {
    std::uint64_t seen = 0;
    while (true) {
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stopping || generation != seen; });
        if (stopping) return;
        seen = generation;
      }
      work(worker);
      const std::scoped_lock lock(mutex);
      if (--running == 0) idle.notify_one();
    }
  }

  void run(std::size_t count, std::size_t piece, const Body& fn) {
    {
      const std::scoped_lock lock(mutex);
      body = &fn;
      n = count;
      grain = std::max<std::size_t>(1, piece);
      next = 0;
      failed_at = std::numeric_limits<std::size_t>::max();
      failure = nullptr;
      running = static_cast<unsigned>(threads.size());
      ++generation;
    }
    wake.notify_all();
    work(0);
    std::unique_lock lock(mutex);
    idle.wait(lock, [&] { return running == 0; });
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }
};

ThreadPool::ThreadPool(unsigned workers) : state_(std::make_unique<State>()) {
  if (workers == 0) workers = std::thread::hardware_concurrency();
  state_->workers = std::max(1u, workers);
  for (unsigned w = 1; w < state_->workers; ++w) {
    state_->threads.emplace_back([state = state_.get(), w] { state->loop(w); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->threads.clear();
}

unsigned ThreadPool::workers() const { return state_->workers; }

void ThreadPool::for_ranges(
    std::size_t n, std::size_t grain,
    const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  if (n == 0) return;
  state_->run(n, grain, body);
}

void ThreadPool::for_each(
    std::size_t n, const std::function<void(unsigned, std::size_t)>& body) {
  for_ranges(n, 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(worker, i);
  });
}

}  // namespace rejig::base
