// SPDX-License-Identifier: Apache-2.0
// JVMS §5.4.6 selection and §5.4.5 overriding, and the places where HotSpot
// leaves them.
#include <algorithm>
#include <vector>

#include "jig/lookup/resolve.h"
#include "jig/lookup/superinterfaces.h"

namespace rejig::jig {

using classfile::kAccAbstract;
using classfile::kAccPrivate;
using classfile::kAccProtected;
using classfile::kAccPublic;
using classfile::kAccStatic;

namespace {

// Of a chain of superclasses: a longer one is taken for a cycle.
constexpr unsigned kMostSupers = 65536;

bool can_be_inherited_anywhere(const MethodShell& method) {
  return method.is(kAccPublic) || method.is(kAccProtected);
}

// From `node` (exclusive) up to `top` (exclusive), the classes between.
std::vector<const ClassNode*> between(const World& world,
                                      const ClassNode& node,
                                      const ClassNode& top) {
  std::vector<const ClassNode*> out;
  const ClassNode* next = world.above(node).super;
  while (next != nullptr && next != &top && next->readable() &&
         out.size() < kMostSupers) {
    out.push_back(next);
    next = world.above(*next).super;
  }
  return out;
}

// The slots that HotSpot's virtual method tables have for one name and
// descriptor, along the superclasses of `receiver`: a method replaces what it may
// override as the slot stands in its superclass; from version 51 on also what
// any class above has in that slot. A method of an interface has its slot in
// `owner`, where no class from there on up declares it.
MethodAnswer slot_of(const World& world, const ClassNode& receiver,
                     const MethodAnswer& resolved, Name owner) {
  std::vector<const ClassNode*> chain = {&receiver};
  MethodAnswer answer;
  while (!chain.back()->shell->super.empty()) {
    const ClassNode* next = world.above(*chain.back()).super;
    if (next == nullptr || !next->readable() || chain.size() > kMostSupers) {
      answer.unknown = chain.back()->shell->super;
      break;
    }
    chain.push_back(next);
  }
  struct Entry {
    const ClassNode* holder;
    const MethodShell* method;
  };
  std::vector<std::vector<Entry>> slots;  // each: what it held, top down
  std::size_t of_resolved = 0;
  if (resolved.holder->shell->is_interface()) {
    const auto top = std::find_if(
        chain.begin(), chain.end(),
        [&](const ClassNode* node) { return node->name == owner; });
    if (top != chain.end()) {
      slots.push_back({{*top, resolved.method}});
      chain.erase(top, chain.end());
    }
  }
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const ClassNode& node = **at;
    const auto* own = node.shell->method(resolved.method->key());
    if (own == nullptr || own->is(kAccStatic) || own->is(kAccPrivate)) continue;
    bool placed = false;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto replaceable = [&](const Entry& entry) {
        return can_be_inherited_anywhere(*entry.method) ||
               package_of(entry.holder->name) == package_of(node.name);
      };
      if (!replaceable(slots[i].back()) &&
          (node.shell->major <= 50 || std::none_of(slots[i].begin(),
                                                   slots[i].end(),
                                                   replaceable))) {
        continue;
      }
      slots[i].push_back({&node, own});
      placed = true;
      if (own == resolved.method) of_resolved = i;
    }
    if (placed) continue;
    if (own == resolved.method) of_resolved = slots.size();
    slots.push_back({{&node, own}});
  }
  if (slots.empty()) return answer;
  const Entry& found = slots[of_resolved].back();
  if (found.method->is(kAccAbstract)) {
    answer.error = LinkError::kAbstractMethod;
  } else {
    answer.holder = found.holder;
    answer.method = found.method;
  }
  return answer;
}

}  // namespace

