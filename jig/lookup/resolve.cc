// SPDX-License-Identifier: Apache-2.0
// JVMS §5.4.3 resolution and §5.4.4 access control.
#include "jig/lookup/resolve.h"

#include <algorithm>

#include "classfile/words/entity.h"
#include "jig/lookup/superinterfaces.h"

namespace rejig::jig {

using classfile::kAccAbstract;
using classfile::kAccFinal;
using classfile::kAccInterface;
using classfile::kAccNative;
using classfile::kAccPrivate;
using classfile::kAccProtected;
using classfile::kAccPublic;
using classfile::kAccStatic;
using classfile::kAccVarargs;

namespace {

constexpr Name kObject = "java/lang/Object";
// Of a chain of superclasses: a longer one is taken for a cycle.
constexpr unsigned kMostSupers = 65536;

template <class Answer>
Answer unknown_class(Name name) {
  Answer answer;
  answer.unknown = name;
  return answer;
}

template <class Answer>
Answer failed(LinkError error) {
  Answer answer;
  answer.error = error;
  return answer;
}

// Superinterfaces before the superclass; a superinterface is looked into once,
// however many ways lead to it, and is asked for its own superinterfaces only.
class FieldSearch {
 public:
  FieldSearch(const World& world, Name field, Name descriptor)
      : world_(world), key_(field, descriptor) {}

  FieldAnswer run(Name owner) {
    Name at = owner;
    const ClassNode* node = world_.find(owner);
    for (unsigned depth = 0; depth < kMostSupers; ++depth) {
      if (!look_into(node, at) || done_) return answer_;
      in_interfaces(*node);
      if (done_) return answer_;
      at = node->shell->super;
      if (at.empty() || node->shell->is_interface()) {
        answer_.error = LinkError::kNoSuchField;
        return answer_;
      }
      node = world_.above(*node).super;
    }
    return unknown_class<FieldAnswer>(owner);
  }

 private:
  // False: nobody knows what is in it.
  bool look_into(const ClassNode* node, Name name) {
    if (node == nullptr || !node->readable()) {
      if (answer_.unknown.empty()) answer_.unknown = name;
      return false;
    }
    if (const auto* found = node->shell->field(key_)) {
      answer_.holder = node;
      answer_.field = found;
      done_ = true;
    }
    return true;
  }

  void in_interfaces(const ClassNode& of) {
    struct Next {
      Name name;
      const ClassNode* node;
    };
    std::vector<Next> todo;
    const auto push = [&](const ClassNode& node) {
      const auto& names = node.shell->interfaces;
      const auto& nodes = world_.above(node).interfaces;
      for (std::size_t i = names.size(); i-- > 0;) {
        todo.push_back({names[i], nodes[i]});
      }
    };
    if (of.shell->interfaces.empty()) return;
    push(of);
    while (!todo.empty()) {
      const Next at = todo.back();
      todo.pop_back();
      if (!seen_.insert(at.name)) continue;
      const bool known = look_into(at.node, at.name);
      if (done_) return;
      if (known) push(*at.node);
    }
  }

