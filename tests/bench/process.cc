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

void run_apart_bytes(const std::function<void(void*)>& body, void* answer,
                     std::size_t size) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(2);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    std::vector<char> bytes(size);
    body(bytes.data());
    const bool written =
        write(ends[1], bytes.data(), size) == static_cast<ssize_t>(size);
    std::fflush(nullptr);
    _exit(written ? 0 : 2);
  }
  close(ends[1]);
  const bool read_all = read(ends[0], answer, size) == static_cast<ssize_t>(size);
  close(ends[0]);
  int status = 0;
  if (waitpid(pid, &status, 0) != pid || status != 0 || !read_all) std::exit(2);
}

Cost run_here(int rounds, const std::function<void()>& body) {
  Cost best;
  for (int round = 0; round < rounds; ++round) {
    rusage before = {};
    rusage after = {};
    getrusage(RUSAGE_SELF, &before);
    const auto start = Clock::now();
    body();
    best.wall = std::min(best.wall, since(start));
    getrusage(RUSAGE_SELF, &after);
    best.cpu = std::min(best.cpu, cpu_of(after) - cpu_of(before));
  }
  return best;
}

}  // namespace rejig::bench
