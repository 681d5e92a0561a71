// SPDX-License-Identifier: Apache-2.0
// Attributes (JVMS §4.7): what HotSpot refuses, and whether the content of the
// others can be walked. Annotations nest; they are walked with an explicit
// stack, and what nests deeper than kDeepestAnnotation is not readable.
#include <algorithm>

#include "classfile/reader/annotations.h"
#include "classfile/reader/class_check.h"

namespace rejig::classfile {
namespace {

class AttributeChecker {
 public:
  AttributeChecker(const CheckContext& c, const AttributeView& a,
                   const CodeView* body)
      : c_(c), a_(a), body_(body), r_(a.content, a.offset) {}

  base::Result<void> check() {
    const bool good = walk();
    if (good && (r_.failed() || !r_.at_end())) {
      reason_ = "length " + std::to_string(a_.content.size()) +
                " does not fit its content";
    }
    if (good && reason_.empty()) return {};
    if (r_.failed() && !failed_at_) {
      reason_ = "ends too early";
    }
    return c_.error(failed_at_ ? failed_at_ : r_.offset(),
                    "attribute " + std::string(a_.name) + ": " + reason_);
  }

 private:
  bool no(std::size_t at, std::string reason) {
    failed_at_ = at;
    reason_ = std::move(reason);
    return false;
  }

  // Reads a pool index that must be of that kind (0 allowed if `optional`).
  bool entry(Tag want, std::string_view expected, bool optional = false) {
    const std::size_t at = r_.offset();
    const std::uint16_t i = r_.u2();
    if (r_.failed()) return false;
    if ((optional && i == 0) || c_.pool().tag(i) == want) return true;
    return no(at, "refers to entry " + std::to_string(i) + " (constant tag " +
                      std::to_string(static_cast<unsigned>(c_.pool().tag(i))) +
                      "), expected " + (optional ? "0 or " : "") +
                      std::string(expected));
  }
  bool entries(Tag want, std::string_view expected) {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      if (!entry(want, expected)) return false;
    }
    return true;
  }

  bool walk() {
    switch (a_.kind) {
      case AttributeKind::kConstantValue:
        r_.skip(2);
        return true;
      case AttributeKind::kExceptions:
      case AttributeKind::kNestMembers:
        return entries(Tag::kClass, "a Class");
      case AttributeKind::kPermittedSubclasses:
        if (c_.cls.is(kAccFinal)) {
          return no(a_.offset, "of a final class");
        }
        return entries(Tag::kClass, "a Class");
      case AttributeKind::kNestHost:
        if (const auto* members = c_.cls.attribute(AttributeKind::kNestMembers);
            members != nullptr) {
          return no(a_.offset, "next to NestMembers");
        }
        return entry(Tag::kClass, "a Class");
      case AttributeKind::kSignature:
      case AttributeKind::kSourceFile:
        return entry(Tag::kUtf8, "a Utf8");
      case AttributeKind::kEnclosingMethod:
        return entry(Tag::kClass, "a Class") &&
               entry(Tag::kNameAndType, "a NameAndType", true);
      case AttributeKind::kInnerClasses:
        return inner_classes();
      case AttributeKind::kBootstrapMethods:
        return bootstrap_methods();
      case AttributeKind::kMethodParameters: {
        const unsigned n = r_.u1();
        r_.skip(std::size_t{4} * n);
        return true;
      }
      case AttributeKind::kLineNumberTable:
        return line_numbers();
      case AttributeKind::kLocalVariableTable:
      case AttributeKind::kLocalVariableTypeTable:
        return local_variables();
      case AttributeKind::kRecord:
        return record();
      case AttributeKind::kSynthetic:
      case AttributeKind::kDeprecated:
        return true;
      default:  // Code is checked by its own function; the rest is raw.
        r_.seek(a_.content.size());
        return true;
    }
  }

  bool inner_classes() {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      const std::size_t at = r_.offset();
      base::ByteReader peek = r_;
      const std::uint16_t inner = peek.u2();
      const std::uint16_t outer = peek.u2();
      if (!entry(Tag::kClass, "a Class") ||
          !entry(Tag::kClass, "a Class", true) ||
          !entry(Tag::kUtf8, "a Utf8", true)) {
        return false;
      }
      if (inner == outer) {
        return no(at, "a class that is its own outer class");
      }
      const std::uint16_t flags = r_.u2();
      if (auto legal = check_class_flags(c_, flags, r_.offset() - 2);
          !legal.ok()) {
        return no(at, legal.error().what);
      }
      inner_.push_back(inner);
    }
    std::sort(inner_.begin(), inner_.end());
    if (c_.major() >= kJava5 &&
        std::adjacent_find(inner_.begin(), inner_.end()) != inner_.end()) {
      return no(a_.offset, "one class in two rows");
    }
    if (c_.major() < kJava5 && !r_.failed()) r_.seek(a_.content.size());
    return true;
  }

