// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace rejig::bench {

namespace {

double milliseconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) * 1e3 +
         static_cast<double>(t.tv_usec) / 1e3;
}

double cpu_of(const rusage& used) {
  return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
}

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

}  // namespace

Cost run_command(const std::vector<std::string>& words, int rounds,
                 const std::string& output, int also) {
  std::vector<char*> argv;
  for (const auto& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  Cost best;
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    const pid_t pid = fork();
    if (pid == 0) {
      if (freopen(output.c_str(), "w", stdout) == nullptr) _exit(2);
      execv(argv[0], argv.data());
      _exit(2);
    }
    int status = 0;
    rusage used = {};
    if (wait4(pid, &status, 0, &used) != pid || !WIFEXITED(status) ||
        (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != also)) {
      std::fprintf(stderr, "%s %s failed\n", words[0].c_str(),
                   words.size() > 1 ? words[1].c_str() : "");
      std::exit(2);
    }
    best.wall = std::min(best.wall, since(start));
    best.cpu = std::min(best.cpu, cpu_of(used));
    best.kilobytes = used.ru_maxrss;
  }
  return best;
}

Cost run_here(int rounds, void (*body)(void*), void* data) {
  Cost best;
  for (int round = 0; round < rounds; ++round) {
    rusage before = {};
    rusage after = {};
    getrusage(RUSAGE_SELF, &before);
    const auto start = Clock::now();
    body(data);
    best.wall = std::min(best.wall, since(start));
    getrusage(RUSAGE_SELF, &after);
    best.cpu = std::min(best.cpu, cpu_of(after) - cpu_of(before));
  }
  return best;
}

}  // namespace rejig::bench
