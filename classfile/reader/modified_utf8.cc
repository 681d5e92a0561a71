// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/modified_utf8.h"

#include <cstring>

namespace rejig::classfile {
namespace {

// Length of the leading part in which every byte is 1..127.
std::size_t plain_prefix(std::string_view s) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    std::uint64_t v = 0;
    std::memcpy(&v, s.data() + i, 8);
    if (((v | (v - kOnes)) & kHigh) != 0) break;
  }
  if (i < s.size() && i + 8 > s.size() && s.size() >= 8) {
    // The last eight bytes once more, instead of a loop over the rest.
    std::uint64_t v = 0;
    std::memcpy(&v, s.data() + s.size() - 8, 8);
    if (((v | (v - kOnes)) & kHigh) == 0) return s.size();
  }
  while (i < s.size() && static_cast<unsigned char>(s[i] - 1) < 127) ++i;
  return i;
}

void append_escape(std::string& out, unsigned unit) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    out += kHex[unit >> shift & 0xF];
  }
}

void append_code_point(std::string& out, unsigned c) {
  const auto put = [&](unsigned b) { out += static_cast<char>(b); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

// Pairs surrogates; escape(c) says how ASCII is written.
template <class Plain>
void append_decoded(std::string& out, std::string_view modified,
                    Plain&& plain) {
  unsigned high = 0;  // a high surrogate that waits for its partner
  for_each_unit(modified, [&](std::uint16_t unit) {
    if (high != 0) {
      if (unit >= 0xDC00 && unit <= 0xDFFF) {
        append_code_point(out, 0x10000 + ((high - 0xD800) << 10) +
                                   (unit - 0xDC00u));
        high = 0;
        return;
      }
      append_escape(out, high);
      high = 0;
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      high = unit;
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
      append_escape(out, unit);
    } else if (unit < 0x80) {
      plain(static_cast<char>(unit));
    } else {
      append_code_point(out, unit);
    }
  });
  if (high != 0) append_escape(out, high);
}

}  // namespace

bool legal_modified_utf8(std::string_view s, bool overlong) {
  const auto at = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(s[i]));
  };
  const auto continues = [&](std::size_t i) {
    return i < s.size() && (at(i) & 0xC0) == 0x80;
  };
  std::size_t i = plain_prefix(s);
  while (i < s.size()) {
    const unsigned c = at(i);
    if (c == 0) return false;
    if (c < 0x80) {
      ++i;
    } else if (c >> 5 == 6) {
      if (!continues(i + 1)) return false;
      const unsigned u = (c & 0x1F) << 6 | (at(i + 1) & 0x3F);
      if (!overlong && u != 0 && u < 0x80) return false;
      i += 2;
    } else if (c >> 4 == 14) {
      if (!continues(i + 1) || !continues(i + 2)) return false;
      const unsigned u =
          (c & 0xF) << 12 | (at(i + 1) & 0x3F) << 6 | (at(i + 2) & 0x3F);
      if (!overlong && u < 0x800) return false;
      i += 3;
    } else {
      return false;
    }
  }
  return true;
}

void append_utf8(std::string& out, std::string_view modified) {
  const std::size_t plain = plain_prefix(modified);
  out.append(modified.substr(0, plain));
  append_decoded(out, modified.substr(plain), [&](char c) { out += c; });
}

std::string to_utf8(std::string_view modified) {
  std::string out;
  append_utf8(out, modified);
  return out;
}

void append_json_text(std::string& out, std::string_view modified) {
  std::size_t i = 0;
  while (i < modified.size()) {
    const auto c = static_cast<unsigned char>(modified[i]);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
    ++i;
  }
  out.append(modified.substr(0, i));
  append_decoded(out, modified.substr(i), [&](char c) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_escape(out, static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  });
}

}  // namespace rejig::classfile
