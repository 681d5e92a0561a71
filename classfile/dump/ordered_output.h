// SPDX-License-Identifier: Apache-2.0
// How do parallel pieces of text come out in order, without holding all of them?
// Each worker hands in the piece of its index; whoever brings the next one
// writes it and what waits behind it. A worker that is far ahead waits until
// the others caught up; the one that works on the next piece never waits, so
// indices must be handed out in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rejig::classfile {

class OrderedOutput {
 public:
  using Write = std::function<void(std::string_view)>;

  // At most `limit` bytes wait (and the pieces in work).
  OrderedOutput(Write write, std::size_t limit)
      : write_(std::move(write)), limit_(limit) {}

  // Leaves the piece empty, with its memory where that is possible. May throw
  // what `write` throws, in this and all later calls of any worker.
  void put(std::size_t index, std::string& piece) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] {
      return stopped_ || index == next_ || waiting_bytes_ < limit_;
    });
    if (stopped_) return;
    if (index != next_) {
      waiting_bytes_ += piece.size();
      waiting_.emplace_back(index, std::exchange(piece, {}));
      return;
    }
    try {
      write_(piece);
      piece.clear();
      ++next_;
      std::string waited;
      while (take(waited)) {
        write_(waited);
        ++next_;
      }
    } catch (...) {
      stopped_ = true;
      room_.notify_all();
      throw;
    }
    room_.notify_all();
  }

  // What there is of a piece that is not complete: written and cleared when it
  // is its turn, left alone otherwise. May throw as put().
  void put_begin(std::size_t index, std::string& piece) {
    const std::scoped_lock lock(mutex_);
    if (stopped_ || index != next_) return;
    try {
      write_(piece);
    } catch (...) {
      stopped_ = true;
      room_.notify_all();
      throw;
    }
    piece.clear();
  }

  // True when a write failed: nothing more will be written.
  bool stopped() {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }

 private:
  bool take(std::string& piece) {
    for (auto& slot : waiting_) {
      if (slot.first != next_) continue;
      piece = std::move(slot.second);
      waiting_bytes_ -= piece.size();
      std::swap(slot, waiting_.back());
      waiting_.pop_back();
      return true;
    }
    return false;
  }

  Write write_;
  std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::size_t next_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::vector<std::pair<std::size_t, std::string>> waiting_;
  bool stopped_ = false;
};

}  // namespace rejig::classfile
