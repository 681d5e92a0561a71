// SPDX-License-Identifier: Apache-2.0
// How much memory of its own does this process have, and how much had it at
// most? Pages of mapped files are not its own.
#pragma once

#include <cstdint>
#include <optional>

namespace rejig::app {

struct MemoryUse {
  std::uint64_t own = 0;   // bytes
  std::uint64_t peak = 0;  // bytes, with mapped files
};

// Empty where the system does not say.
std::optional<MemoryUse> memory_use();

// The same after the heap gave back what it does not use.
std::optional<MemoryUse> memory_in_use();

}  // namespace rejig::app
