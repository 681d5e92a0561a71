// SPDX-License-Identifier: Apache-2.0
// How long does a command take, and how much memory? The smallest of several
// runs; its standard output goes to a file.
#pragma once

#include <string>
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

// Of `body` in this process.
Cost run_here(int rounds, void (*body)(void*), void* data);

}  // namespace rejig::bench