  bool bootstrap_methods() {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      if (!entry(Tag::kMethodHandle, "a MethodHandle")) return false;
      const unsigned arguments = r_.u2();
      for (unsigned k = 0; k < arguments; ++k) {
        const std::size_t at = r_.offset();
        const std::uint16_t index = r_.u2();
        if (r_.failed()) return false;
        switch (c_.pool().tag(index)) {
          case Tag::kInteger:
          case Tag::kFloat:
          case Tag::kLong:
          case Tag::kDouble:
          case Tag::kClass:
          case Tag::kString:
          case Tag::kMethodHandle:
          case Tag::kMethodType:
          case Tag::kDynamic:
            break;
          default:
            return no(at, "argument is entry " + std::to_string(index) +
                              ", expected a loadable constant");
        }
      }
      if (r_.failed()) return false;
    }
    return true;
  }

  bool line_numbers() {
    const unsigned n = r_.u2();
    if (body_ != nullptr && r_.remaining() == std::size_t{4} * n &&
        largest_pc(n) < body_->code.size()) {
      r_.seek(a_.content.size());
      return true;
    }
    for (unsigned i = 0; i < n; ++i) {
      const std::size_t at = r_.offset();
      const unsigned pc = r_.u2();
      r_.skip(2);
      if (r_.failed()) return false;
      if (body_ != nullptr && pc >= body_->code.size()) {
        return no(at, "pc " + std::to_string(pc) + ", allowed below " +
                          std::to_string(body_->code.size()));
      }
    }
    return true;
  }

  // Of the n rows that begin here.
  std::size_t largest_pc(unsigned n) const {
    const std::byte* row = a_.content.data() + r_.pos();
    unsigned largest = 0;
    for (unsigned i = 0; i < n; ++i, row += 4) {
      largest = std::max(largest, std::to_integer<unsigned>(row[0]) << 8 |
                                      std::to_integer<unsigned>(row[1]));
    }
    return largest;
  }

  bool local_variables() {
    const bool types = a_.kind == AttributeKind::kLocalVariableTypeTable;
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      const std::size_t at = r_.offset();
      const unsigned start = r_.u2();
      const unsigned length = r_.u2();
      const std::uint16_t name = r_.u2();
      const std::uint16_t type = r_.u2();
      const unsigned slot = r_.u2();
      if (r_.failed()) return false;
      if (body_ == nullptr) continue;
      const std::size_t size = body_->code.size();
      if (start >= size || start + length > size) {
        return no(at, "range " + std::to_string(start) + " to " +
                          std::to_string(start + length) + " in code of " +
                          std::to_string(size) + " bytes");
      }
      if (!c_.notes.field_name(name)) {
        return no(at, "name is entry " + std::to_string(name) +
                          ", expected a Utf8 with a legal name");
      }
      if (types ? c_.pool().tag(type) != Tag::kUtf8
                : !c_.notes.field_descriptor(type)) {
        return no(at, "type is entry " + std::to_string(type) +
                          ", expected a Utf8 with a legal type");
      }
      const unsigned slots = types ? 1 : c_.notes.slots(type);
      if (slot + slots > body_->max_locals) {
        return no(at, "local variable " + std::to_string(slot) +
                          ", max_locals is " +
                          std::to_string(body_->max_locals));
      }
    }
    return true;
  }

  bool record() {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      const std::size_t at = r_.offset();
      const std::uint16_t name = r_.u2();
      const std::uint16_t descriptor = r_.u2();
      if (r_.failed()) return false;
      if (!c_.notes.field_name(name) ||
          !c_.notes.field_descriptor(descriptor)) {
        return no(at, "component with an illegal name or descriptor");
      }
      const unsigned attributes = r_.u2();
      for (unsigned k = 0; k < attributes; ++k) {
        if (!entry(Tag::kUtf8, "a Utf8")) return false;
        r_.skip(r_.u4());
        if (r_.failed()) return false;
      }
    }
    return true;
  }

  const CheckContext& c_;
  const AttributeView& a_;
  const CodeView* body_;
  base::ByteReader r_;
  std::vector<std::uint16_t> inner_;
  std::string reason_;
  std::size_t failed_at_ = 0;
};

// Walks content whose ill-formedness is not the class's.
class ContentWalker {
 public:
  ContentWalker(const ConstantPool& pool, base::Bytes content)
      : pool_(pool), r_(content) {}

  bool walk(AttributeKind kind) {
    return content(kind) && !r_.failed() && r_.at_end();
  }

