// SPDX-License-Identifier: Apache-2.0
#include "coverage/import/import_json.h"

#include <charconv>
#include <set>

namespace rejig::coverage {
namespace {

void put_unit(std::string& out, unsigned unit) {
  if (unit != 0 && unit < 0x80) {
    out += static_cast<char>(unit);
  } else if (unit < 0x800) {
    out += static_cast<char>(0xC0 | unit >> 6);
    out += static_cast<char>(0x80 | (unit & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | unit >> 12);
    out += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (unit & 0x3F));
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool JsonReader::fail(std::string what) {
  if (!failed_) {
    failed_ = true;
    failed_at_ = at_;
    what_ = std::move(what);
  }
  return false;
}

bool JsonReader::reject(std::string what) {
  if (!failed_) at_ = value_at_;
  return fail(std::move(what));
}

char JsonReader::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
  value_at_ = at_;
  return failed_ || at_ == text_.size() ? '\0' : text_[at_];
}

bool JsonReader::expect(char c) {
  if (failed_) return false;
  if (peek() != c) {
    return fail(at_ == text_.size()
                    ? std::string("the text ends where '") + c + "' is expected"
                    : std::string("'") + c + "' is expected");
  }
  ++at_;
  return true;
}

bool JsonReader::end() {
  if (peek() != '\0' || at_ != text_.size()) {
    return fail("there is more text behind the value");
  }
  return !failed_;
}

bool JsonReader::object(const std::function<void(std::string_view)>& member) {
  if (!expect('{')) return false;
  if (++depth_ > kDeepest) return fail("nested deeper than 64");
  std::set<std::string, std::less<>> seen;
  if (peek() == '}') {
    ++at_;
  } else {
    do {
      std::string key;
      if (!text(key)) return false;
      if (!seen.insert(key).second) {
        return reject("the member \"" + key + "\" occurs twice");
      }
      if (!expect(':')) return false;
      peek();
      member(key);
      if (failed_) return false;
      if (peek() == '}') break;
    } while (expect(','));
    if (!expect('}')) return false;
  }
  --depth_;
  return true;
}

bool JsonReader::array(const std::function<void()>& element) {
  if (!expect('[')) return false;
  if (++depth_ > kDeepest) return fail("nested deeper than 64");
  if (peek() == ']') {
    ++at_;
  } else {
    do {
      peek();
      element();
      if (failed_) return false;
      if (peek() == ']') break;
    } while (expect(','));
    if (!expect(']')) return false;
  }
  --depth_;
  return true;
}

bool JsonReader::hex4(unsigned& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    unsigned digit = 0;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      return fail("four hex digits are expected behind \\u");
    }
    unit = unit << 4 | digit;
  }
  return true;
}

bool JsonReader::escape(std::string& out) {
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  static constexpr std::string_view kNames = "\"\\/bfnrt";
  static constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    ++at_;
    unsigned unit = 0;
    if (!hex4(unit)) return false;
    put_unit(out, unit);
    return true;
  }
  const std::size_t i = kNames.find(c);
  if (c == '\0' || i == std::string_view::npos) {
    return fail("not an escape sequence of JSON");
  }
  out += kValues[i];
  ++at_;
  return true;
}

// One character beyond ASCII; well-formed UTF-8 only (Unicode table 3-7).
bool JsonReader::utf8(std::string& out) {
  const auto byte = [&](std::size_t i) {
    return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i])
                                  : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned c = byte(0);
  unsigned code = 0;
  std::size_t length = 0;
  if (c >= 0xC2 && c <= 0xDF && tail(1)) {
    length = 2;
    code = (c & 0x1F) << 6 | (byte(1) & 0x3F);
  } else if (c >= 0xE0 && c <= 0xEF && tail(1) && tail(2)) {
    length = 3;
    code = (c & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF)) length = 0;
  } else if (c >= 0xF0 && c <= 0xF4 && tail(1) && tail(2) && tail(3)) {
    length = 4;
    code = (c & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
           (byte(3) & 0x3F);
    if (code < 0x10000 || code > 0x10FFFF) length = 0;
  }
  if (length == 0) return fail("not well-formed UTF-8");
  at_ += length;
  if (code >= 0x10000) {
    put_unit(out, 0xD800 + ((code - 0x10000) >> 10));
    put_unit(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
  } else {
    put_unit(out, code);
  }
  return true;
}

bool JsonReader::text(std::string& out) {
  out.clear();
  if (failed_) return false;
  if (peek() != '"') return fail("a string is expected");
  const std::size_t begin = at_++;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      value_at_ = begin;
      return true;
    }
    if (c == '\\') {
      ++at_;
      if (!escape(out)) return false;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      if (!utf8(out)) return false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return fail("a control character in a string");
    } else {
      out += c;
      ++at_;
    }
  }
  return fail("the text ends inside a string");
}

bool JsonReader::number_text(std::string_view& out) {
  if (failed_) return false;
  peek();
  const std::size_t begin = at_;
  std::size_t i = at_;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text_.size() && is_digit(text_[i])) ++i;
    return i != first;
  };
  if (i < text_.size() && text_[i] == '-') ++i;
  const std::size_t whole = i;
  bool good = digits() && (text_[whole] != '0' || i == whole + 1);
  if (good && i < text_.size() && text_[i] == '.') {
    ++i;
    good = digits();
  }
  if (good && i < text_.size() && (text_[i] == 'e' || text_[i] == 'E')) {
    ++i;
    if (i < text_.size() && (text_[i] == '+' || text_[i] == '-')) ++i;
    good = digits();
  }
  if (!good) return fail("a number is expected");
  at_ = i;
  value_at_ = begin;
  out = text_.substr(begin, i - begin);
  return true;
}

bool JsonReader::integer(std::uint64_t& out) {
  std::string_view number;
  if (!number_text(number)) return false;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), out);
  if (error != std::errc() || end != number.data() + number.size()) {
    return reject("a whole number from 0 to 18446744073709551615 is expected");
  }
  return true;
}

bool JsonReader::number(double& out) {
  std::string_view number;
  if (!number_text(number)) return false;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), out);
  if (error != std::errc() || end != number.data() + number.size()) {
    return reject("the number is out of range");
  }
  return true;
}

bool JsonReader::boolean(bool& out) {
  if (failed_) return false;
  peek();
  const auto rest = text_.substr(at_);
  out = rest.starts_with("true");
  if (!out && !rest.starts_with("false")) {
    return fail("true or false is expected");
  }
  value_at_ = at_;
  at_ += out ? 4 : 5;
  return true;
}

bool JsonReader::skip() {
  std::string ignored;
  double number_ignored = 0;
  bool bool_ignored = false;
  switch (peek()) {
    case '{':
      return object([&](std::string_view) { skip(); });
    case '[':
      return array([&] { skip(); });
    case '"':
      return text(ignored);
    case 't':
    case 'f':
      return boolean(bool_ignored);
    case 'n':
      if (!text_.substr(at_).starts_with("null")) return fail("not a value");
      at_ += 4;
      return true;
    default:
      return number(number_ignored);
  }
}

}  // namespace rejig::coverage
