// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive_manifest.h"

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

// A line without its end; false at the end of the text. `ended` tells whether
// there was a line end (LF, CR LF or CR) within the buffer's size.
bool next_line(std::string_view& text, std::string_view& line, bool& ended) {
  if (text.empty()) return false;
  const std::size_t end = text.find_first_of("\r\n");
  const std::size_t length = end == std::string_view::npos ? text.size() : end;
  line = text.substr(0, length);
  std::size_t after = length;
  ended = length < text.size();
  if (ended) {
    after += text[length] == '\r' && length + 1 < text.size() &&
                     text[length + 1] == '\n'
                 ? 2
                 : 1;
  }
  if (length + 1 > kLongestLine) ended = false;
  text.remove_prefix(after);
  return true;
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
  constexpr std::string_view kPattern = "Multi-Release: true";
  out.says_multi_release_ =
      std::search(text.begin(), text.end(), kPattern.begin(), kPattern.end(),
                  [](char x, char y) { return upper(x) == upper(y); }) !=
      text.end();

  std::string_view line;
  bool ended = false;
  std::vector<std::pair<std::string, std::string>> found;
  while (next_line(text, line, ended)) {
    if (!ended) return out;
    if (line.empty()) break;
    if (line.front() == ' ') {
      if (found.empty()) return out;
      found.back().second += line.substr(1);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 ||
        colon > kLongestName || colon + 1 >= line.size() ||
        line[colon + 1] != ' ' ||
        !std::all_of(line.begin(),
                     line.begin() + static_cast<std::ptrdiff_t>(colon),
                     name_char)) {
      return out;
    }
    found.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  out.main_ = std::move(found);
  return out;
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
