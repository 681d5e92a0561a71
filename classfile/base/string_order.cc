// SPDX-License-Identifier: Apache-2.0
// A radix sort with an alphabet of eight bytes: a group of texts that are equal
// up to `depth` is sorted by the number that its next eight bytes make, and the
// groups of equal numbers are looked at eight bytes deeper. Every byte is
// loaded once for each group it decides about. Texts that end inside the eight
// bytes are filled with zeros, and told apart by their length. Neighbours often
// have the same number already (an archive lists folder by folder): then runs of
// them are sorted, not texts.
#include "classfile/base/string_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace rejig::base {

namespace {

constexpr std::size_t kStep = sizeof(std::uint64_t);
constexpr std::size_t kSmall = 12;

struct Slot {
  std::uint64_t key;
  std::uint32_t place;
};
// Slots of one key, one behind the other.
struct Run {
  std::uint64_t key;
  std::uint32_t begin;
  std::uint32_t size;
};
struct Group {
  std::size_t begin;
  std::size_t end;
  std::size_t depth;
};

class Sorter {
 public:
  explicit Sorter(std::span<const std::string_view> texts) : texts_(texts) {
    slots_.resize(texts.size());
    for (std::uint32_t i = 0; i < slots_.size(); ++i) slots_[i].place = i;
  }

  std::vector<std::uint32_t> run() {
    todo_.push_back({0, slots_.size(), 0});
    while (!todo_.empty()) {
      const Group group = todo_.back();
      todo_.pop_back();
      if (group.end - group.begin <= kSmall) {
        insert_each(group);
      } else {
        split(group);
      }
    }
    std::vector<std::uint32_t> out(slots_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = slots_[i].place;
    return out;
  }

 private:
  std::uint64_t key_at(std::uint32_t place, std::size_t depth) const {
    const std::string_view text = texts_[place];
    if (depth + kStep <= text.size()) return word_at(text, depth);
    if (depth >= text.size()) return 0;
    // Its last bytes, behind them zeros.
    if (text.size() >= kStep) {
      return word_at(text, text.size() - kStep)
             << 8 * (depth + kStep - text.size());
    }
    std::array<char, kStep> few{};
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(depth), text.end(),
              few.begin());
    return word_at({few.data(), few.size()}, 0);
  }
  static std::uint64_t word_at(std::string_view text, std::size_t at) {
    std::uint64_t key = 0;
    std::memcpy(&key, text.data() + at, kStep);
    return std::endian::native == std::endian::little ? __builtin_bswap64(key)
                                                      : key;
  }
  bool ends_before(std::uint32_t place, std::size_t depth) const {
    return texts_[place].size() <= depth;
  }

  // Texts that are equal up to the group's depth.
  bool before(const Slot& a, const Slot& b, std::size_t depth) const {
    if (a.key != b.key) return a.key < b.key;
    const auto rest = [&](const Slot& slot) {
      const std::string_view text = texts_[slot.place];
      return text.substr(std::min(depth, text.size()));
    };
    const int order = rest(a).compare(rest(b));
    return order != 0 ? order < 0 : a.place < b.place;
  }

  void insert_each(const Group& group) {
    for (std::size_t i = group.begin; i < group.end; ++i) {
      Slot slot = slots_[i];
      slot.key = key_at(slot.place, group.depth);
      std::size_t to = i;
      for (; to > group.begin && before(slot, slots_[to - 1], group.depth);
           --to) {
        slots_[to] = slots_[to - 1];
      }
      slots_[to] = slot;
    }
  }

  void split(const Group& group) {
    const auto begin = slots_.begin() + static_cast<std::ptrdiff_t>(group.begin);
    const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(group.end);
    bool sorted = true;
    std::size_t runs = 1;
    std::uint64_t last = key_at(begin->place, group.depth);
    for (auto at = begin; at != end; ++at) {
      at->key = key_at(at->place, group.depth);
      sorted = sorted && last <= at->key;
      runs += last != at->key ? 1 : 0;
      last = at->key;
    }
    if (!sorted && runs < (group.end - group.begin) / 4) {
      sort_runs(begin, end, runs);
    } else if (!sorted) {
      std::sort(begin, end,
                [](const Slot& a, const Slot& b) { return a.key < b.key; });
    }
    for (auto at = begin; at != end;) {
      auto next = at;
      while (next != end && next->key == at->key) ++next;
      if (next - at > 1) finish(at, next, group.depth);
      at = next;
    }
  }

  void sort_runs(std::vector<Slot>::iterator begin,
                 std::vector<Slot>::iterator end, std::size_t count) {
    runs_.clear();
    runs_.reserve(count);
    for (auto at = begin; at != end;) {
      auto next = at;
      while (next != end && next->key == at->key) ++next;
      runs_.push_back({at->key, static_cast<std::uint32_t>(at - begin),
                       static_cast<std::uint32_t>(next - at)});
      at = next;
    }
    std::sort(runs_.begin(), runs_.end(),
              [](const Run& a, const Run& b) { return a.key < b.key; });
    moved_.assign(begin, end);
    for (const Run& run : runs_) {
      begin = std::copy_n(moved_.begin() + run.begin, run.size, begin);
    }
  }

  // Texts with one key: those that end in it by their length, the others by
  // what follows.
  void finish(std::vector<Slot>::iterator begin,
              std::vector<Slot>::iterator end, std::size_t depth) {
    const auto longer = std::partition(begin, end, [&](const Slot& slot) {
      return ends_before(slot.place, depth + kStep);
    });
    std::sort(begin, longer, [&](const Slot& a, const Slot& b) {
      const auto x = texts_[a.place].size();
      const auto y = texts_[b.place].size();
      return x != y ? x < y : a.place < b.place;
    });
    todo_.push_back({static_cast<std::size_t>(longer - slots_.begin()),
                     static_cast<std::size_t>(end - slots_.begin()),
                     depth + kStep});
  }

  std::span<const std::string_view> texts_;
  std::vector<Slot> slots_;
  std::vector<Slot> moved_;
  std::vector<Run> runs_;
  std::vector<Group> todo_;
};

}  // namespace

std::vector<std::uint32_t> order_of(std::span<const std::string_view> texts) {
  return Sorter(texts).run();
}

}  // namespace rejig::base
