// SPDX-License-Identifier: Apache-2.0
// How long does `rejig diff OLD NEW` take, as a whole process, beside the least
// that must be done?
//
//   bench_diff REJIG THREADS ROUNDS OLD NEW [memcmp]
//
// The least is to inflate and walk every distinct class of both jars once; with
// `memcmp` (jars that differ in one class) to compare the stored bytes of two
// mapped files. Interleaved, so that a busy moment does not count for one side
// only; the answer stands beside the times.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/bench/limit.h"
#include "tests/bench/process.h"

namespace {

using namespace rejig::bench;

struct Limit {
  Cost cost;
  unsigned long long items = 0;
  unsigned long long instructions = 0;
};

void keep_smaller(Cost& best, const Cost& one) {
  best.wall = std::min(best.wall, one.wall);
  best.cpu = std::min(best.cpu, one.cpu);
  best.kilobytes = one.kilobytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: bench_diff REJIG THREADS ROUNDS OLD NEW [memcmp]\n");
    return 2;
  }
  const std::string rejig = argv[1];
  const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
  const int rounds = std::atoi(argv[3]);
  const std::string old_jar = argv[4];
  const std::string new_jar = argv[5];
  const bool compare = argc > 6;
  Limit limit;
  Cost diff;
  const std::string answer = "/tmp/rejig-bench-diff.txt";
  for (int round = 0; round < rounds; ++round) {
    const Limit least = run_apart<Limit>([&] {
      Limit out;
      out.cost = run_here(1, [&] {
        if (compare) {
          out.items = limit_compare(old_jar, new_jar, threads);
        } else {
          const auto all = limit_walk_distinct(old_jar, new_jar, threads);
          out.items = all.classes;
          out.instructions = all.instructions;
        }
      });
      return out;
    });
    limit.items = least.items;
    limit.instructions = least.instructions;
    keep_smaller(limit.cost, least.cost);
    keep_smaller(diff, run_command({rejig, "diff", old_jar, new_jar,
                                    "--summary", "-q", "-j", argv[2]},
                                   1, answer, 1));
  }
  std::string first;
  std::ifstream shown(answer);
  std::getline(shown >> std::ws, first);
  std::remove(answer.c_str());
  std::printf("  limit: %-24s %8.1f ms %8.1f CPU            %llu %s",
              compare ? "memcmp" : "inflate, walk distinct", limit.cost.wall,
              limit.cost.cpu, limit.items, compare ? "bytes equal" : "classes");
  if (!compare) std::printf(" %llu instructions", limit.instructions);
  std::printf("\n  rejig diff, %u thread%s          %8.1f ms %8.1f CPU  %5.2fx wall "
              "%5.2fx CPU  %ld MB  %s\n",
              threads, threads == 1 ? " " : "s", diff.wall, diff.cpu,
              diff.wall / limit.cost.wall, diff.cpu / limit.cost.cpu,
              diff.kilobytes / 1024, first.c_str());
  return 0;
}
