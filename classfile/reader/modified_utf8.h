// SPDX-License-Identifier: Apache-2.0
// Which text do these raw bytes mean (JVMS §4.4.7)? Names stay raw modified
// UTF-8 everywhere inside rejig; only output decodes them. Two names are the
// same for the JVM when their bytes are the same, so bytes are what is compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rejig::classfile {

// What HotSpot's format checker accepts: `overlong` (classes up to major 47)
// allows forms longer than needed; a raw zero byte and four-byte forms never.
bool legal_modified_utf8(std::string_view bytes, bool overlong);

// Appends the UTF-16 code units of legal modified UTF-8, one call each:
// unit(std::uint16_t). Ill-formed bytes yield U+FFFD and cannot read past the
// end.
template <class F>
void for_each_unit(std::string_view bytes, F&& unit) {
  const auto at = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[i]));
  };
  for (std::size_t i = 0; i < bytes.size();) {
    const unsigned c = at(i);
    if (c < 0x80) {
      unit(static_cast<std::uint16_t>(c));
      ++i;
    } else if (c >> 5 == 6 && i + 1 < bytes.size()) {
      unit(static_cast<std::uint16_t>((c & 0x1F) << 6 | (at(i + 1) & 0x3F)));
      i += 2;
    } else if (c >> 4 == 14 && i + 2 < bytes.size()) {
      unit(static_cast<std::uint16_t>((c & 0xF) << 12 |
                                      (at(i + 1) & 0x3F) << 6 |
                                      (at(i + 2) & 0x3F)));
      i += 3;
    } else {
      unit(std::uint16_t{0xFFFD});
      ++i;
    }
  }
}

// Appends the text as UTF-8; an unpaired surrogate becomes `\udXXX`, written
// with a backslash and four lower-case hex digits.
void append_utf8(std::string& out, std::string_view modified);
std::string to_utf8(std::string_view modified);

// Appends the text as the inside of a JSON string: escapes only `"`, `\`,
// U+0000-001F and unpaired surrogates (\u and four lower-case hex digits).
void append_json_text(std::string& out, std::string_view modified);

}  // namespace rejig::classfile
