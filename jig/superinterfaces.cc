// SPDX-License-Identifier: Apache-2.0
#include "jig/superinterfaces.h"

namespace rejig::jig {

InterfaceMethods maximally_specific_methods(const World& world,
                                            const ClassNode& start, Name name,
                                            Name descriptor) {
  InterfaceMethods out;
  const SuperSet& supers = world.supers(start.name);
  if (!supers.unknown.empty()) {
    out.unknown = supers.unknown.front();
    return out;
  }
  for (const Name super : supers.names) {
    const ClassNode* node = world.find(super);
    if (node == nullptr || !node->shell->is_interface()) continue;
    const auto* method = node->shell->method(name, descriptor);
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
    bool hidden = false;
    for (const auto& other : out.all) {
      hidden = hidden || (other.holder != one.holder &&
                          world.is_subtype(other.holder->name,
                                           one.holder->name));
    }
    if (!hidden) out.maximal.push_back(one);
  }
  return out;
}

}  // namespace rejig::jig
