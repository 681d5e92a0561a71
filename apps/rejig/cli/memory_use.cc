// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/memory_use.h"

#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace rejig::app {

namespace {

// "VmHWM:     1234 kB"
bool take(std::string_view line, std::string_view name, std::uint64_t& bytes) {
  if (!line.starts_with(name)) return false;
  line.remove_prefix(name.size());
  line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
  std::uint64_t kilobytes = 0;
  if (std::from_chars(line.data(), line.data() + line.size(), kilobytes).ec !=
      std::errc()) {
    return false;
  }
  bytes = kilobytes * 1024;
  return true;
}

}  // namespace

std::optional<MemoryUse> memory_use() {
  std::ifstream status("/proc/self/status");
  MemoryUse out;
  bool has_own = false;
  bool has_peak = false;
  for (std::string line; std::getline(status, line);) {
    has_own = take(line, "RssAnon:", out.own) || has_own;
    has_peak = take(line, "VmHWM:", out.peak) || has_peak;
  }
  if (!has_own || !has_peak) return std::nullopt;
  return out;
}

std::optional<MemoryUse> memory_in_use() {
  ::malloc_trim(0);
  return memory_use();
}

}  // namespace rejig::app