bool overrides(const World& world, const ClassNode& c,
               const MethodShell& method, const ClassNode& a,
               const MethodShell& overridden) {
  if (method.is(kAccPrivate) || method.is(kAccStatic)) return false;
  if (overridden.is(kAccPrivate) || overridden.is(kAccStatic)) return false;
  if (can_be_inherited_anywhere(overridden)) return true;
  if (package_of(c.name) == package_of(a.name)) return true;
  // Transitively: through a class between that overrides it and is overridden.
  for (const ClassNode* b : between(world, c, a)) {
    const auto* middle = b->shell->method(method.key());
    if (middle == nullptr) continue;
    if (overrides(world, *b, *middle, a, overridden) &&
        (can_be_inherited_anywhere(*middle) ||
         package_of(c.name) == package_of(b->name))) {
      return true;
    }
  }
  return false;
}

Selection select_method(const World& world, const ClassNode& receiver,
                        const MethodAnswer& resolved, Name owner) {
  Selection out;
  if (!resolved.found() || resolved.method->is(kAccPrivate)) {
    out.specified = out.hotspot = resolved;
    return out;
  }
  const MemberKey key = resolved.method->key();
  auto both = [&](const MethodAnswer& answer) {
    out.specified = answer;
    out.hotspot = answer;
    return out;
  };
  bool private_seen = false;
  // Superclasses of those that declare one.
  std::vector<const ClassNode*> above_static;
  Name unknown;
  unsigned depth = 0;
  for (const ClassNode* node = &receiver;;) {
    if (++depth > kMostSupers) {
      MethodAnswer answer;
      answer.unknown = receiver.name;
      return both(answer);
    }
    const auto* own = node->shell->method(key);
    if (own != nullptr && !own->is(kAccStatic)) {
      const bool itself =
          node == resolved.holder && own == resolved.method;
      if (own->is(kAccPrivate)) {
        private_seen = true;
      } else if (itself || resolved.holder->shell->is_interface() ||
                 overrides(world, *node, *own, *resolved.holder,
                           *resolved.method)) {
        MethodAnswer answer;
        if (own->is(kAccAbstract)) {
          answer.error = LinkError::kAbstractMethod;
        } else {
          answer.holder = node;
          answer.method = own;
        }
        both(answer);
        const bool has_slot =
            !resolved.holder->shell->is_interface() || !owner.empty();
        if (has_slot && (!can_be_inherited_anywhere(*resolved.method) ||
                         node->shell->major <= 50)) {
          out.hotspot = slot_of(world, receiver, resolved, owner);
        }
        return out;
      }
    }
    const Name super = node->shell->super;
    if (super.empty()) break;
    const ClassNode* next = world.above(*node).super;
    if (own != nullptr && own->is(kAccStatic)) above_static.push_back(next);
    if (next == nullptr || !next->readable()) {
      unknown = super;
      break;
    }
    node = next;
  }
  const auto found = maximally_specific_methods(world, receiver, key);
  if (unknown.empty()) unknown = found.unknown;
  MethodAnswer answer;
  const MethodAnswer* only = nullptr;
  unsigned concrete = 0;
  for (const auto& one : found.maximal) {
    if (one.method->is(kAccAbstract)) continue;
    only = &one;
    ++concrete;
  }
  if (concrete == 1) {
    answer = *only;
    answer.unknown = unknown;
    both(answer);
    // Looking past a static method, HotSpot meets what its superclass had to
    // throw before `receiver` inherited an implementation.
    const bool throws_above = std::any_of(
        above_static.begin(), above_static.end(), [&](const ClassNode* super) {
          return super != nullptr && super->readable() &&
                 made_to_throw(world, *super, key);
        });
    if (private_seen || throws_above) {
      out.hotspot = MethodAnswer{};
      out.hotspot.error = LinkError::kAbstractMethod;
      out.hotspot.unknown = unknown;
    }
    return out;
  }
  answer.unknown = unknown;
  answer.error = LinkError::kAbstractMethod;
  out.several_defaults = concrete > 1;
  return both(answer);
}

}  // namespace rejig::jig
