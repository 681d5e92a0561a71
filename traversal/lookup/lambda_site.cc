// SPDX-License-Identifier: Apache-2.0
#include "traversal/lookup/lambda_site.h"

#include <algorithm>

#include "classfile/words/entity.h"
#include "jig/lookup/resolve.h"

namespace rejig::traversal {

LambdaBehaviour lambda_behaviour(const jig::World& world,
                                 const LambdaSite& site) {
  LambdaBehaviour out;
  std::vector<const jig::ClassNode*> interfaces;
  for (const jig::Name itf : site.interfaces) {
    for (const jig::Name super : world.supers(itf).names) {
      out.supers.emplace(super);
    }
    out.supers.emplace(itf);
  }
  for (const auto& name : out.supers) {
    const auto* node = world.find(name);
    if (node == nullptr || !node->readable()) {
      out.selected["?" + name].text = "unknown";
      continue;
    }
    if (node->shell->is_interface()) interfaces.push_back(node);
    bool defaults = false;
    for (const auto& method : node->shell->methods) {
      defaults = defaults || (!method.is(classfile::kAccAbstract) &&
                              !method.is(classfile::kAccStatic));
    }
    if (defaults && node->shell->has_clinit) out.initialized.push_back(name);
  }
  for (const auto* node : interfaces) {
    for (const auto& method : node->shell->methods) {
      if (method.is(classfile::kAccStatic) ||
          method.is(classfile::kAccPrivate) || method.is_initializer()) {
        continue;
      }
      auto& target = out.selected[std::string(method.name) +
                                  std::string(method.descriptor)];
      if (method.name == site.method &&
          std::find(site.descriptors.begin(), site.descriptors.end(),
                    method.descriptor) != site.descriptors.end()) {
        continue;
      }
      // Maximally-specific among the interfaces of the hidden class.
      const jig::ClassNode* only = nullptr;
      unsigned concrete = 0;
      for (const auto* candidate : interfaces) {
        const auto* m =
            candidate->shell->method(method.name, method.descriptor);
        if (m == nullptr || m->is(classfile::kAccPrivate) ||
            m->is(classfile::kAccStatic)) {
          continue;
        }
        bool hidden = false;
        for (const auto* other : interfaces) {
          const auto* o = other->shell->method(method.name, method.descriptor);
          hidden = hidden ||
                   (other != candidate && o != nullptr &&
                    !o->is(classfile::kAccPrivate) &&
                    !o->is(classfile::kAccStatic) &&
                    world.is_subtype(other->name, candidate->name));
        }
        if (hidden || m->is(classfile::kAccAbstract)) continue;
        only = candidate;
        ++concrete;
      }
      if (concrete != 1) {
        target.text = concrete == 0 ? "abstract" : "several defaults";
        continue;
      }
      target.text = std::string(only->name);
      if (only->internal) {
        target.internal_default = classfile::method_entity(
            only->name, method.name, method.descriptor);
      }
    }
  }
  return out;
}

std::string lambda_link_problem(const jig::World& world, jig::Name caller,
                                jig::Name interface_name) {
  const auto* node = world.find(interface_name);
  if (node == nullptr) return "unknown " + std::string(interface_name);
  if (!node->readable()) return "unreadable " + std::string(interface_name);
  if (!node->shell->is_interface()) {
    return std::string(interface_name) + " is no interface";
  }
  if (node->shell->sealed) {
    return std::string(interface_name) + " is sealed";
  }
  if (!jig::class_accessible(world, caller, *node)) {
    return std::string(interface_name) + " is not accessible";
  }
  return jig::link_problem(world, interface_name);
}

}  // namespace rejig::traversal
