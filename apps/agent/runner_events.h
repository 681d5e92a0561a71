// SPDX-License-Identifier: Apache-2.0
// Which test does a JUnit 3 or 4 event speak of? The events come from prefixes
// in the runners' own notifier, so no listener has to be installed. They come
// only where nobody else reports (the JUnit Platform and TestNG do), and a run
// inside a test is part of that test.
#pragma once

#include "apps/agent/hooks.h"
#include "apps/agent/recorder.h"

namespace rejig::agent {

// `method(class)` as JUnit prints a test to the id of contract and ROWS.md,
// `class#method()` or `class#*`. The result lives in `arena`.
std::string_view junit_test_id(std::string_view shown,
                               std::string_view fallback_class, Arena& arena);

class RunnerEvents {
 public:
  explicit RunnerEvents(Recorder& recorder) : recorder_(recorder) {}

  void event(unsigned event, std::string_view text, Thread thread);

 private:
  void test_started(std::string_view id, Thread thread);
  void test_finished(Thread thread);
  void worsen(Result result, Thread thread);

  Recorder& recorder_;
};

}  // namespace rejig::agent
