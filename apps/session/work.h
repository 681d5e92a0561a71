// SPDX-License-Identifier: Apache-2.0
// What does the library need of whoever calls it? Threads, a clock for its
// phases, and somebody to tell what a person should know. It prints nothing and
// knows no command line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "classfile/base/diagnostics.h"
#include "classfile/base/parallel.h"
#include "classfile/base/phase_timer.h"
#include "classfile/base/result.h"

namespace rejig::app {

// Called from the thread that called the library. Errors are told here only
// where work goes on after them; all others are returned.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void error(std::string_view text) = 0;
  virtual void warning(std::string_view text) = 0;  // an answer got wider
  virtual void note(std::string_view text) = 0;
  // Of something that may take a while.
  virtual void begin_progress() = 0;
  virtual void progress(std::string_view what, std::uint64_t done,
                        std::uint64_t all) = 0;
  virtual void end_progress() = 0;
};

struct Work {
  explicit Work(Listener& listens) : listener(listens) {}

  Listener& listener;
  unsigned jobs = 0;   // 0: one for each core
  std::string config;  // a file of settings; empty: looked for (settings.h)
  int verbose = 0;     // above 0: small findings are told, too
  base::PhaseTimer phases;

  // Made on first use, with `jobs` workers.
  base::ThreadPool& pool() {
    if (!pool_) pool_ = std::make_unique<base::ThreadPool>(jobs);
    return *pool_;
  }
  // Tells each finding: those that widen an answer always.
  void report(const base::Diagnostics& diagnostics) const {
    for (const base::Diagnostic& d : diagnostics.items()) {
      const std::string text =
          d.where.empty() ? d.what : d.where + ": " + d.what;
      if (d.severity == base::Severity::kWidened) {
        listener.warning(text);
      } else if (verbose > 0) {
        listener.note(text);
      }
    }
  }

 private:
  std::unique_ptr<base::ThreadPool> pool_;
};

}  // namespace rejig::app
