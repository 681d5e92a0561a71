// SPDX-License-Identifier: Apache-2.0
// Where did the time go? Nested, scoped phases with wall and CPU time, printed
// by `--stats`. Recording is for the main thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::base {

class PhaseTimer {
 public:
  struct Phase {
    std::string name;
    unsigned depth = 0;
    double wall_ms = 0;
    double cpu_ms = 0;  // all threads of the process
  };

  class Scope {
   public:
    Scope(PhaseTimer& timer, std::size_t index)
        : timer_(&timer),
          index_(index),
          wall_(std::chrono::steady_clock::now()),
          cpu_(std::clock()) {}
    ~Scope() {
      auto& phase = timer_->phases_[index_];
      phase.wall_ms = std::chrono::duration<double, std::milli>(
                          std::chrono::steady_clock::now() - wall_)
                          .count();
      phase.cpu_ms = 1000.0 * static_cast<double>(std::clock() - cpu_) /
                     static_cast<double>(CLOCKS_PER_SEC);
      --timer_->depth_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PhaseTimer* timer_;
    std::size_t index_;
    std::chrono::steady_clock::time_point wall_;
    std::clock_t cpu_;
  };

  [[nodiscard]] Scope scope(std::string_view name) {
    phases_.push_back({std::string(name), depth_++, 0, 0});
    return Scope(*this, phases_.size() - 1);
  }
  const std::vector<Phase>& phases() const { return phases_; }

 private:
  std::vector<Phase> phases_;
  unsigned depth_ = 0;
};

}  // namespace rejig::base
