// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/relations.h"

#include "classfile/reader/descriptor.h"
#include "jig/lookup/resolve.h"

namespace rejig::traversal::verify {

namespace {

constexpr std::string_view kObject = "java/lang/Object";

// The type inside an array's descriptor: "a/B", "[I"; of primitives "I".
std::string_view component(std::string_view array) {
  array.remove_prefix(1);
  if (array.starts_with('L')) return array.substr(1, array.size() - 2);
  return array;
}

bool is_primitive_array(std::string_view array) {
  return array.size() == 2 && array[1] != '[' && array[1] != 'L';
}

bool is_platform_name(std::string_view name) {
  return name.starts_with("java/") || name.starts_with("javax/") ||
         name.starts_with("jdk/") || name.starts_with("sun/");
}

}  // namespace

Relations::Relations(const jig::World& world, Pairs& unknown)
    : world_(world), unknown_(unknown) {
  const jig::ClassNode* known = world.find("java/lang/Throwable");
  knows_platform_ = known != nullptr && known->readable();
}

bool Relations::fits(const Slot& from, const Slot& to) const {
  if (to.kind == Kind::kTop || from == to) return true;
  if (to.kind != Kind::kObject) return false;
  if (from.kind == Kind::kNull) return true;
  return from.kind == Kind::kObject && fits_class(from.type, to.type);
}

bool Relations::fits_class(std::string_view from, std::string_view to) const {
  if (from == to || to == kObject) return true;
  if (to.starts_with('[')) return from.starts_with('[') && arrays(from, to);
  if (from.starts_with('[')) {
    return to == "java/lang/Cloneable" || to == "java/io/Serializable";
  }
  if (!knows_platform_ && is_platform_name(to)) {
    // Nobody said which platform it is; the class was compiled for one. What
    // else is missing is missing.
    if (!is_platform_name(from) && !loads(from)) doubt(from, to);
    return true;
  }
  if (!loads(to)) {
    doubt(from, to);
    return true;
  }
  if (world_.find(to)->shell->is_interface()) return true;
  if (!loads(from)) {
    doubt(from, to);
    return true;
  }
  return world_.is_subtype(from, to);
}

bool Relations::arrays(std::string_view from, std::string_view to) const {
  if (is_primitive_array(from) || is_primitive_array(to)) {
    // An array of primitives is an Object, and nothing else, inside an array.
    return component(to) == kObject && !is_primitive_array(from);
  }
  const auto x = component(from);
  const auto y = component(to);
  return fits_class(x, y);
}

bool Relations::loads(std::string_view name) const {
  const jig::ClassNode* node = world_.find(name);
  if (node == nullptr || !node->readable()) return false;
  const auto& unknown = world_.supers(*node).unknown;
  if (knows_platform_) return unknown.empty();
  for (const auto& one : unknown) {
    if (!is_platform_name(one)) return false;
  }
  return true;
}

bool Relations::above(std::string_view user, std::string_view name) const {
  const jig::ClassNode* node = world_.find(user);
  for (std::size_t n = 0; node != nullptr && node->readable() && n < 4096;
       ++n) {
    if (node->shell->super == name) return true;
    node = world_.find(node->shell->super);
  }
  return false;
}

bool Relations::is_protected_elsewhere(
    std::string_view user, const classfile::MemberRef& member) const {
  const jig::ClassNode* holder = nullptr;
  std::uint16_t access = 0;
  if (member.field) {
    const auto found = jig::resolve_field(world_, member.owner, member.name,
                                          member.descriptor);
    if (!found.found()) return false;
    holder = found.holder;
    access = found.field->access;
  } else {
    const auto found = jig::resolve_method(
        world_,
        {member.owner, member.name, member.descriptor, member.interface});
    if (!found.found()) return false;
    holder = found.holder;
    access = found.method->access;
  }
  return (access & classfile::kAccProtected) != 0 &&
         jig::package_of(holder->name) != jig::package_of(user);
}

void Relations::doubt(std::string_view from, std::string_view to) const {
  unknown_.emplace(from, to);
}

}  // namespace rejig::traversal::verify
