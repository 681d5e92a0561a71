// SPDX-License-Identifier: Apache-2.0
// How long does a command take, and how much memory? The smallest of several
// runs; its standard output goes to a file.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace rejig::bench {

struct Cost {
  double wall = 1e18;  // milliseconds
  double cpu = 1e18;
  long kilobytes = 0;  // at its largest, mapped files included
};

// Ends the program when the command does not exit with 0 or `also`.
Cost run_command(const std::vector<std::string>& words, int rounds,
                 const std::string& output, int also = 0);

// Runs `body` in a process of its own, which may grow as it likes: what it
// answers comes back as bytes. A process that starts others has to stay small:
// their memory counts from what it had.
void run_apart_bytes(const std::function<void(void*)>& body, void* answer,
                     std::size_t size);
template <class Answer>
Answer run_apart(const std::function<Answer()>& body) {
  static_assert(std::is_trivially_copyable_v<Answer>);
  Answer answer{};
  run_apart_bytes(
      [&](void* out) {
        const Answer made = body();
        std::memcpy(out, &made, sizeof made);
      },
      &answer, sizeof answer);
  return answer;
}

// Of `body` in this process.
Cost run_here(int rounds, const std::function<void()>& body);

}  // namespace rejig::bench
