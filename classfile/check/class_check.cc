// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/class_check.h"

#include <algorithm>
#include <cstring>

#include "classfile/reader/descriptor.h"

namespace rejig::classfile {
namespace {

constexpr unsigned kMostArgumentSlots = 255;

bool illegal_visibility(std::uint16_t flags) {
  const int n = ((flags & kAccPublic) != 0) + ((flags & kAccPrivate) != 0) +
                ((flags & kAccProtected) != 0);
  return n > 1;
}

bool legal_field_flags(std::uint16_t f, bool in_interface, bool java5) {
  if (in_interface) {
    constexpr std::uint16_t kMust = kAccPublic | kAccStatic | kAccFinal;
    constexpr std::uint16_t kMustNot =
        kAccPrivate | kAccProtected | kAccVolatile | kAccTransient;
    return (f & kMust) == kMust && (f & kMustNot) == 0 &&
           !(java5 && (f & kAccEnum) != 0);
  }
  return !illegal_visibility(f) &&
         !((f & kAccFinal) != 0 && (f & kAccVolatile) != 0);
}

bool legal_interface_method_flags(std::uint16_t f, std::uint16_t major) {
  const auto has = [&](std::uint16_t bits) { return (f & bits) != 0; };
  if (major >= kJava8) {
    if (has(kAccPublic) == has(kAccPrivate)) return false;
    if (has(kAccNative | kAccProtected | kAccFinal | kAccSynchronized)) {
      return false;
    }
    return !has(kAccAbstract) || !(has(kAccPrivate | kAccStatic) ||
                                   (major < kJava17 && has(kAccStrict)));
  }
  if (!has(kAccPublic) || !has(kAccAbstract)) return false;
  if (major >= kJava5) {
    return !has(kAccPrivate | kAccProtected | kAccStatic | kAccFinal |
                kAccSynchronized | kAccNative | kAccStrict);
  }
  return !has(kAccStatic | kAccFinal | kAccNative);
}

bool legal_method_flags(std::uint16_t f, bool in_interface, bool constructor,
                        std::uint16_t major) {
  const auto has = [&](std::uint16_t bits) { return (f & bits) != 0; };
  if (in_interface) return legal_interface_method_flags(f, major);
  if (illegal_visibility(f)) return false;
  if (constructor) {
    return !has(kAccStatic | kAccFinal | kAccSynchronized | kAccNative |
                kAccAbstract) &&
           !(major >= kJava5 && has(kAccBridge));
  }
  if (!has(kAccAbstract)) return true;
  if (has(kAccFinal | kAccNative | kAccPrivate | kAccStatic)) return false;
  return major < kJava5 ||
         !(has(kAccSynchronized) || (major < kJava17 && has(kAccStrict)));
}

// Finds two members of one name and descriptor in a table of indices.
class MemberTable {
 public:
  explicit MemberTable(std::size_t n) {
    std::size_t size = 8;
    while (size < 2 * n) size *= 2;
    slots_.assign(size, 0);
  }

