// SPDX-License-Identifier: Apache-2.0
// How is one phase spread over the cores? A pool of workers that share the
// indices 0..n-1 of a data-parallel phase. Results are written per index by the
// body, so they do not depend on the schedule; an exception is rethrown in the
// caller, the one of the smallest index first.
// A pool of 1 runs everything in the caller's thread. Not reentrant.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::base {

class ThreadPool {
 public:
  // 0 workers means one for each core.
  explicit ThreadPool(unsigned workers = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned workers() const;

  // body(worker, index) for every index; worker < workers().
  void for_each(std::size_t n,
                const std::function<void(unsigned, std::size_t)>& body);
  // body(worker, begin, end) for consecutive pieces of at most `grain`.
  void for_ranges(
      std::size_t n, std::size_t grain,
      const std::function<void(unsigned, std::size_t, std::size_t)>& body);

  // fn(worker, index) -> Result<T>; the values in input order, or the error of
  // the smallest index that failed.
  template <class T, class F>
  Result<std::vector<T>> collect(std::size_t n, F&& fn) {
    std::vector<Result<T>> slots;
    slots.reserve(n);
    for (std::size_t i = 0; i < n; ++i) slots.emplace_back(T());
    for_each(n, [&](unsigned worker, std::size_t i) {
      slots[i] = fn(worker, i);
    });
    std::vector<T> out;
    out.reserve(n);
    for (auto& slot : slots) {
      if (!slot.ok()) return std::move(slot).error();
      out.push_back(std::move(slot).value());
    }
    return out;
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rejig::base
