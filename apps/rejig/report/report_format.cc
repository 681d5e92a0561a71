// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report_format.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace rejig::app {

namespace {

struct Decoded {
  std::uint32_t value = 0;
  std::size_t length = 0;  // 0: no UTF-8
};

// One character of UTF-8 or modified UTF-8 (C0 80, halves of surrogate pairs).
Decoded decode(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> std::uint32_t {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const std::uint32_t first = byte(i);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf8   ? 0
                             : first >= 0xf0 ? 4
                             : first >= 0xe0 ? 3
                             : first >= 0xc0 ? 2
                                             : 0;
  if (length == 0) return {};
  std::uint32_t value = first & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80) return {};
    value = value << 6 | (byte(i + k) & 0x3fU);
  }
  const std::uint32_t least = length == 4   ? 0x10000U
                              : length == 3 ? 0x800U
                                            : 0x80U;
  if ((value < least && value != 0) || value > 0x10ffff) return {};
  return {value, length};
}

void escape(std::string& out, std::uint32_t value) {
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", value & 0xffffU);
  out += text;
}

std::string replaced(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X",
                  static_cast<unsigned char>(c));
    out += escaped;
  }
  return out;
}

}  // namespace

namespace {

// What drives a terminal or turns text around: C0, C1, bidi and line controls.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c ||
         c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
         (c >= 0xd800 && c <= 0xdfff);
}

constexpr std::string_view kOldCommand = "##[";
constexpr std::string_view kCommand = "::";

void add_hex(std::string& out, unsigned char byte) {
  char escaped[5];
  std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
  out += escaped;
}

}  // namespace

void add_json_string(std::string& out, std::string_view text) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) - 0x20U < 0x5f && c != '"' &&
           c != '\\';
  };
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto run = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(i),
                         text.end(), plain) -
        text.begin());
    out.append(text, i, run - i);
    i = run;
    if (i == text.size()) break;
    const Decoded c = decode(text, i);
    if (c.length == 0) {
      escape(out, static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    if (c.value == '"' || c.value == '\\') {
      out += '\\';
      out += static_cast<char>(c.value);
    } else if (is_control(c.value)) {
      escape(out, c.value);
    } else {
      out += text.substr(i, c.length);
    }
    i += c.length;
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  add_json_string(out, text);
  return out;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const auto& text : texts) {
    if (out.size() > 1) out += ",";
    out += json_string(text);
  }
  return out + "]";
}

std::string one_line(std::string_view text) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) - 0x20U < 0x5f;
  };
  const auto start = std::min(text.find_first_not_of(' '), text.size());
  const bool command = text.substr(start).starts_with(kCommand) ||
                       text.find(kOldCommand) != std::string_view::npos;
  if (!command && std::all_of(text.begin(), text.end(), plain)) {
    return std::string(text);
  }
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    if ((i == start && rest.starts_with(kCommand)) ||
        rest.starts_with(kOldCommand)) {
      add_hex(out, static_cast<unsigned char>(text[i++]));
      continue;
    }
    const Decoded c = decode(text, i);
    if (c.length == 0) {
      add_hex(out, static_cast<unsigned char>(text[i++]));
    } else if (!is_control(c.value)) {
      out += rest.substr(0, c.length);
      i += c.length;
    } else if (c.value < 0x80) {
      add_hex(out, static_cast<unsigned char>(c.value));
      i += c.length;
    } else {
      escape(out, c.value);
      i += c.length;
    }
  }
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string github_message(std::string_view text) {
  return replaced(one_line(text), "%");
}

std::string github_property(std::string_view text) {
  return replaced(one_line(text), "%:,");
}

}  // namespace rejig::app