 private:
  bool entry(Tag want, bool optional = false) {
    const std::uint16_t i = r_.u2();
    return !r_.failed() && ((optional && i == 0) || pool_.tag(i) == want);
  }
  bool entries(Tag want) {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      if (!entry(want)) return false;
    }
    return true;
  }

  bool content(AttributeKind kind) {
    switch (kind) {
      case AttributeKind::kRuntimeVisibleAnnotations:
      case AttributeKind::kRuntimeInvisibleAnnotations:
        return annotations();
      case AttributeKind::kRuntimeVisibleParameterAnnotations:
      case AttributeKind::kRuntimeInvisibleParameterAnnotations: {
        const unsigned n = r_.u1();
        for (unsigned i = 0; i < n; ++i) {
          if (!annotations()) return false;
        }
        return true;
      }
      case AttributeKind::kRuntimeVisibleTypeAnnotations:
      case AttributeKind::kRuntimeInvisibleTypeAnnotations: {
        const unsigned n = r_.u2();
        for (unsigned i = 0; i < n; ++i) {
          if (!skip_type_annotation_target(r_)) return false;
          if (!annotation()) return false;
        }
        return true;
      }
      case AttributeKind::kAnnotationDefault:
        pending_.push_back({1, false});
        return values();
      case AttributeKind::kConstantValue:
        return r_.remaining() == 2 && loadable(r_.u2());
      case AttributeKind::kEnclosingMethod:
        return entry(Tag::kClass) && entry(Tag::kNameAndType, true);
      case AttributeKind::kSignature:
        return entry(Tag::kUtf8);
      case AttributeKind::kModule:
        return module();
      case AttributeKind::kModulePackages:
        return entries(Tag::kPackage);
      case AttributeKind::kModuleMainClass:
      case AttributeKind::kNestHost:
        return entry(Tag::kClass);
      case AttributeKind::kNestMembers:
      case AttributeKind::kPermittedSubclasses:
        return entries(Tag::kClass);
      case AttributeKind::kRecord:
        return record();
      case AttributeKind::kMethodParameters: {
        const unsigned n = r_.u1();
        for (unsigned i = 0; i < n; ++i) {
          if (!entry(Tag::kUtf8, true)) return false;
          r_.skip(2);
        }
        return true;
      }
      case AttributeKind::kBootstrapMethods: {
        const unsigned n = r_.u2();
        for (unsigned i = 0; i < n; ++i) {
          if (!entry(Tag::kMethodHandle)) return false;
          const unsigned arguments = r_.u2();
          for (unsigned k = 0; k < arguments; ++k) {
            if (!loadable(r_.u2())) return false;
          }
        }
        return true;
      }
      default:
        r_.skip(r_.remaining());
        return true;
    }
  }

  bool loadable(std::uint16_t i) const {
    const Tag t = pool_.tag(i);
    return !r_.failed() && t != Tag::kNone && t != Tag::kUtf8 &&
           t != Tag::kNameAndType && t != Tag::kInvokeDynamic &&
           t != Tag::kFieldref && t != Tag::kMethodref &&
           t != Tag::kInterfaceMethodref && t < Tag::kModule;
  }

  bool annotations() {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      if (!annotation()) return false;
    }
    return true;
  }

  bool annotation() {
    if (!entry(Tag::kUtf8)) return false;
    pending_.push_back({r_.u2(), true});
    return values();
  }

  // pending_ holds, from outermost to innermost, how many values are still to
  // come in each open annotation (named) or array.
  bool values() {
    while (!pending_.empty()) {
      if (r_.failed() || pending_.size() > kDeepestAnnotation) return false;
      Open& open = pending_.back();
      if (open.left == 0) {
        pending_.pop_back();
        continue;
      }
      --open.left;
      if (open.named && !entry(Tag::kUtf8)) return false;
      if (!value()) return false;
    }
    return true;
  }

  bool value() {
    switch (static_cast<char>(r_.u1())) {
      case 'B':
      case 'C':
      case 'I':
      case 'S':
      case 'Z':
        return entry(Tag::kInteger);
      case 'D':
        return entry(Tag::kDouble);
      case 'F':
        return entry(Tag::kFloat);
      case 'J':
        return entry(Tag::kLong);
      case 's':
      case 'c':
        return entry(Tag::kUtf8);
      case 'e':
        return entry(Tag::kUtf8) && entry(Tag::kUtf8);
      case '@':
        if (!entry(Tag::kUtf8)) return false;
        pending_.push_back({r_.u2(), true});
        return true;
      case '[':
        pending_.push_back({r_.u2(), false});
        return true;
      default:
        return false;
    }
  }

  bool module() {
    if (!entry(Tag::kModule)) return false;
    r_.skip(2);
    if (!entry(Tag::kUtf8, true)) return false;
    const unsigned requires_count = r_.u2();
    for (unsigned i = 0; i < requires_count; ++i) {
      if (!entry(Tag::kModule)) return false;
      r_.skip(2);
      if (!entry(Tag::kUtf8, true)) return false;
    }
    for (int table = 0; table < 2; ++table) {  // exports, opens
      const unsigned n = r_.u2();
      for (unsigned i = 0; i < n; ++i) {
        if (!entry(Tag::kPackage)) return false;
        r_.skip(2);
        if (!entries(Tag::kModule)) return false;
      }
    }
    if (!entries(Tag::kClass)) return false;  // uses
    const unsigned provides = r_.u2();
    for (unsigned i = 0; i < provides; ++i) {
      if (!entry(Tag::kClass) || !entries(Tag::kClass)) return false;
    }
    return true;
  }

  bool record() {
    const unsigned n = r_.u2();
    for (unsigned i = 0; i < n; ++i) {
      if (!entry(Tag::kUtf8) || !entry(Tag::kUtf8)) return false;
      const unsigned attributes = r_.u2();
      for (unsigned k = 0; k < attributes; ++k) {
        if (!entry(Tag::kUtf8)) return false;
        r_.skip(r_.u4());
        if (r_.failed()) return false;
      }
    }
    return true;
  }

  struct Open {
    std::uint16_t left;
    bool named;
  };

  const ConstantPool& pool_;
  base::ByteReader r_;
  std::vector<Open> pending_;
};