  const World& world_;
  MemberKey key_;
  base::HashSet<Name> seen_;
  FieldAnswer answer_;
  bool done_ = false;
};

bool signature_polymorphic(const ClassNode& node, Name name,
                           const MethodShell** found) {
  if (node.name != "java/lang/invoke/MethodHandle" &&
      node.name != "java/lang/invoke/VarHandle") {
    return false;
  }
  const MethodShell* only = nullptr;
  for (const auto& method : node.shell->methods) {
    if (method.name != name) continue;
    if (only != nullptr) return false;
    only = &method;
  }
  if (only == nullptr || !only->is(kAccNative) || !only->is(kAccVarargs) ||
      !only->descriptor.starts_with("([Ljava/lang/Object;)")) {
    return false;
  }
  *found = only;
  return true;
}

MethodAnswer in_class_chain(const World& world, const ClassNode& start,
                            const MemberKey& key) {
  const ClassNode* node = &start;
  for (unsigned depth = 0; depth < kMostSupers; ++depth) {
    const MethodShell* found = node->shell->method(key);
    if (found != nullptr || signature_polymorphic(*node, key.name, &found)) {
      MethodAnswer answer;
      answer.holder = node;
      answer.method = found;
      return answer;
    }
    const Name super = node->shell->super;
    if (super.empty()) return failed<MethodAnswer>(LinkError::kNoSuchMethod);
    node = world.above(*node).super;
    if (node == nullptr || !node->readable()) {
      return unknown_class<MethodAnswer>(super);
    }
  }
  return unknown_class<MethodAnswer>(start.name);
}

MethodAnswer in_superinterfaces(const World& world, const ClassNode& start,
                                const MemberKey& key) {
  const auto found = maximally_specific_methods(world, start, key);
  const MethodAnswer* only = nullptr;
  bool unique = true;
  for (const auto& one : found.maximal) {
    if (one.method->is(kAccAbstract)) continue;
    unique = only == nullptr;
    only = &one;
  }
  auto answer = failed<MethodAnswer>(LinkError::kNoSuchMethod);
  if (only != nullptr && unique) {
    answer = *only;
  } else if (!found.all.empty()) {
    answer = *std::min_element(found.all.begin(), found.all.end(),
                               [](const auto& a, const auto& b) {
                                 return a.holder->name < b.holder->name;
                               });
  }
  answer.unknown = found.unknown;
  return answer;
}

MethodAnswer beyond(Name unknown, MethodAnswer rest) {
  rest.unknown = unknown;
  return rest;
}

}  // namespace

std::string_view name_of(LinkError error) {
  switch (error) {
    case LinkError::kNone:
      return "";
    case LinkError::kNoClassDef:
      return "NoClassDefFoundError";
    case LinkError::kNoSuchField:
      return "NoSuchFieldError";
    case LinkError::kNoSuchMethod:
      return "NoSuchMethodError";
    case LinkError::kIllegalAccess:
      return "IllegalAccessError";
    case LinkError::kIncompatibleClassChange:
      return "IncompatibleClassChangeError";
    case LinkError::kAbstractMethod:
      return "AbstractMethodError";
    case LinkError::kInstantiation:
      return "InstantiationError";
    case LinkError::kVerify:
      return "VerifyError";
    case LinkError::kClassFormat:
      return "ClassFormatError";
  }
  return "";
}

namespace {

std::string rest(const ClassNode& holder, std::string member, unsigned access) {
  return ", else " + std::string(holder.internal ? "" : "external ") +
         classfile::dotted(holder.name) + "." + std::move(member) + " " +
         std::to_string(access);
}

}  // namespace

std::string rest_of(const FieldAnswer& answer) {
  if (answer.field == nullptr) return {};
  return rest(*answer.holder,
              std::string(answer.field->name) + ":" +
                  std::string(answer.field->descriptor),
              answer.field->access);
}

std::string rest_of(const MethodAnswer& answer) {
  if (answer.method == nullptr) return {};
  return rest(*answer.holder,
              std::string(answer.method->name) +
                  std::string(answer.method->descriptor),
              answer.method->access);
}

FieldAnswer resolve_field(const World& world, Name owner, Name name,
                          Name descriptor) {
  return FieldSearch(world, name, descriptor).run(owner);
}

MethodAnswer resolve_method(const World& world, const MethodReference& ref) {
  const bool array = !ref.owner.empty() && ref.owner[0] == '[';
  const Name owner = array ? kObject : ref.owner;
  const ClassNode* node = ref.node != nullptr ? ref.node : world.find(owner);
  if (node == nullptr || !node->readable()) {
    return unknown_class<MethodAnswer>(owner);
  }
  const bool is_interface = node->shell->is_interface();
  if (is_interface != ref.interface) {
    return failed<MethodAnswer>(LinkError::kIncompatibleClassChange);
  }
  const MemberKey key = ref.key();
  if (ref.name == "<init>") {
    const auto* own = node->shell->method(key);
    if (own == nullptr) {
      return failed<MethodAnswer>(LinkError::kNoSuchMethod);
    }
    MethodAnswer answer;
    answer.holder = node;
    answer.method = own;
    return answer;
  }
  if (!is_interface) {
    auto answer = in_class_chain(world, *node, key);
    if (answer.found()) return answer;
    auto rest = in_superinterfaces(world, *node, key);
    return answer.unknown.empty() ? rest : beyond(answer.unknown, rest);
  }
  if (const auto* own = node->shell->method(key)) {
    MethodAnswer answer;
    answer.holder = node;
    answer.method = own;
    return answer;
  }
  const ClassNode* object = world.find(kObject);
  if (object == nullptr || !object->readable()) {
    return beyond(kObject, in_superinterfaces(world, *node, key));
  }
  const auto* of_object = object->shell->method(key);
  if (of_object != nullptr && of_object->is(kAccPublic) &&
      !of_object->is(kAccStatic)) {
    MethodAnswer answer;
    answer.holder = object;
    answer.method = of_object;
    return answer;
  }
  return in_superinterfaces(world, *node, key);
}

namespace {

MethodAnswer special(const World& world, Name caller,
                     const MethodReference& ref, const MethodAnswer& resolved) {
  const ClassNode* from = world.find(caller);
  const ClassNode* owner = world.find(ref.owner);
  if (from == nullptr || !from->readable() || owner == nullptr) {
    return resolved;
  }
  // JVMS invokespecial: search starts in the direct superclass of the caller
  // if the reference names a proper superclass and ACC_SUPER is set; since
  // Java 8 every class file is treated as if it were.
  const bool to_super = !owner->shell->is_interface() && caller != ref.owner &&
                        world.is_subtype(*from, *owner);
  const MemberKey key = ref.key();
  const ClassNode* start = owner;
  if (to_super) {
    start = world.above(*from).super;
    if (start == nullptr || !start->readable()) {
      return unknown_class<MethodAnswer>(from->shell->super);
    }
  }
  if (start->shell->is_interface()) {
    if (const auto* own = start->shell->method(key);
        own != nullptr && !own->is(kAccStatic)) {
      MethodAnswer answer;
      answer.holder = start;
      answer.method = own;
      if (own->is(kAccAbstract)) {
        return failed<MethodAnswer>(LinkError::kAbstractMethod);
      }
      return answer;
    }
    const ClassNode* object = world.find(kObject);
    if (object == nullptr || !object->readable()) {
      return unknown_class<MethodAnswer>(kObject);
    }
    const auto* of_object = object->shell->method(key);
    if (of_object != nullptr && of_object->is(kAccPublic) &&
        !of_object->is(kAccStatic)) {
      MethodAnswer answer;
      answer.holder = object;
      answer.method = of_object;
      return answer;
    }
  } else {
    unsigned depth = 0;
    bool throws = false;  // HotSpot, before it comes to a private method
    for (const ClassNode* node = start; node != nullptr;) {
      if (++depth > kMostSupers) return unknown_class<MethodAnswer>(start->name);
      const auto* own = node->shell->method(key);
      if (own != nullptr && !own->is(kAccStatic)) {
        if (own->is(kAccAbstract) || (own->is(kAccPrivate) && throws)) {
          return failed<MethodAnswer>(LinkError::kAbstractMethod);
        }
        MethodAnswer answer;
        answer.holder = node;
        answer.method = own;
        return answer;
      }
      throws = throws || made_to_throw(world, *node, key);
      if (node->shell->super.empty()) break;
      node = world.above(*node).super;
      if (node == nullptr || !node->readable()) break;
    }
  }
  // What is not in the world above the class is in `found.unknown`.
  const auto found = maximally_specific_methods(world, *start, key);
  const MethodAnswer* only = nullptr;
  unsigned concrete = 0;
  for (const auto& one : found.maximal) {
    if (one.method->is(kAccAbstract)) continue;
    only = &one;
    ++concrete;
  }
  if (concrete == 1) return beyond(found.unknown, *only);
  return beyond(found.unknown, failed<MethodAnswer>(
                                   concrete == 0
                                       ? LinkError::kAbstractMethod
                                       : LinkError::kIncompatibleClassChange));
}

}  // namespace

MethodAnswer resolve_special(const World& world, Name caller,
                             const MethodReference& ref) {
  const auto resolved = resolve_method(world, ref);
  if (resolved.method == nullptr && resolved.unknown.empty()) return resolved;
  if (ref.name == "<init>") return resolved;
  auto answer = special(world, caller, ref, resolved);
  if (answer.unknown.empty()) answer.unknown = resolved.unknown;
  return answer;
}

bool class_accessible(const World& world, Name caller,
                      const ClassNode& target) {
  (void)world;
  return !target.readable() || target.shell->is(kAccPublic) ||
         package_of(caller) == package_of(target.name);
}

namespace {

Name nest_host_of(const World& world, const ClassNode& node) {
  const Name host = node.readable() ? node.shell->nest_host : Name{};
  if (host.empty()) return node.name;
  const ClassNode* host_node = world.find(host);
  if (host_node == nullptr || !host_node->readable() ||
      package_of(host) != package_of(node.name)) {
    return node.name;
  }
  const auto& members = host_node->shell->nest_members;
  // A host that does not link hosts nobody.
  return std::find(members.begin(), members.end(), node.name) !=
                     members.end() &&
                 link_problem(world, host).empty()
             ? host
             : node.name;
}

}  // namespace

bool member_accessible(const World& world, Name caller, Name owner,
                       const ClassNode& holder, std::uint16_t access,
                       bool is_clone_of_array) {
  if ((access & kAccPublic) != 0 || is_clone_of_array) return true;
  const bool same_package = package_of(caller) == package_of(holder.name);
  if ((access & kAccPrivate) != 0) {
    if (caller == holder.name) return true;
    const ClassNode* from = world.find(caller);
    return from != nullptr && same_package &&
           nest_host_of(world, *from) == nest_host_of(world, holder);
  }
  if (same_package) return true;
  if ((access & kAccProtected) == 0) return false;
  if (!world.is_subtype(caller, holder.name) && !world.supers(caller).open) {
    return false;
  }
  // An instance member must be named through a class of the caller's own line.
  return (access & kAccStatic) != 0 || world.is_subtype(caller, owner) ||
         world.is_subtype(owner, caller) || world.supers(caller).open ||
         world.supers(owner).open;
}

}  // namespace rejig::jig
