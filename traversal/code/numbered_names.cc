// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/numbered_names.h"

#include <algorithm>

namespace rejig::traversal {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// Of the digits at `at`, which begin there, in a part that begins at `begin`.
enum class Count { kNone, kInClass, kThrough };

Count count_at(std::string_view name, std::size_t begin, std::size_t at) {
  if (at == begin) return Count::kInClass;
  const auto before = name.substr(begin, at - begin);
  if (before.ends_with("__") || before == "eval") return Count::kThrough;
  if (before.ends_with("_closure") || before.ends_with("_lambda")) {
    return Count::kInClass;
  }
  return Count::kNone;
}

// visit(begin, end, count) of each counted number behind the first `$`.
template <class Visit>
void each_number(std::string_view name, const Visit& visit) {
  std::size_t begin = name.find('$');
  while (begin != std::string_view::npos) {
    ++begin;
    const std::size_t end = std::min(name.find('$', begin), name.size());
    for (std::size_t at = begin; at < end;) {
      if (!is_digit(name[at])) {
        ++at;
        continue;
      }
      const std::size_t behind = digits_end(name, at);
      const Count count = count_at(name, begin, at);
      if (count != Count::kNone) visit(at, behind, count);
      at = behind;
    }
    begin = end < name.size() ? end : std::string_view::npos;
  }
}

}  // namespace

std::string_view numbered_in(std::string_view name) {
  bool found = false;
  each_number(name, [&](std::size_t, std::size_t, Count) { found = true; });
  return found ? name.substr(0, name.find('$')) : std::string_view();
}

bool is_counted_through(std::string_view name) {
  bool found = false;
  each_number(name, [&](std::size_t, std::size_t, Count count) {
    found |= count == Count::kThrough;
  });
  return found;
}

std::string without_numbers(std::string_view name) {
  std::string out;
  std::size_t copied = 0;
  each_number(name, [&](std::size_t begin, std::size_t end, Count) {
    out += name.substr(copied, begin - copied);
    out += '#';
    copied = end;
  });
  out += name.substr(copied);
  return out;
}

std::string without_counts(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at]) || !text.substr(0, at).ends_with("__")) {
      out += text[at++];
      continue;
    }
    out += '#';
    at = digits_end(text, at);
  }
  return out;
}

bool is_seen_when_read(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '$' && is_digit(name[i + 1])) return true;
  }
  return false;
}

bool numbered_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    auto of_a = a.substr(i, digits_end(a, i) - i);
    auto of_b = b.substr(j, digits_end(b, j) - j);
    i += of_a.size();
    j += of_b.size();
    of_a.remove_prefix(std::min(of_a.find_first_not_of('0'), of_a.size()));
    of_b.remove_prefix(std::min(of_b.find_first_not_of('0'), of_b.size()));
    if (of_a.size() != of_b.size()) return of_a.size() < of_b.size();
    if (of_a != of_b) return of_a < of_b;
  }
  if ((i == a.size()) != (j == b.size())) return i == a.size();
  return a < b;  // "a$01" and "a$1"
}

}  // namespace rejig::traversal
