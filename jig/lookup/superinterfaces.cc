// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/superinterfaces.h"

#include <algorithm>

namespace rejig::jig {

InterfaceMethods maximally_specific_methods(const World& world,
                                            const ClassNode& start,
                                            const MemberKey& key) {
  InterfaceMethods out;
  const SuperSet& supers = world.supers(start);
  if (!supers.unknown.empty()) out.unknown = supers.unknown.front();
  for (const ClassNode* node : supers.nodes) {
    if (node == nullptr || !node->readable() ||
        !node->shell->is_interface()) {
      continue;
    }
    const auto* method = node->shell->method(key);
    if (method == nullptr || method->is(classfile::kAccPrivate) ||
        method->is(classfile::kAccStatic)) {
      continue;
    }
    MethodAnswer answer;
    answer.holder = node;
    answer.method = method;
    out.all.push_back(answer);
  }
  for (const auto& one : out.all) {
    const bool hidden = std::any_of(
        out.all.begin(), out.all.end(), [&](const MethodAnswer& other) {
          return other.holder != one.holder &&
                 world.is_subtype(*other.holder, *one.holder);
        });
    if (!hidden) out.maximal.push_back(one);
  }
  return out;
}

bool made_to_throw(const World& world, const ClassNode& cls,
                   const MemberKey& key) {
  const auto found = maximally_specific_methods(world, cls, key);
  if (!found.unknown.empty()) return true;
  const auto concrete = std::count_if(
      found.maximal.begin(), found.maximal.end(), [](const MethodAnswer& one) {
        return !one.method->is(classfile::kAccAbstract);
      });
  if (found.maximal.empty() || concrete == 1) return false;
  // Only then does it look for defaults.
  const auto& supers = world.supers(cls).nodes;
  return std::any_of(supers.begin(), supers.end(), [](const ClassNode* node) {
    return node != nullptr && node->readable() &&
           node->shell->is_interface() &&
           std::any_of(node->shell->methods.begin(), node->shell->methods.end(),
                       [](const MethodShell& one) {
                         return !one.is(classfile::kAccAbstract) &&
                                !one.is(classfile::kAccStatic);
                       });
  });
}

}  // namespace rejig::jig
