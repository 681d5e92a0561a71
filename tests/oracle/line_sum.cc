// SPDX-License-Identifier: Apache-2.0
// Which lines are these, in whatever order? Prints how many standard input has,
// how many of them are error lines of a dump, and the sum of their digests: two
// equal answers are the same lines, the same number of times. Gigabytes of
// lines need neither room nor sorting for that.
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>

#include "classfile/base/hash.h"

namespace {

struct Sum {
  std::uint64_t lines = 0;
  std::uint64_t errors = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  void add(std::string_view line) {
    const rejig::base::Digest128 digest = rejig::base::hash128(line);
    ++lines;
    if (line.starts_with("{\"type\":\"error\"")) ++errors;
    high += digest.high;
    low += digest.low;
  }
};

}  // namespace

int main() {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  Sum sum;
  std::string held;  // what is read and no whole line yet
  std::string block(kBlock, '\0');
  while (true) {
    const ssize_t n = ::read(STDIN_FILENO, block.data(), block.size());
    if (n < 0) {
      std::perror("line_sum");
      return 2;
    }
    if (n == 0) break;
    std::string_view rest(block.data(), static_cast<std::size_t>(n));
    while (true) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) break;
      if (held.empty()) {
        sum.add(rest.substr(0, end));
      } else {
        held.append(rest.substr(0, end));
        sum.add(held);
        held.clear();
      }
      rest.remove_prefix(end + 1);
    }
    held.append(rest);
  }
  if (!held.empty()) sum.add(held);
  std::printf("%" PRIu64 " lines, %" PRIu64 " errors, %016" PRIx64 "%016" PRIx64
              "\n",
              sum.lines, sum.errors, sum.high, sum.low);
  return 0;
}
