// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/call_targets.h"

#include <algorithm>

namespace rejig::jig {

using classfile::kAccAbstract;
using classfile::kAccPrivate;
using classfile::kAccProtected;
using classfile::kAccPublic;
using classfile::kAccStatic;

namespace {

Chosen error(LinkError kind) {
  Chosen out;
  out.kind = Chosen::Kind::kError;
  out.error = kind;
  return out;
}

Chosen method(TypeId type, const MethodShell* shell) {
  Chosen out;
  out.kind = Chosen::Kind::kMethod;
  out.type = type;
  out.method = shell;
  return out;
}

}  // namespace

CallTargets::CallTargets(const ClassHierarchy& hierarchy)
    : hierarchy_(hierarchy),
      declared_epoch_(hierarchy.size(), 0),
      declared_(hierarchy.size(), nullptr),
      class_epoch_(hierarchy.size(), 0),
      class_(hierarchy.size()) {}

void CallTargets::begin(const MethodAnswer& resolved, bool by_interface) {
  ++epoch_;
  resolved_ = resolved;
  by_interface_ = by_interface;
  holder_ = hierarchy_.find(resolved.holder->name);
  interfaces_.clear();
  simple_ = true;
  const bool closed = !resolved.method->is(kAccPublic) &&
                      !resolved.method->is(kAccProtected) &&
                      !resolved.holder->shell->is_interface();
  const Name package = package_of(resolved.holder->name);
  for (const Declaration& each : hierarchy_.declarations(
           resolved.method->name, resolved.method->descriptor)) {
    if (each.method->is(kAccStatic) || each.method->is(kAccPrivate)) continue;
    const ClassShell& shell = *hierarchy_.node(each.type)->shell;
    if (shell.is_interface()) {
      interfaces_.push_back(each);
      continue;
    }
    declared_epoch_[each.type.index()] = epoch_;
    declared_[each.type.index()] = each.method;
    if (closed && package_of(shell.name) != package) simple_ = false;
  }
}

Chosen CallTargets::choose(TypeId receiver) {
  if (resolved_.method->is(kAccPrivate)) {
    return holder_.valid() ? method(holder_, resolved_.method) : Chosen{};
  }
  Chosen chosen = simple_ ? select(receiver) : slow(receiver);
  if (by_interface_ && chosen.kind == Chosen::Kind::kMethod &&
      !chosen.method->is(kAccPublic)) {
    return error(LinkError::kIllegalAccess);
  }
  return chosen;
}

// The nearest class that declares the method decides; its superclasses' answer
// is taken over where there is one.
Chosen CallTargets::select(TypeId receiver) {
  path_.clear();
  TypeId found;  // none: no class declares it
  bool unknown = false;
  for (TypeId at = receiver; at.valid(); at = hierarchy_.super(at)) {
    if (class_epoch_[at.index()] == epoch_) {
      found = class_[at.index()].type;
      unknown = class_[at.index()].unknown;
      break;
    }
    if (hierarchy_.node(at) == nullptr || hierarchy_.cyclic(at)) {
      unknown = true;
      break;
    }
    path_.push_back(at);
    if (declared_epoch_[at.index()] == epoch_) {
      found = at;
      break;
    }
  }
  for (const TypeId at : path_) {
    class_epoch_[at.index()] = epoch_;
    class_[at.index()] = {found, unknown};
  }
  if (unknown) return {};
  if (!found.valid()) return from_interfaces(receiver);
  const MethodShell* own = declared_[found.index()];
  return own->is(kAccAbstract) ? error(LinkError::kAbstractMethod)
                               : method(found, own);
}

Chosen CallTargets::from_interfaces(TypeId receiver) const {
  if (hierarchy_.incomplete(receiver)) return {};
  const Declaration* only = nullptr;
  unsigned concrete = 0;
  for (const Declaration& one : interfaces_) {
    if (one.method->is(kAccAbstract) ||
        !hierarchy_.is_subtype(receiver, one.type)) {
      continue;
    }
    const bool hidden = std::any_of(
        interfaces_.begin(), interfaces_.end(), [&](const Declaration& other) {
          return other.type != one.type &&
                 hierarchy_.is_subtype(other.type, one.type) &&
                 hierarchy_.is_subtype(receiver, other.type);
        });
    if (hidden) continue;
    only = &one;
    ++concrete;
  }
  if (concrete == 1) return method(only->type, only->method);
  return error(concrete == 0 ? LinkError::kAbstractMethod
                             : LinkError::kIncompatibleClassChange);
}

// Package-private methods and their overriding across packages.
Chosen CallTargets::slow(TypeId receiver) const {
  const auto answer = select_method(hierarchy_.world(),
                                    *hierarchy_.node(receiver), resolved_)
                          .specified;
  if (answer.found()) {
    return method(hierarchy_.find(answer.holder->name), answer.method);
  }
  return answer.unknown.empty() ? error(answer.error) : Chosen{};
}

}  // namespace rejig::jig
