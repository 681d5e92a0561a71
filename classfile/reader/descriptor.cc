// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/descriptor.h"

#include <array>

namespace rejig::classfile {
namespace {

constexpr std::uint16_t kJava5 = 49;
constexpr std::size_t kNone = std::string_view::npos;
constexpr unsigned kMostDimensions = 255;

enum class NameOf { kClass, kField, kMethod };

// What each byte may not be part of.
constexpr std::uint8_t kInNoName = 1;
constexpr std::uint8_t kInNoMethod = 2;
constexpr std::uint8_t kSlash = 4;
constexpr std::array<std::uint8_t, 256> kSpecial = [] {
  std::array<std::uint8_t, 256> table{};
  table['.'] = table[';'] = table['['] = kInNoName;
  table['<'] = table['>'] = kInNoMethod;
  table['/'] = kSlash;
  return table;
}();

// From major 49: anything but . ; [ and / (method names: nor < >).
bool legal_unqualified(std::string_view name, NameOf of) {
  if (name.empty()) return false;
  std::uint8_t seen = 0;
  std::uint8_t twice = 0;
  std::uint8_t last = 0;
  for (const char c : name) {
    const std::uint8_t bits = kSpecial[static_cast<unsigned char>(c)];
    seen |= bits;
    twice |= bits & last;
    last = bits;
  }
  if (seen == 0) return true;
  if ((seen & kInNoName) != 0) return false;
  if ((seen & kInNoMethod) != 0 && of == NameOf::kMethod) return false;
  if ((seen & kSlash) == 0) return true;
  return of == NameOf::kClass && name.front() != '/' && name.back() != '/' &&
         (twice & kSlash) == 0;
}

// The length of the legal class name up to ';' or the end; 0 if it is none.
std::size_t legal_class_prefix(std::string_view text) {
  std::uint8_t twice = 0;
  std::uint8_t last = kSlash;  // no slash may begin the name
  std::size_t n = 0;
  while (n < text.size()) {
    const std::uint8_t bits = kSpecial[static_cast<unsigned char>(text[n])];
    if (bits == kInNoName) break;
    twice |= bits & last;
    last = bits;
    ++n;
  }
  return ((twice | last) & kSlash) != 0 ? 0 : n;
}

// Up to major 48: the length of the Java identifier (with slashes if allowed)
// that the text begins with; 0 if none. Every character beyond ASCII counts as
// a letter, which is wider than Character.isJavaIdentifierPart.
std::size_t identifier_prefix(std::string_view text, bool slashes) {
  bool last_is_slash = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (slashes && c == '/') {
      if (last_is_slash || i == 0) return 0;
      last_is_slash = true;
      continue;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        c == '_' || c == '$' || c >= 0x80;
    if (!letter && !(i != 0 && c >= '0' && c <= '9')) break;
    last_is_slash = false;
  }
  return last_is_slash ? 0 : i;
}

// Position behind the field type at `pos`, kNone if there is no legal one.
std::size_t skip_type(std::string_view text, std::size_t pos,
                      std::uint16_t major, bool void_too) {
  unsigned dimensions = 0;
  for (; pos < text.size(); ++pos) {
    switch (text[pos]) {
      case 'V':
        return void_too && dimensions == 0 ? pos + 1 : kNone;
      case 'B':
      case 'C':
      case 'D':
      case 'F':
      case 'I':
      case 'J':
      case 'S':
      case 'Z':
        return pos + 1;
      case 'L': {
        const std::string_view rest = text.substr(pos + 1);
        if (major < kJava5) {
          const std::size_t n = identifier_prefix(rest, true);
          return n != 0 && n < rest.size() && rest[n] == ';' ? pos + n + 2
                                                             : kNone;
        }
        const std::size_t n = legal_class_prefix(rest);
        return n != 0 && n < rest.size() && rest[n] == ';' ? pos + n + 2
                                                           : kNone;
      }
      case '[':
        if (++dimensions > kMostDimensions) return kNone;
        break;
      default:
        return kNone;
    }
  }
  return kNone;
}

}  // namespace

bool legal_field_name(std::string_view name, std::uint16_t major) {
  if (major >= kJava5) return legal_unqualified(name, NameOf::kField);
  return !name.empty() && identifier_prefix(name, false) == name.size();
}

bool legal_method_name(std::string_view name, std::uint16_t major) {
  if (!name.empty() && name[0] == '<') {
    return name == "<init>" || name == "<clinit>";
  }
  if (major >= kJava5) return legal_unqualified(name, NameOf::kMethod);
  return !name.empty() && identifier_prefix(name, false) == name.size();
}

bool legal_class_name(std::string_view name, std::uint16_t major) {
  if (name.empty()) return false;
  if (name[0] == '[') return skip_type(name, 0, major, false) == name.size();
  if (major >= kJava5) return legal_unqualified(name, NameOf::kClass);
  return identifier_prefix(name, true) == name.size();
}

bool legal_field_descriptor(std::string_view text, std::uint16_t major) {
  return !text.empty() && skip_type(text, 0, major, false) == text.size();
}

std::optional<unsigned> legal_method_descriptor(std::string_view text,
                                                std::uint16_t major,
                                                bool special) {
  if (text.empty() || text[0] != '(') return std::nullopt;
  unsigned slots = 0;
  std::size_t pos = 1;
  while (pos < text.size() && text[pos] != ')') {
    slots += text[pos] == 'J' || text[pos] == 'D' ? 2 : 1;
    pos = skip_type(text, pos, major, false);
    if (pos == kNone) return std::nullopt;
  }
  if (pos >= text.size()) return std::nullopt;
  ++pos;
  if (special ? text.substr(pos) != "V"
              : skip_type(text, pos, major, true) != text.size()) {
    return std::nullopt;
  }
  return slots;
}

TypeView next_type(std::string_view text, std::size_t& pos) {
  TypeView type;
  const std::size_t begin = pos;
  while (pos < text.size() && text[pos] == '[') ++pos;
  if (pos >= text.size()) {
    pos = text.size();
    return type;
  }
  type.dimensions = static_cast<unsigned>(pos - begin);
  type.element = text[pos];
  if (type.element == 'L') {
    const std::size_t end = text.find(';', pos);
    if (end == kNone) {
      pos = text.size();
      return TypeView();
    }
    type.class_name = text.substr(pos + 1, end - pos - 1);
    pos = end + 1;
  } else {
    ++pos;
  }
  type.text = text.substr(begin, pos - begin);
  return type;
}

TypeView type_of_descriptor(std::string_view text) {
  std::size_t pos = 0;
  return next_type(text, pos);
}

TypeView type_of_class_constant(std::string_view text) {
  if (!text.empty() && text[0] == '[') return type_of_descriptor(text);
  TypeView type;
  type.text = text;
  type.element = 'L';
  type.class_name = text;
  return type;
}

// The first ')' need not be the one: class names may contain it.
MethodDescriptor::MethodDescriptor(std::string_view text) {
  if (text.empty() || text[0] != '(') return;
  std::size_t close = 1;
  while (close < text.size() && text[close] != ')') next_type(text, close);
  if (close >= text.size()) return;
  parameters_ = text.substr(1, close - 1);
  result_ = text.substr(close + 1);
}

bool MethodDescriptor::next(TypeView& parameter) {
  if (pos_ >= parameters_.size()) return false;
  parameter = next_type(parameters_, pos_);
  return !parameter.text.empty();
}

unsigned argument_slots(std::string_view method_descriptor) {
  unsigned slots = 0;
  for (std::size_t i = 1;
       i < method_descriptor.size() && method_descriptor[i] != ')'; ++i) {
    const char first = method_descriptor[i];
    while (i < method_descriptor.size() && method_descriptor[i] == '[') ++i;
    if (i < method_descriptor.size() && method_descriptor[i] == 'L') {
      i = method_descriptor.find(';', i);
      if (i == kNone) break;
    }
    slots += first == 'J' || first == 'D' ? 2 : 1;
  }
  return slots;
}

}  // namespace rejig::classfile
