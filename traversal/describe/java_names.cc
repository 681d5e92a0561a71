// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/java_names.h"

#include <algorithm>
#include <cctype>

namespace rejig::traversal {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view primitive(char c) {
  switch (c) {
    case 'B': return "byte";
    case 'C': return "char";
    case 'D': return "double";
    case 'F': return "float";
    case 'I': return "int";
    case 'J': return "long";
    case 'S': return "short";
    case 'Z': return "boolean";
    case 'V': return "void";
    default: return {};
  }
}

// The length of the type at the beginning; 0: there is none.
std::size_t type_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == '[') ++at;
  if (at >= text.size()) return 0;
  if (text[at] != 'L') return primitive(text[at]).empty() ? 0 : at + 1;
  const auto end = text.find(';', at);
  if (end == std::string_view::npos || end == at + 1) return 0;
  const auto name = text.substr(at + 1, end - at - 1);
  return name.find_first_of(" ()`,") == std::string_view::npos ? end + 1 : 0;
}

// "(II)I" at the beginning, with the result; 0: there is none.
std::size_t descriptor_length(std::string_view text) {
  if (text.empty() || text[0] != '(') return 0;
  std::size_t at = 1;
  while (at < text.size() && text[at] != ')') {
    const std::size_t length = type_length(text.substr(at));
    if (length == 0) return 0;
    at += length;
  }
  if (at >= text.size()) return 0;
  ++at;
  const std::size_t result = type_length(text.substr(at));
  return result == 0 ? 0 : at + result;
}

bool in_name(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.' ||
         c == '-' || c == '/' || c == '<' || c == '>';
}

// "java.util.List", "java.util.Map.EMPTY": packages in small letters, a class,
// maybe a member. The length of the package with its dot; 0: it is something else.
std::size_t package_length(std::string_view name) {
  if (name.find_first_of("-/<>") != std::string_view::npos) return 0;
  std::size_t at = 0;
  for (;;) {
    const auto end = name.find('.', at);
    if (at >= name.size() || end == at) return 0;
    if (name[at] >= 'A' && name[at] <= 'Z') break;
    if (name[at] < 'a' || name[at] > 'z' || end == std::string_view::npos) {
      return 0;
    }
    at = end + 1;
  }
  const auto rest = name.substr(at);
  return std::ranges::count(rest, '.') <= 1 && !rest.ends_with('.') ? at : 0;
}

}  // namespace

std::string java_class(std::string_view name) {
  const auto package = name.find_last_of("./");
  std::string out(package == std::string_view::npos ? name
                                                    : name.substr(package + 1));
  for (std::size_t i = 1; i + 1 < out.size(); ++i) {
    if (out[i] == '$' && is_letter(out[i + 1]) && out[i - 1] != '.') {
      out[i] = '.';
    }
  }
  return out;
}

std::string java_type(std::string_view descriptor) {
  const auto dimensions =
      std::min(descriptor.find_first_not_of('['), descriptor.size());
  const std::string_view element = descriptor.substr(dimensions);
  if (type_length(element) != element.size() || element.empty()) return {};
  std::string out = element[0] == 'L'
                        ? java_class(element.substr(1, element.size() - 2))
                        : std::string(primitive(element[0]));
  for (std::size_t i = 0; i < dimensions; ++i) out += "[]";
  return out;
}

std::string java_parameters(std::string_view descriptor) {
  if (descriptor_length(descriptor) == 0) return "?";
  std::string out;
  for (std::size_t at = 1; descriptor[at] != ')';) {
    const std::size_t length = type_length(descriptor.substr(at));
    if (!out.empty()) out += ", ";
    out += java_type(descriptor.substr(at, length));
    at += length;
  }
  return out;
}

std::string_view class_part(std::string_view entity) {
  const auto open = entity.find('(');
  if (open == std::string_view::npos) return {};
  const auto dot = entity.rfind('.', open);
  return dot == std::string_view::npos ? std::string_view()
                                       : entity.substr(0, dot);
}

std::string_view member_part(std::string_view entity) {
  const auto cls = class_part(entity);
  return cls.empty() ? entity : entity.substr(cls.size() + 1);
}

std::string java_method_name(std::string_view entity) {
  const auto cls = class_part(entity);
  const auto member = member_part(entity);
  const auto name = member.substr(0, member.find('('));
  if (name == "<init>") return "new " + java_class(cls);
  if (name == "<clinit>") return "initializer of " + java_class(cls);
  return cls.empty() ? std::string(name)
                     : java_class(cls) + "." + std::string(name);
}

std::string java_method(std::string_view entity) {
  const auto open = entity.find('(');
  if (open == std::string_view::npos) return java_class(entity);
  if (member_part(entity).starts_with("<clinit>")) {
    return java_method_name(entity);
  }
  return java_method_name(entity) + "(" +
         java_parameters(entity.substr(open)) + ")";
}

std::string java_member(std::string_view line, std::string_view class_name) {
  const auto open = line.find('(');
  if (open == std::string_view::npos) {
    const auto key = line.substr(line.rfind(' ') + 1);
    return std::string(key.substr(0, key.find(':')));
  }
  const auto space = line.rfind(' ', open);
  const auto key =
      line.substr(space == std::string_view::npos ? 0 : space + 1);
  if (key.starts_with("<init>")) {
    return "new " + java_class(class_name) + "(" +
           java_parameters(key.substr(key.find('('))) + ")";
  }
  return java_method(key);
}

std::string java_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!in_name(text[at]) && text[at] != '(') {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    const auto name = text.substr(at, end - at);
    const auto rest = text.substr(end);
    if (const auto length = descriptor_length(rest); length != 0) {
      out += name.empty() ? "(" + java_parameters(rest.substr(0, length)) + ")"
                          : java_method(text.substr(at, name.size() + length));
      at = end + length;
      continue;
    }
    const auto dot = name.rfind('.');
    if (!name.empty() && rest.starts_with(':') &&
        type_length(rest.substr(1)) != 0) {
      out += dot == std::string_view::npos
                 ? std::string(name)
                 : java_class(name.substr(0, dot)) +
                       std::string(name.substr(dot));
      at = end + 1 + type_length(rest.substr(1));
      continue;
    }
    if (name.empty()) {
      out += text[at++];
      continue;
    }
    // A sentence may end behind the name.
    const bool stop = name.ends_with('.');
    const auto bare = stop ? name.substr(0, name.size() - 1) : name;
    if (const auto package = package_length(bare); package != 0) {
      const auto simple = bare.substr(package);
      const auto member = std::min(simple.find('.'), simple.size());
      out += java_class(simple.substr(0, member)) +
             std::string(simple.substr(member));
    } else {
      out += bare;
    }
    if (stop) out += '.';
    at = end;
  }
  return out;
}

}  // namespace rejig::traversal
