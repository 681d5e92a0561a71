// SPDX-License-Identifier: Apache-2.0
#include "traversal/same/shell_same.h"

#include <algorithm>
#include <array>

#include "classfile/reader/annotations.h"

namespace rejig::traversal {

using classfile::AnnotationReader;
using classfile::AnnotationView;
using classfile::AttributeKind;
using classfile::AttributeView;
using classfile::ClassView;
using classfile::ConstantPool;
using classfile::ElementReader;
using classfile::ElementValue;
using classfile::MemberView;

namespace {

// The attributes that reflection can see. One at an odd place, where it has no
// kind, may be.
bool is_seen(const AttributeView& attribute) {
  switch (attribute.kind) {
    case AttributeKind::kUnknown:
      return seen_at_odd_places(attribute.name);
    case AttributeKind::kAnnotationDefault:
    case AttributeKind::kEnclosingMethod:
    case AttributeKind::kExceptions:
    case AttributeKind::kInnerClasses:
    case AttributeKind::kMethodParameters:
    case AttributeKind::kPermittedSubclasses:
    case AttributeKind::kRecord:
    case AttributeKind::kRuntimeVisibleAnnotations:
    case AttributeKind::kRuntimeVisibleParameterAnnotations:
    case AttributeKind::kRuntimeVisibleTypeAnnotations:
    case AttributeKind::kSignature:
      return true;
    default:
      return false;
  }
}

class SameShell {
 public:
  SameShell(const ClassView& a, const ClassView& b)
      : a_(a), b_(b), of_a_(a.pool()), of_b_(b.pool()) {}

  bool run() const {
    return a_.access() == b_.access() && a_.super_name() == b_.super_name() &&
           std::ranges::equal(a_.interfaces(), b_.interfaces()) &&
           members(a_.fields(), b_.fields()) &&
           members(a_.methods(), b_.methods()) &&
           attributes(a_.attributes(), b_.attributes());
  }

  SharedMembers shared() const {
    SharedMembers out;
    out.fields = members(a_.fields(), b_.fields());
    out.metadata = same_metadata();
    const auto olds = a_.methods();
    const auto news = b_.methods();
    out.old_methods.assign(olds.size(), 0);
    out.new_methods.assign(news.size(), 0);
    std::size_t next = 0;  // they mostly keep their order
    for (std::size_t j = 0; j < news.size(); ++j) {
      const auto is_partner = [&](const MemberView& one) {
        return one.name == news[j].name && one.descriptor == news[j].descriptor;
      };
      if (next >= olds.size() || !is_partner(olds[next])) {
        const auto found = std::ranges::find_if(olds, is_partner);
        if (found == olds.end()) continue;
        next = static_cast<std::size_t>(found - olds.begin());
      }
      const std::size_t i = next++;
      if (member(olds[i], news[j])) out.old_methods[i] = out.new_methods[j] = 1;
    }
    return out;
  }

 private:
  // What cannot be read is compared with the other annotations.
  static std::vector<AnnotationView> metadata_of(const ClassView& cls) {
    std::vector<AnnotationView> out;
    const auto* all = cls.attribute(AttributeKind::kRuntimeVisibleAnnotations);
    if (all == nullptr || !all->readable) return out;
    AnnotationReader reader(cls.pool(), *all);
    AnnotationView one;
    while (reader.next(one)) {
      if (is_language_metadata(one.type())) out.push_back(one);
    }
    return out;
  }
  bool same_metadata() const {
    return std::ranges::equal(
        metadata_of(a_), metadata_of(b_),
        [&](const auto& x, const auto& y) { return same(x, y); });
  }

  bool member(const MemberView& x, const MemberView& y) const {
    return x.access == y.access && x.name == y.name &&
           x.descriptor == y.descriptor &&
           attributes(x.attributes, y.attributes);
  }
  bool members(std::span<const MemberView> a,
               std::span<const MemberView> b) const {
    return std::ranges::equal(
        a, b, [&](const auto& x, const auto& y) { return member(x, y); });
  }

  bool attributes(std::span<const AttributeView> a,
                  std::span<const AttributeView> b) const {
    auto x = a.begin();
    auto y = b.begin();
    while (true) {
      while (x != a.end() && !is_seen(*x)) ++x;
      while (y != b.end() && !is_seen(*y)) ++y;
      if (x == a.end() || y == b.end()) return x == a.end() && y == b.end();
      if (x->kind != y->kind || !x->readable || !y->readable ||
          !same(*x++, *y++)) {
        return false;
      }
    }
  }

