// SPDX-License-Identifier: Apache-2.0
#include "traversal/body/constant_compare.h"

#include <algorithm>

namespace rejig::traversal {

using classfile::ClassView;
using classfile::HandleRef;
using classfile::MemberRef;
using classfile::Tag;

namespace {

constexpr std::string_view kMetafactory = "java/lang/invoke/LambdaMetafactory";

// The handle of a lambda body: a synthetic lambda$ method of this very class.
bool is_lambda_body(const ClassView& cls, const HandleRef& handle) {
  if (handle.ref.owner != cls.name() ||
      !handle.ref.name.starts_with("lambda$")) {
    return false;
  }
  return std::any_of(cls.methods().begin(), cls.methods().end(),
                     [&](const classfile::MemberView& method) {
                       return method.name == handle.ref.name &&
                              method.descriptor == handle.ref.descriptor &&
                              method.is(classfile::kAccSynthetic);
                     });
}

// Static bodies are one kind, instance bodies (5, 7, 9) another.
bool same_body_kind(std::uint8_t a, std::uint8_t b) {
  auto instance = [](std::uint8_t k) { return k == 5 || k == 7 || k == 9; };
  return a == b || (instance(a) && instance(b));
}

bool is_serializable_site(const ClassView& cls,
                          const classfile::BootstrapMethod& bootstrap,
                          std::string_view factory) {
  if (factory != "altMetafactory") return false;
  if (bootstrap.arguments.size() < 4) return true;
  const std::uint16_t flags = bootstrap.arguments[3];
  return cls.pool().tag(flags) != Tag::kInteger ||
         (cls.pool().int_value(flags) & 1) != 0;
}

}  // namespace

bool ConstantCompare::same_member(const MemberRef& old_ref,
                                  const MemberRef& new_ref) const {
  return old_ref.name == new_ref.name &&
         old_ref.interface == new_ref.interface &&
         old_ref.field == new_ref.field &&
         renaming_.same_class(old_ref.owner, new_ref.owner) &&
         renaming_.same_descriptor(old_ref.descriptor, new_ref.descriptor);
}

bool ConstantCompare::same_handle(std::uint16_t old_index,
                                  std::uint16_t new_index) const {
  const HandleRef a = old_.pool().handle(old_index);
  const HandleRef b = new_.pool().handle(new_index);
  return a.kind == b.kind && same_member(a.ref, b.ref);
}

bool ConstantCompare::same_bootstrap(std::uint16_t old_entry,
                                     std::uint16_t new_entry) {
  const auto& olds = old_.bootstrap_methods();
  const auto& news = new_.bootstrap_methods();
  if (old_entry >= olds.size() || new_entry >= news.size()) return false;
  const auto& a = olds[old_entry];
  const auto& b = news[new_entry];
  if (!same_handle(a.handle, b.handle) ||
      a.arguments.size() != b.arguments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    if (!same_within_budget(a.arguments[i], b.arguments[i])) return false;
  }
  return true;
}

bool ConstantCompare::same_dynamic(std::uint16_t old_index,
                                   std::uint16_t new_index) {
  const auto a = old_.pool().dynamic(old_index);
  const auto b = new_.pool().dynamic(new_index);
  return a.name == b.name &&
         renaming_.same_descriptor(a.descriptor, b.descriptor) &&
         same_bootstrap(a.bootstrap, b.bootstrap);
}

bool ConstantCompare::same_constant(std::uint16_t old_index,
                                    std::uint16_t new_index) {
  budget_ = kBudget;
  return same_within_budget(old_index, new_index);
}

bool ConstantCompare::same_within_budget(std::uint16_t old_index,
                                         std::uint16_t new_index) {
  if (budget_ == 0) return false;
  --budget_;
  const auto& a = old_.pool();
  const auto& b = new_.pool();
  const Tag tag = a.tag(old_index);
  if (tag != b.tag(new_index)) return false;
  switch (tag) {
    case Tag::kInteger:
      return a.int_value(old_index) == b.int_value(new_index);
    case Tag::kFloat:
      return a.float_bits(old_index) == b.float_bits(new_index);
    case Tag::kLong:
      return a.long_value(old_index) == b.long_value(new_index);
    case Tag::kDouble:
      return a.double_bits(old_index) == b.double_bits(new_index);
    case Tag::kString:
      return a.text(old_index) == b.text(new_index);
    case Tag::kClass:
      return renaming_.same_class(a.text(old_index), b.text(new_index));
    case Tag::kMethodType:
      return renaming_.same_descriptor(a.text(old_index), b.text(new_index));
    case Tag::kMethodHandle:
      return same_handle(old_index, new_index);
    case Tag::kDynamic:
      return same_dynamic(old_index, new_index);
    default:
      return false;
  }
}

bool ConstantCompare::same_call_site(
    std::uint16_t old_index, std::uint16_t new_index,
    std::vector<std::pair<MethodName, MethodName>>& lambdas) {
  budget_ = kBudget;
  const auto a = old_.pool().dynamic(old_index);
  const auto b = new_.pool().dynamic(new_index);
  const auto& olds = old_.bootstrap_methods();
  const auto& news = new_.bootstrap_methods();
  if (a.bootstrap >= olds.size() || b.bootstrap >= news.size()) return false;
  const auto& old_boot = olds[a.bootstrap];
  const auto& new_boot = news[b.bootstrap];
  const HandleRef factory = old_.pool().handle(old_boot.handle);
  const bool lambda_site = factory.ref.owner == kMetafactory &&
                           old_boot.arguments.size() >= 3 &&
                           new_boot.arguments.size() >= 3;
  if (!lambda_site) return same_dynamic(old_index, new_index);

  const HandleRef old_body = old_.pool().handle(old_boot.arguments[1]);
  const HandleRef new_body = new_.pool().handle(new_boot.arguments[1]);
  const bool by_position =
      is_lambda_body(old_, old_body) && is_lambda_body(new_, new_body) &&
      !is_serializable_site(old_, old_boot, factory.ref.name) &&
      !is_serializable_site(new_, new_boot, factory.ref.name);
  if (!by_position) {
    if (!same_dynamic(old_index, new_index)) return false;
    if (is_lambda_body(old_, old_body)) {
      lambdas.push_back({{std::string(old_body.ref.name),
                          std::string(old_body.ref.descriptor)},
                         {std::string(new_body.ref.name),
                          std::string(new_body.ref.descriptor)}});
    }
    return true;
  }
  if (a.name != b.name ||
      !renaming_.same_descriptor(a.descriptor, b.descriptor) ||
      !same_handle(old_boot.handle, new_boot.handle) ||
      old_boot.arguments.size() != new_boot.arguments.size() ||
      !same_body_kind(old_body.kind, new_body.kind) ||
      !renaming_.same_descriptor(old_body.ref.descriptor,
                                 new_body.ref.descriptor)) {
    return false;
  }
  for (std::size_t i = 0; i < old_boot.arguments.size(); ++i) {
    if (i == 1) continue;
    if (!same_within_budget(old_boot.arguments[i], new_boot.arguments[i])) {
      return false;
    }
  }
  lambdas.push_back(
      {{std::string(old_body.ref.name), std::string(old_body.ref.descriptor)},
       {std::string(new_body.ref.name), std::string(new_body.ref.descriptor)}});
  return true;
}

}  // namespace rejig::traversal
