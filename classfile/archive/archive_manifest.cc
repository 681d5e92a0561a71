// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/archive_manifest.h"

#include <algorithm>

namespace rejig::classfile {

namespace {

// java.util.jar.Attributes reads lines into a buffer of this size.
constexpr std::size_t kLongestLine = 512;
constexpr std::size_t kLongestName = 70;

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool name_char(char c) {
  return (upper(c) >= 'A' && upper(c) <= 'Z') || (c >= '0' && c <= '9') ||
         c == '-' || c == '_';
}

enum class Next { kLine, kEnd, kTooLong };

// A line without its end (LF, CR LF or CR). A last line without an end is not
// there for the JVM; `line` is then what was left over.
Next next_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find_first_of("\r\n");
  const bool ended = end != std::string_view::npos;
  line = text.substr(0, end);
  std::size_t after = line.size();
  if (ended) {
    after += text.substr(end).starts_with("\r\n") ? 2 : 1;
  }
  text.remove_prefix(after);
  if (line.size() >= kLongestLine) return Next::kTooLong;
  return ended ? Next::kLine : Next::kEnd;
}

bool contains(std::string_view text, std::string_view pattern) {
  return std::search(text.begin(), text.end(), pattern.begin(), pattern.end(),
                     [](char x, char y) { return upper(x) == upper(y); }) !=
         text.end();
}

// Where the name of "Name: value" ends; 0 when the line is no attribute.
std::size_t attribute_colon(std::string_view line) {
  const std::size_t colon = line.find(':');
  const bool good =
      colon <= kLongestName && colon + 1 < line.size() &&
      line[colon + 1] == ' ' &&
      std::all_of(line.begin(),
                  line.begin() + static_cast<std::ptrdiff_t>(colon), name_char);
  return good ? colon : 0;
}

// The sections behind the main one: each begins with "Name: ".
bool sections_parse(std::string_view text) {
  std::string_view line;
  bool inside = false;
  while (true) {
    const Next next = next_line(text, line);
    if (next != Next::kLine) return next == Next::kEnd;
    if (line.empty()) {
      inside = false;
    } else if (!inside) {
      if (!equal_ignoring_case(line.substr(0, 6), "Name: ")) return false;
      inside = true;
    } else if (line.front() != ' ' && attribute_colon(line) == 0) {
      return false;
    }
  }
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return upper(x) == upper(y); });
}

Manifest Manifest::parse(base::Bytes bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                        bytes.size());
  Manifest out;
  out.says_multi_release_ = contains(text, "Multi-Release: true");
  out.says_class_path_ = contains(text, "Class-Path: ");
  out.main_is_broken_ = !out.parse_main(text);
  if (out.main_is_broken_) out.main_.clear();
  out.rest_is_broken_ = !sections_parse(text);
  return out;
}

bool Manifest::parse_main(std::string_view& text) {
  std::string_view line;
  while (true) {
    const Next next = next_line(text, line);
    if (next == Next::kTooLong) return false;
    if (next == Next::kEnd) {
      // The attribute that it would have continued is lost with it.
      if (line.starts_with(' ') && !main_.empty()) main_.pop_back();
      return true;
    }
    if (line.empty()) return true;
    if (line.front() == ' ') {
      if (main_.empty()) return false;
      main_.back().second += line.substr(1);
      continue;
    }
    const std::size_t colon = attribute_colon(line);
    if (colon == 0) return false;
    main_.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
}

std::optional<std::string_view> Manifest::attribute(
    std::string_view name) const {
  for (auto it = main_.rbegin(); it != main_.rend(); ++it) {
    if (equal_ignoring_case(it->first, name)) return it->second;
  }
  return std::nullopt;
}

bool Manifest::multi_release() const {
  const auto value = attribute("Multi-Release");
  return says_multi_release_ && value && equal_ignoring_case(*value, "true");
}

bool Manifest::drops_jar() const {
  return (main_is_broken_ && (says_multi_release_ || says_class_path_)) ||
         (rest_is_broken_ && says_class_path_);
}

std::vector<std::string> Manifest::class_path() const {
  std::vector<std::string> words;
  const std::string_view value = attribute("Class-Path").value_or("");
  std::size_t at = 0;
  while (true) {
    at = value.find_first_not_of(" \t\n\r\f", at);
    if (at == std::string_view::npos) return words;
    const std::size_t end =
        std::min(value.find_first_of(" \t\n\r\f", at), value.size());
    words.emplace_back(value.substr(at, end - at));
    at = end;
  }
}

}  // namespace rejig::classfile