  // Of one kind, both readable.
  bool same(const AttributeView& x, const AttributeView& y) const {
    if (x.content.size() != y.content.size()) return false;
    base::ByteReader from_a(x.content);
    base::ByteReader from_b(y.content);
    switch (x.kind) {
      case AttributeKind::kSignature:
        return same_utf8(from_a, from_b);
      case AttributeKind::kExceptions:
      case AttributeKind::kPermittedSubclasses:
        return from_a.u2() == from_b.u2() &&
               rows(from_a, from_b, [&] { return same_text(from_a, from_b); });
      case AttributeKind::kMethodParameters:
        return from_a.u1() == from_b.u1() && rows(from_a, from_b, [&] {
                 return same_utf8(from_a, from_b) && from_a.u2() == from_b.u2();
               });
      case AttributeKind::kInnerClasses:
        return from_a.u2() == from_b.u2() && rows(from_a, from_b, [&] {
                 return same_text(from_a, from_b) &&
                        same_text(from_a, from_b) &&
                        same_utf8(from_a, from_b) && from_a.u2() == from_b.u2();
               });
      case AttributeKind::kEnclosingMethod:
        return same_text(from_a, from_b) && same_name_and_type(from_a, from_b);
      case AttributeKind::kAnnotationDefault:
        return same(annotation_default(of_a_, x), annotation_default(of_b_, y));
      case AttributeKind::kRuntimeVisibleAnnotations:
      case AttributeKind::kRuntimeVisibleParameterAnnotations:
      case AttributeKind::kRuntimeVisibleTypeAnnotations:
        return same_annotations(x, y);
      default:
        return false;  // Record
    }
  }

  // To the end of both.
  template <class Row>
  static bool rows(base::ByteReader& from_a, base::ByteReader& from_b,
                   Row&& row) {
    while (from_a.remaining() != 0 && from_b.remaining() != 0) {
      if (!row() || from_a.failed() || from_b.failed()) return false;
    }
    return from_a.remaining() == from_b.remaining();
  }

  bool same_utf8(base::ByteReader& from_a, base::ByteReader& from_b) const {
    return of_a_.utf8(from_a.u2()) == of_b_.utf8(from_b.u2());
  }
  bool same_text(base::ByteReader& from_a, base::ByteReader& from_b) const {
    return of_a_.text(from_a.u2()) == of_b_.text(from_b.u2());
  }
  bool same_name_and_type(base::ByteReader& from_a,
                          base::ByteReader& from_b) const {
    const std::uint16_t i = from_a.u2();
    const std::uint16_t j = from_b.u2();
    if (i == 0 || j == 0) return i == j;
    const auto x = of_a_.name_and_type(i);
    const auto y = of_b_.name_and_type(j);
    return x.name == y.name && x.descriptor == y.descriptor;
  }

  bool same_annotations(const AttributeView& x, const AttributeView& y) const {
    AnnotationReader from_a(of_a_, x);
    AnnotationReader from_b(of_b_, y);
    AnnotationView one;
    AnnotationView other;
    while (from_a.next(one)) {
      if (!from_b.next(other) || from_a.parameter() != from_b.parameter() ||
          !std::ranges::equal(from_a.target(), from_b.target()) ||
          !same(one, other)) {
        return false;
      }
    }
    return !from_b.next(other);
  }

  bool same(const AnnotationView& x, const AnnotationView& y) const {
    return x.type() == y.type() && same(x.elements(), y.elements());
  }

  bool same(ElementReader x, ElementReader y) const {
    std::string_view name;
    std::string_view other_name;
    ElementValue value;
    ElementValue other;
    while (x.next(name, value)) {
      if (!y.next(other_name, other) || name != other_name ||
          !same(value, other)) {
        return false;
      }
    }
    return !y.next(other_name, other);
  }

  bool same(const ElementValue& x, const ElementValue& y) const {
    if (x.tag() != y.tag()) return false;
    switch (x.tag()) {
      case 'J':
        return of_a_.long_value(x.constant()) == of_b_.long_value(y.constant());
      case 'F':
        return of_a_.float_bits(x.constant()) == of_b_.float_bits(y.constant());
      case 'D':
        return of_a_.double_bits(x.constant()) ==
               of_b_.double_bits(y.constant());
      case 's':
      case 'c':
        return x.text() == y.text();
      case 'e':
        return x.enum_type() == y.enum_type() && x.enum_name() == y.enum_name();
      case '@':
        return same(x.annotation(), y.annotation());
      case '[':
        return same(x.elements(), y.elements());
      default:
        return of_a_.int_value(x.constant()) == of_b_.int_value(y.constant());
    }
  }

  const ClassView& a_;
  const ClassView& b_;
  const ConstantPool& of_a_;
  const ConstantPool& of_b_;
};

}  // namespace

bool is_language_metadata(std::string_view annotation_type) {
  return annotation_type == "Lkotlin/Metadata;" ||
         annotation_type == "Lscala/reflect/ScalaSignature;" ||
         annotation_type == "Lscala/reflect/ScalaLongSignature;";
}

bool seen_at_odd_places(std::string_view attribute_name) {
  constexpr std::string_view kNames[] = {
      "EnclosingMethod", "Exceptions", "InnerClasses", "MethodParameters",
      "PermittedSubclasses", "Record", "Signature"};
  return attribute_name.starts_with("RuntimeVisible") ||
         attribute_name == "AnnotationDefault" ||
         std::ranges::find(kNames, attribute_name) != std::end(kNames);
}

SharedMembers shared_members(const ClassView& a, const ClassView& b) {
  return SameShell(a, b).shared();
}

bool same_shell_at_sight(const ClassView& a, const ClassView& b) {
  return SameShell(a, b).run();
}

}  // namespace rejig::traversal