std::uint64_t packed_row(base::ByteReader& r, std::uint16_t& type) {
  const std::uint64_t start = r.u2();
  const std::uint64_t length = r.u2();
  const std::uint64_t name = r.u2();
  type = r.u2();
  return start << 48 | length << 32 | name << 16 | r.u2();
}

}  // namespace

base::Result<void> check_attribute(const CheckContext& c,
                                   const AttributeView& attribute,
                                   const CodeView* body) {
  return AttributeChecker(c, attribute, body).check();
}

// HotSpot compares start, length, name and slot, from version 49, if there is
// any row of LocalVariableTable.
base::Result<void> check_locals(const CheckContext& c, const CodeView& code) {
  if (c.major() < kJava5) return {};
  std::vector<std::uint64_t>& rows = c.scratch.locals;
  rows.clear();
  for (const AttributeKind kind : {AttributeKind::kLocalVariableTable,
                                   AttributeKind::kLocalVariableTypeTable}) {
    const std::size_t variables = rows.size();
    const bool types = kind == AttributeKind::kLocalVariableTypeTable;
    for (const AttributeView& a : code.attributes) {
      if (a.kind != kind) continue;
      base::ByteReader r(a.content, a.offset);
      const unsigned n = r.u2();
      for (unsigned i = 0; i < n; ++i) {
        std::uint16_t type = 0;
        const std::uint64_t row = packed_row(r, type);
        if (types && variables == 0) continue;
        if (types &&
            !std::binary_search(
                rows.begin(),
                rows.begin() + static_cast<std::ptrdiff_t>(variables), row)) {
          return c.error(r.offset() - 10,
                         "attribute LocalVariableTypeTable: a row without its "
                         "row of LocalVariableTable");
        }
        rows.push_back(row);
      }
    }
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(variables);
    if (rows.end() - begin > 1) {
      if (!std::is_sorted(begin, rows.end())) std::sort(begin, rows.end());
      if (std::adjacent_find(begin, rows.end()) != rows.end()) {
        return c.error(code.code_offset,
                       types ? "a row of LocalVariableTypeTable twice"
                             : "a row of LocalVariableTable twice");
      }
    }
  }
  return {};
}

bool well_formed(const ConstantPool& pool, const AttributeView& attribute) {
  return ContentWalker(pool, attribute.content).walk(attribute.kind);
}

bool skip_type_annotation_target(base::ByteReader& r) {
  const unsigned target = r.u1();
  switch (target) {
    case 0x00:  // type_parameter_target
    case 0x01:
    case 0x16:  // formal_parameter_target
      r.skip(1);
      break;
    case 0x10:  // supertype_target
    case 0x11:  // type_parameter_bound_target
    case 0x12:
    case 0x17:  // throws_target
    case 0x42:  // catch_target
    case 0x43:  // offset_target
    case 0x44:
    case 0x45:
    case 0x46:
      r.skip(2);
      break;
    case 0x13:  // empty_target
    case 0x14:
    case 0x15:
      break;
    case 0x40:  // localvar_target
    case 0x41:
      r.skip(std::size_t{6} * r.u2());
      break;
    case 0x47:  // type_argument_target
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
      r.skip(3);
      break;
    default:
      return false;
  }
  r.skip(std::size_t{2} * r.u1());  // type_path
  return !r.failed();
}

}  // namespace rejig::classfile