  // True if an equal member was there before.
  bool insert(std::span<const MemberView> members, std::size_t i) {
    const MemberView& m = members[i];
    std::size_t at = hash(m) & (slots_.size() - 1);
    while (slots_[at] != 0) {
      const MemberView& other = members[slots_[at] - 1];
      if (other.name == m.name && other.descriptor == m.descriptor) return true;
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = static_cast<std::uint32_t>(i + 1);
    return false;
  }

 private:
  static std::uint64_t mix(std::uint64_t h, std::string_view text) {
    std::uint64_t v = 0;
    const std::size_t n = std::min<std::size_t>(text.size(), 8);
    if (n != 0) std::memcpy(&v, text.data() + (text.size() - n), n);
    h = (h ^ v ^ text.size()) * 0x9e3779b97f4a7c15;
    if (n != 0) std::memcpy(&v, text.data(), n);
    h = (h ^ h >> 32 ^ v) * 0xbf58476d1ce4e5b9;
    return h ^ h >> 29;
  }
  // Of the names' ends only; equality decides. A crafted class can make this
  // slow (65,535 members), never wrong.
  static std::uint64_t hash(const MemberView& m) {
    return mix(mix(m.name.size() + 31 * m.descriptor.size(), m.name),
               m.descriptor);
  }

  std::vector<std::uint32_t> slots_;
};

std::string quoted(std::string_view raw) {
  std::string out;
  for (const char c : raw.substr(0, 200)) {
    out += static_cast<unsigned char>(c) >= 0x20 &&
                   static_cast<unsigned char>(c) < 0x7f
               ? c
               : '?';
  }
  return out;
}

}  // namespace

base::Result<void> check_class_flags(const CheckContext& c, std::uint16_t flags,
                                     std::size_t offset) {
  const auto has = [&](std::uint16_t bits) { return (flags & bits) != 0; };
  const bool java5 = c.major() >= kJava5;
  // Java 1.x compilers wrote interfaces without ACC_ABSTRACT.
  const bool abstract =
      has(kAccAbstract) || (has(kAccInterface) && c.major() < kJava6);
  if ((abstract && has(kAccFinal)) || (has(kAccInterface) && !abstract) ||
      (java5 && has(kAccInterface) && has(kAccSuper | kAccEnum)) ||
      (java5 && !has(kAccInterface) && has(kAccAnnotation))) {
    return c.error(offset, "class access flags " + hex4(flags) +
                               ", not a legal combination");
  }
  return {};
}

base::Result<void> check_header(const CheckContext& c) {
  const ClassView& cls = c.cls;
  const bool module = cls.major() >= kJava9 && cls.is(kAccModule);
  if (module) {
    if (cls.name() != "module-info" || !cls.super_name().empty() ||
        !cls.interfaces().empty() || !cls.fields().empty() ||
        !cls.methods().empty()) {
      return c.error(0,
                     "a module with a super class, interfaces, fields or "
                     "methods, or not called module-info");
    }
    return {};
  }
  if (const std::uint16_t i = cls.pool().first_module_constant(); i != 0) {
    return c.error(cls.pool().offset_of(i),
                   "constant " + std::to_string(i) +
                       " is a Module or Package, allowed in a module only");
  }
  if (cls.super_name().empty() && cls.name() != "java/lang/Object") {
    return c.error(0, "no super class, allowed for java/lang/Object only");
  }
  if (cls.is(kAccInterface) && cls.super_name() != "java/lang/Object") {
    return c.error(0, "an interface whose super class is not java/lang/Object");
  }
  auto names = cls.interfaces();
  if (names.size() > 1) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      return c.error(0, "interface " + quoted(*twice) + " twice");
    }
  }
  return {};
}

base::Result<void> check_field(const CheckContext& c, const MemberView& field) {
  const auto index = [&](std::size_t at) { return member_index(c, field, at); };
  if (!c.notes.field_name(index(2)) || !c.notes.field_descriptor(index(4))) {
    return c.error(field.offset, "illegal field name or descriptor");
  }
  if (!legal_field_flags(field.access, c.cls.is(kAccInterface),
                         c.major() >= kJava5)) {
    return c.error(field.offset, "field access flags " + hex4(field.access) +
                                     ", not a legal combination");
  }
  return {};
}

base::Result<void> check_method(const CheckContext& c,
                                const MemberView& method) {
  const bool in_interface = c.cls.is(kAccInterface);
  const bool special = method.name.starts_with('<');
  const bool initializer = special && method.name == "<clinit>";
  const bool constructor = special && method.name == "<init>";
  if (!c.notes.method_name(member_index(c, method, 2))) {
    return c.error(method.offset, "illegal method name");
  }
  const std::uint16_t descriptor = member_index(c, method, 4);
  if (!c.notes.method_descriptor(descriptor) ||
      (special && !method.descriptor.ends_with(")V")) ||
      (initializer && c.major() >= kJava7 && method.descriptor != "()V")) {
    return c.error(method.offset, "illegal method descriptor");
  }
  if (initializer) {
    if (c.major() >= kJava7 && !method.is(kAccStatic)) {
      return c.error(method.offset, "<clinit> is not static");
    }
  } else if (!legal_method_flags(method.access, in_interface, constructor,
                                 c.major())) {
    return c.error(method.offset, "method access flags " + hex4(method.access) +
                                      ", not a legal combination");
  }
  if (in_interface && constructor) {
    return c.error(method.offset, "an interface has a method <init>");
  }
  const unsigned all = c.notes.argument_slots(descriptor) +
                       (method.is(kAccStatic) || initializer ? 0u : 1u);
  if (all > kMostArgumentSlots) {
    return c.error(method.offset, "arguments of " + std::to_string(all) +
                                      " slots, allowed 255");
  }
  const bool no_body =
      !initializer && (method.access & (kAccNative | kAccAbstract)) != 0;
  const AttributeView* code = method.attribute(AttributeKind::kCode);
  if (no_body && code != nullptr) {
    return c.error(code->offset, "Code of a native or abstract method");
  }
  if (!no_body && code == nullptr) {
    return c.error(method.offset,
                   "no Code, but the method is not native or abstract");
  }
  return {};
}

base::Result<void> check_duplicates(const CheckContext& c) {
  for (const auto members : {c.cls.fields(), c.cls.methods()}) {
    if (members.size() < 2) continue;
    MemberTable table(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (table.insert(members, i)) {
        return c.error(members[i].offset, "member " + quoted(members[i].name) +
                                              quoted(members[i].descriptor) +
                                              " twice");
      }
    }
  }
  return {};
}

}  // namespace rejig::classfile
