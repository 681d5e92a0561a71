// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/phase_timer.h"

#include <gtest/gtest.h>

namespace rejig::base {
namespace {

void busy_for(double ms) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
             .count() < ms) {
  }
}

TEST(PhaseTimer, PhasesAreATreeInTheOrderOfTheirBeginning) {
  PhaseTimer timer;
  {
    const auto read = timer.scope("read");
    {
      const auto open = timer.scope("open");
      busy_for(2);
    }
    {
      const auto parse = timer.scope("parse");
      busy_for(3);
    }
  }
  { const auto write = timer.scope("write"); }
  const auto& phases = timer.phases();
  ASSERT_EQ(phases.size(), 4u);
  EXPECT_EQ(phases[0].name, "read");
  EXPECT_EQ(phases[1].name, "open");
  EXPECT_EQ(phases[2].name, "parse");
  EXPECT_EQ(phases[3].name, "write");
  EXPECT_EQ(phases[0].depth, 0u);
  EXPECT_EQ(phases[1].depth, 1u);
  EXPECT_EQ(phases[2].depth, 1u);
  EXPECT_EQ(phases[3].depth, 0u);
  EXPECT_GE(phases[1].wall_ms, 2);
  EXPECT_GE(phases[2].wall_ms, 3);
  EXPECT_GE(phases[0].wall_ms, phases[1].wall_ms + phases[2].wall_ms);
  EXPECT_LT(phases[3].wall_ms, phases[0].wall_ms);
  EXPECT_GT(phases[0].cpu_ms, 0);
}

}  // namespace
}  // namespace rejig::base
