// SPDX-License-Identifier: Apache-2.0
#include "jig/world/shell.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "classfile/base/byte_reader.h"
#include "classfile/base/hash.h"
#include "jig/world/assert_prelude.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::MemberView;
using classfile::Tag;

namespace {

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

MemberKey::MemberKey(Name its_name, Name its_descriptor)
    : name(its_name),
      descriptor(its_descriptor),
      hash(base::hash64(its_name) * 31 + base::hash64(its_descriptor)) {}

namespace {

// Of members beyond these an index is sorted.
constexpr std::size_t kFew = 48;

std::uint32_t part_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32 ^ hash);
}

template <class T>
bool matches(const T& member, const MemberKey& key) {
  const auto same = [](Name a, Name b) {
    return a.size() == b.size() && (a.data() == b.data() || a == b);
  };
  return member.hash == key.hash && same(member.name, key.name) &&
         same(member.descriptor, key.descriptor);
}

}  // namespace

template <class T>
ClassShell::Index ClassShell::index_of(std::vector<T>& members) {
  Index out;
  out.hashes.reserve(members.size());
  for (T& member : members) {
    member.hash = MemberKey(member.name, member.descriptor).hash;
    out.hashes.push_back(part_of(member.hash));
  }
  if (members.size() <= kFew) return out;
  out.order.resize(members.size());
  std::iota(out.order.begin(), out.order.end(), std::uint16_t{0});
  std::sort(out.order.begin(), out.order.end(),
            [&](std::uint16_t a, std::uint16_t b) {
              return out.hashes[a] < out.hashes[b];
            });
  return out;
}

template <class T>
const T* ClassShell::find_member(const std::vector<T>& members,
                                 const Index& index, const MemberKey& key) {
  const std::uint32_t wanted = part_of(key.hash);
  if (index.order.empty()) {
    for (std::size_t i = 0; i < index.hashes.size(); ++i) {
      if (index.hashes[i] == wanted && matches(members[i], key)) return &members[i];
    }
    return nullptr;
  }
  auto at = std::lower_bound(index.order.begin(), index.order.end(), wanted,
                             [&](std::uint16_t i, std::uint32_t hash) {
                               return index.hashes[i] < hash;
                             });
  for (; at != index.order.end() && index.hashes[*at] == wanted; ++at) {
    if (matches(members[*at], key)) return &members[*at];
  }
  return nullptr;
}

const FieldShell* ClassShell::field(const MemberKey& key) const {
  return find_member(fields, field_index_, key);
}

const MethodShell* ClassShell::method(const MemberKey& key) const {
  return find_member(methods, method_index_, key);
}

void ClassShell::index() {
  field_index_ = index_of(fields);
  method_index_ = index_of(methods);
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
