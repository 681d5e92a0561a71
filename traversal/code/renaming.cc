// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/renaming.h"

namespace rejig::traversal {

void Renaming::add(std::string_view old_name, std::string_view new_name) {
  if (old_name == new_name) return;
  for (const auto name : {old_name, new_name}) {
    if (name.find('$') == std::string_view::npos) all_have_dollars_ = false;
  }
  to_new_[std::string(old_name)] = std::string(new_name);
  to_old_[std::string(new_name)] = std::string(old_name);
}

std::string Renaming::class_name(std::string_view old_name) const {
  if (!leaves(old_name)) {
    if (old_name.starts_with('[')) return descriptor(old_name);
    if (const auto* to = to_new_.find(old_name)) return *to;
  }
  return std::string(old_name);
}

std::string Renaming::descriptor(std::string_view old_descriptor) const {
  if (leaves(old_descriptor)) return std::string(old_descriptor);
  std::string out;
  while (!old_descriptor.empty()) {
    const char c = old_descriptor.front();
    const auto end = c == 'L' ? old_descriptor.find(';') : 0;
    if (c != 'L' || end == std::string_view::npos) {
      out += c;
      old_descriptor.remove_prefix(1);
      continue;
    }
    out += 'L';
    out += class_name(old_descriptor.substr(1, end - 1));
    out += ';';
    old_descriptor.remove_prefix(end + 1);
  }
  return out;
}

std::string_view Renaming::renamed_class(std::string_view old_name) const {
  const auto* to = to_new_.find(old_name);
  return to == nullptr ? old_name : std::string_view(*to);
}

bool Renaming::same_class(std::string_view old_name,
                          std::string_view new_name) const {
  if (leaves(old_name)) return old_name == new_name;
  if (old_name.starts_with('[')) return same_descriptor(old_name, new_name);
  return renamed_class(old_name) == new_name;
}

bool Renaming::same_descriptor(std::string_view a, std::string_view b) const {
  if (leaves(a)) return a == b;
  while (!a.empty() && !b.empty()) {
    if (a.front() != b.front()) return false;
    const auto end = a.front() == 'L' ? a.find(';') : 0;
    if (a.front() != 'L' || end == std::string_view::npos) {
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const std::string_view now = renamed_class(a.substr(1, end - 1));
    a.remove_prefix(end + 1);
    b.remove_prefix(1);
    if (!b.starts_with(now)) return false;
    b.remove_prefix(now.size());
    if (!b.starts_with(';')) return false;
    b.remove_prefix(1);
  }
  return a.empty() && b.empty();
}

std::string Renaming::old_class_name(std::string_view new_name) const {
  if (const auto* to = to_old_.find(new_name)) return *to;
  return std::string(new_name);
}

}  // namespace rejig::traversal
