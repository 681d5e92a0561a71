// SPDX-License-Identifier: Apache-2.0
#include "jig/shell.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "classfile/base/byte_reader.h"
#include "jig/assert_prelude.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::MemberView;
using classfile::Tag;

namespace {

// Any total order will do; lengths are cheaper to compare than bytes.
int compare(Name a, Name b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.data() == b.data() ? 0 : a.compare(b);
}

template <class T>
int compare(const T& member, Name name, Name descriptor) {
  const int by_name = compare(member.name, name);
  return by_name != 0 ? by_name : compare(member.descriptor, descriptor);
}

// Of members beyond these an index is made.
constexpr std::size_t kFew = 8;

template <class T>
std::vector<std::uint16_t> sorted_order(const std::vector<T>& members) {
  if (members.size() <= kFew) return {};
  std::vector<std::uint16_t> order(members.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint16_t a, std::uint16_t b) {
    return compare(members[a], members[b].name, members[b].descriptor) < 0;
  });
  return order;
}

template <class T>
const T* find_member(const std::vector<T>& members,
                     const std::vector<std::uint16_t>& order, Name name,
                     Name descriptor) {
  if (order.empty()) {
    const auto at = std::find_if(
        members.begin(), members.end(), [&](const T& member) {
          return compare(member, name, descriptor) == 0;
        });
    return at == members.end() ? nullptr : &*at;
  }
  const auto at = std::lower_bound(
      order.begin(), order.end(), 0, [&](std::uint16_t i, int) {
        return compare(members[i], name, descriptor) < 0;
      });
  if (at == order.end()) return nullptr;
  const T& found = members[*at];
  return compare(found, name, descriptor) == 0 ? &found : nullptr;
}

Name constant_text(const ClassView& cls, const MemberView& field,
                   Names& names) {
  const auto* attribute = field.attribute("ConstantValue");
  if (attribute == nullptr) return {};
  base::ByteReader reader(attribute->content);
  const std::uint16_t index = reader.u2();
  const auto& pool = cls.pool();
  std::string text;
  switch (pool.tag(index)) {
    case Tag::kInteger:
      text = "I" + std::to_string(pool.int_value(index));
      break;
    case Tag::kLong:
      text = "J" + std::to_string(pool.long_value(index));
      break;
    case Tag::kFloat:
      text = "F" + std::to_string(pool.float_bits(index));
      break;
    case Tag::kDouble:
      text = "D" + std::to_string(pool.double_bits(index));
      break;
    case Tag::kString:
      text = "S";
      text += pool.text(index);
      break;
    default:
      text = "?";
  }
  return names.intern(text);
}

std::vector<Name> class_list(const ClassView& cls, std::string_view attribute,
                             Names& names) {
  std::vector<Name> out;
  const auto* found = cls.attribute(attribute);
  if (found == nullptr) return out;
  base::ByteReader reader(found->content);
  const std::uint16_t n = reader.u2();
  for (std::uint16_t i = 0; i < n && !reader.failed(); ++i) {
    out.push_back(names.intern(cls.pool().text(reader.u2())));
  }
  return out;
}

}  // namespace

const FieldShell* ClassShell::field(Name field_name, Name descriptor) const {
  return find_member(fields, field_order_, field_name, descriptor);
}

const MethodShell* ClassShell::method(Name method_name,
                                      Name descriptor) const {
  return find_member(methods, method_order_, method_name, descriptor);
}

void ClassShell::index() {
  field_order_ = sorted_order(fields);
  method_order_ = sorted_order(methods);
}

ClassShell make_shell(const ClassView& cls, Names& names) {
  ClassShell shell;
  shell.name = names.intern(cls.name());
  shell.super = names.intern(cls.super_name());
  shell.access = cls.access();
  shell.major = cls.major();
  shell.minor = cls.minor();
  for (const auto name : cls.interfaces()) {
    shell.interfaces.push_back(names.intern(name));
  }
  shell.fields.reserve(cls.fields().size());
  for (const MemberView& field : cls.fields()) {
    shell.fields.push_back({names.intern(field.name),
                            names.intern(field.descriptor), field.access,
                            constant_text(cls, field, names)});
  }
  shell.methods.reserve(cls.methods().size());
  for (const MemberView& method : cls.methods()) {
    shell.methods.push_back({names.intern(method.name),
                             names.intern(method.descriptor), method.access,
                             method.attribute("Code") != nullptr});
    if (method.name == "<clinit>") {
      shell.has_clinit = !is_only_assert_prelude(cls, method);
    }
  }
  // NestHost and NestMembers are honoured from major version 55 on.
  if (shell.major >= 55) {
    if (const auto* host = cls.attribute("NestHost")) {
      base::ByteReader reader(host->content);
      shell.nest_host = names.intern(cls.pool().text(reader.u2()));
    }
    shell.nest_members = class_list(cls, "NestMembers", names);
  }
  if (shell.major >= 61 && cls.attribute("PermittedSubclasses") != nullptr) {
    shell.sealed = true;
    shell.permitted = class_list(cls, "PermittedSubclasses", names);
  }
  shell.index();
  return shell;
}

std::string shown_constant(Name constant) {
  if (constant.empty()) return "none";
  const std::string text(constant.substr(1));
  switch (constant[0]) {
    case 'S':
      return '"' + text + '"';
    case 'J':
      return text + "L";
    case 'F':
      return "float bits " + text;
    case 'D':
      return "double bits " + text;
    default:
      return text;
  }
}

Name package_of(Name class_name) {
  const auto slash = class_name.rfind('/');
  return slash == Name::npos ? Name{} : class_name.substr(0, slash);
}

Name element_class(Name class_or_array) {
  if (class_or_array.empty() || class_or_array[0] != '[') {
    return class_or_array;
  }
  const auto at = class_or_array.find_first_not_of('[');
  if (at == Name::npos || class_or_array[at] != 'L') return {};
  const Name rest = class_or_array.substr(at + 1);
  return rest.empty() ? Name{} : rest.substr(0, rest.size() - 1);
}

}  // namespace rejig::jig
