// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/policy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace rejig::coverage {

using classfile::AtomKind;

namespace {

struct Assumption {
  std::string_view name;
  std::array<AtomKind, 2> kinds;
};

// Sorted by name.
constexpr std::array<Assumption, 5> kAssumptions = {{
    {"no-library-changes", {AtomKind::kExt, AtomKind::kExt}},
    {"no-missing-lookups", {AtomKind::kMiss, AtomKind::kMiss}},
    {"no-reflection", {AtomKind::kRefl, AtomKind::kRefl}},
    {"no-resources", {AtomKind::kRes, AtomKind::kResMiss}},
    {"no-stack-traces", {AtomKind::kStackApi, AtomKind::kStackApi}},
}};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1,
                         diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// One state per position of the pattern, so no pattern is slow.
class GlobStates {
 public:
  GlobStates(std::string_view pattern, char separator)
      : pattern_(pattern), separator_(separator), on_(pattern.size() + 1) {}

  bool match(std::string_view text) {
    enter(on_, 0);
    for (const char c : text) {
      std::vector<bool> next(on_.size());
      for (std::size_t p = 0; p < pattern_.size(); ++p) {
        if (on_[p]) step(next, p, c);
      }
      on_.swap(next);
    }
    return on_[pattern_.size()];
  }

 private:
  bool double_star(std::size_t p) const {
    return pattern_.substr(p).starts_with("**");
  }
  void enter(std::vector<bool>& set, std::size_t p) const {
    if (set[p]) return;
    set[p] = true;
    if (p == pattern_.size() || pattern_[p] != '*') return;
    if (!double_star(p)) return enter(set, p + 1);
    enter(set, p + 2);
    const bool at_start =
        p == 0 || (separator_ != 0 && pattern_[p - 1] == separator_);
    if (at_start && p + 2 < pattern_.size() && separator_ != 0 &&
        pattern_[p + 2] == separator_) {
      enter(set, p + 3);
    }
  }
  void step(std::vector<bool>& next, std::size_t p, char c) const {
    if (pattern_[p] == '*') {
      if (double_star(p) || separator_ == 0 || c != separator_) enter(next, p);
    } else if (pattern_[p] == '?' ? separator_ == 0 || c != separator_
                                  : pattern_[p] == c) {
      enter(next, p + 1);
    }
  }

  std::string_view pattern_;
  char separator_;
  std::vector<bool> on_;
};

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text,
                char separator) {
  return GlobStates(pattern, separator).match(text);
}

const ResourceRule* Policy::resource_rule(std::string_view path) const {
  const auto at = std::find_if(
      resources.begin(), resources.end(),
      [&](const auto& rule) { return glob_match(rule.files, path, '/'); });
  return at == resources.end() ? nullptr : &*at;
}

std::vector<std::string_view> assumption_names() {
  std::vector<std::string_view> out;
  for (const auto& assumption : kAssumptions) out.push_back(assumption.name);
  return out;
}

base::Result<std::vector<AtomKind>> assumed_absent(std::string_view name) {
  for (const auto& assumption : kAssumptions) {
    if (assumption.name != name) continue;
    return std::vector<AtomKind>(assumption.kinds.begin(),
                                 assumption.kinds.end());
  }
  std::string what = "unknown assumption '" + std::string(name) + "'";
  const auto near = nearest(name, assumption_names());
  if (!near.empty()) what += ", did you mean '" + std::string(near) + "'?";
  return base::Error{base::Errc::kUsage, std::move(what), ""};
}

std::string_view nearest(std::string_view word,
                         const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 2, 2) + 1;
  for (const auto candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace rejig::coverage
