// SPDX-License-Identifier: Apache-2.0
// How long does `rejig diff OLD NEW` take, as a whole process, beside the least
// that must be done?
//
//   bench_diff REJIG THREADS ROUNDS OLD NEW [memcmp]
//
// The least is to inflate and walk every distinct class of both jars once; with
// `memcmp` (jars that differ in one class) to compare the stored bytes. Both in
// this process, so without the start of one. The answer stands beside the times.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/bench/limit.h"
#include "tests/bench/process.h"

int main(int argc, char** argv) {
  using namespace rejig::bench;
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: bench_diff REJIG THREADS ROUNDS OLD NEW [memcmp]\n");
    return 2;
  }
  struct Work {
    std::string old_jar, new_jar;
    unsigned threads;
    bool compare;
    LimitAnswer walked;
    std::uint64_t equal;
  } work{argv[4], argv[5], static_cast<unsigned>(std::atoi(argv[2])), argc > 6,
         {},      0};
  const int rounds = std::atoi(argv[3]);
  const auto limit_body = [](void* data) {
    Work& w = *static_cast<Work*>(data);
    if (w.compare) {
      w.equal = limit_compare(w.old_jar, w.new_jar, w.threads);
    } else {
      w.walked = limit_walk_distinct(w.old_jar, w.new_jar, w.threads);
    }
  };
  // Interleaved, so that a busy moment does not count for one side only.
  Cost limit;
  Cost diff;
  const std::string answer = "/dev/null";
  for (int round = 0; round < rounds; ++round) {
    const Cost a = run_here(1, limit_body, &work);
    const Cost b = run_command({argv[1], "diff", argv[4], argv[5], "--summary",
                                "-q", "-j", argv[2]},
                               1, answer, 1);
    limit.wall = std::min(limit.wall, a.wall);
    limit.cpu = std::min(limit.cpu, a.cpu);
    diff.wall = std::min(diff.wall, b.wall);
    diff.cpu = std::min(diff.cpu, b.cpu);
    diff.kilobytes = b.kilobytes;
  }
  const std::string shown = "/tmp/rejig-bench-diff.txt";
  run_command({argv[1], "diff", argv[4], argv[5], "--summary", "-q"}, 1, shown,
              1);
  std::string first;
  std::getline(std::ifstream(shown) >> std::ws, first);
  std::remove(shown.c_str());
  if (work.compare) {
    std::printf("  limit: memcmp                  %8.1f ms %8.1f CPU"
                "            %llu bytes equal\n",
                limit.wall, limit.cpu,
                static_cast<unsigned long long>(work.equal));
  } else {
    std::printf("  limit: inflate, walk distinct  %8.1f ms %8.1f CPU"
                "            %llu classes %llu instructions\n",
                limit.wall, limit.cpu,
                static_cast<unsigned long long>(work.walked.classes),
                static_cast<unsigned long long>(work.walked.instructions));
  }
  std::printf("  rejig diff, %s thread%s          %8.1f ms %8.1f CPU  %5.2fx wall "
              "%5.2fx CPU  %ld MB  %s\n",
              argv[2], work.threads == 1 ? " " : "s", diff.wall, diff.cpu,
              diff.wall / limit.wall, diff.cpu / limit.cpu,
              diff.kilobytes / 1024, first.c_str());
  return 0;
}
