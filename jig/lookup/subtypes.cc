// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/subtypes.h"

namespace rejig::jig {

namespace {

struct Line {
  std::uint32_t super;
  std::uint32_t sub;
};

}  // namespace

void spread_to_subtypes(const World& world, base::ThreadPool& pool,
                        std::vector<std::uint8_t>& marks) {
  std::vector<std::vector<Line>> lines(pool.workers());
  pool.for_ranges(
      marks.size(), 256,
      [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
          if (world.glance_of_place(i) == nullptr) continue;
          world.each_super(i, [&](Name, std::uint32_t place) {
            if (place < marks.size()) lines[worker].push_back({place, i});
          });
        }
      });
  // The subtypes of each class, one behind the other.
  std::vector<std::uint32_t> begin(marks.size() + 1, 0);
  for (const auto& part : lines) {
    for (const Line& line : part) ++begin[line.super + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::uint32_t> subs(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const auto& part : lines) {
    for (const Line& line : part) subs[next[line.super]++] = line.sub;
  }
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != 0) todo.push_back(i);
  }
  while (!todo.empty()) {
    const std::uint32_t super = todo.back();
    todo.pop_back();
    for (std::uint32_t k = begin[super]; k < begin[super + 1]; ++k) {
      std::uint8_t& mark = marks[subs[k]];
      if ((mark | marks[super]) == mark) continue;
      mark |= marks[super];
      todo.push_back(subs[k]);
    }
  }
}

}  // namespace rejig::jig
