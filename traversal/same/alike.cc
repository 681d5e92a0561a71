// SPDX-License-Identifier: Apache-2.0
// Both files are read in step: two readers, and a question for each field. A
// reader that fails ends the comparison with a no.
#include "traversal/same/alike.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "classfile/reader/annotations.h"
#include "classfile/reader/code.h"
#include "classfile/reader/modified_utf8.h"
#include "traversal/code/enum_values.h"
#include "traversal/same/shell_same.h"

namespace rejig::traversal {

using base::ByteReader;
using base::Bytes;
using classfile::AttributeKind;
using classfile::AttributeView;
using classfile::ClassView;
using classfile::CodeView;
using classfile::ConstantPool;
using classfile::MemberView;
using classfile::OperandKind;
using classfile::Tag;

namespace {

// Overlong texts are legal in classes up to this version.
constexpr std::uint16_t kLastOverlong = 47;
constexpr unsigned kDeepest = 32;  // of annotations in annotations

bool same_bytes(Bytes a, Bytes b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// One structure of each file, in step.
struct Both {
  ByteReader a;
  ByteReader b;

  bool u1() { return a.u1() == b.u1(); }
  bool u2() { return a.u2() == b.u2(); }
  bool at_end() const {
    return !a.failed() && !b.failed() && a.at_end() && b.at_end();
  }
};

// An attribute that may differ without a word. What does not read it, and the
// JVM least of all, does not care.
bool is_ignored(const AttributeView& attribute) {
  switch (attribute.kind) {
    case AttributeKind::kRuntimeInvisibleAnnotations:
    case AttributeKind::kRuntimeInvisibleParameterAnnotations:
    case AttributeKind::kRuntimeInvisibleTypeAnnotations:
      return true;
    case AttributeKind::kUnknown:
      return !seen_at_odd_places(attribute.name);
    default:
      return false;
  }
}

bool is_debug(const AttributeView& attribute) {
  return attribute.kind == AttributeKind::kLineNumberTable ||
         attribute.kind == AttributeKind::kSourceFile ||
         attribute.kind == AttributeKind::kSourceDebugExtension;
}

// Of bodies: without what stands in their attributes.
class Code {
 public:
  Code(const ClassView& a, const ClassView& b, const PoolMap& map)
      : a_(a), b_(b), map_(map) {}

  bool same(const MemberView& x, const MemberView& y) const {
    const auto a = CodeView::of(a_, x);
    const auto b = CodeView::of(b_, y);
    if (!a || !b) return !a && !b;
    return a->max_stack == b->max_stack && a->max_locals == b->max_locals &&
           instructions(a->code, b->code) && handlers(*a, *b);
  }

 private:
  bool handlers(const CodeView& a, const CodeView& b) const {
    constexpr std::size_t kPlaces = 6;
    if (a.handler_count != b.handler_count) return false;
    Both both{ByteReader(a.handler_table), ByteReader(b.handler_table)};
    for (unsigned left = a.handler_count; left != 0; --left) {
      if (!same_bytes(both.a.bytes(kPlaces), both.b.bytes(kPlaces))) {
        return false;
      }
      const std::uint16_t type = both.a.u2();
      if (!map_.same_or_none(type, both.b.u2())) return false;
    }
    return !both.a.failed() && !both.b.failed();
  }

  // Opcode by opcode, operands of the pool by their entries.
  bool instructions(Bytes a, Bytes b) const {
    if (a.size() != b.size()) return false;
    std::size_t at = 0;
    while (at < a.size()) {
      const auto op = std::to_integer<unsigned>(a[at]);
      if (a[at] != b[at]) return false;
      std::size_t length = classfile::kOperandForms[op].length;
      if (length == 0) length = odd_length(a, at);
      if (length == 0 || a.size() - at < length) return false;
      std::size_t index_bytes = 0;
      if (classfile::kNamesConstant[op]) {
        const bool is_short =
            classfile::kOperandKinds[op] == OperandKind::k_ldc;
        index_bytes = is_short ? 1 : 2;
        const std::uint16_t i = is_short ? byte_at(a, at + 1)
                                         : base::load_u2(&a[at + 1]);
        const std::uint16_t j = is_short ? byte_at(b, at + 1)
                                         : base::load_u2(&b[at + 1]);
        if (!map_.same(i, j)) return false;
      }
      const std::size_t rest = 1 + index_bytes;
      if (length > rest &&
          std::memcmp(&a[at + rest], &b[at + rest], length - rest) != 0) {
        return false;
      }
      at += length;
    }
    return true;
  }
  static std::uint16_t byte_at(Bytes bytes, std::size_t at) {
    return std::to_integer<std::uint16_t>(bytes[at]);
  }
  // Of a switch or a wide instruction; 0: it is none.
  static std::size_t odd_length(Bytes code, std::size_t at) {
    classfile::InstructionReader reader(code);
    reader.seek(at);
    classfile::Instruction ins;
    return reader.next(ins) ? ins.length : 0;
  }

  const ClassView& a_;
  const ClassView& b_;
  const PoolMap& map_;
};

class Comparison {
 public:
  Comparison(const ClassView& a, const ClassView& b, const PoolMap& map,
             Likeness& found)
      : a_(a), b_(b), map_(map), found_(found) {}

  bool run() {
    return a_.major() == b_.major() && a_.minor() == b_.minor() &&
           header() && legal(a_, map_.only_old()) &&
           legal(b_, map_.only_new()) && members(a_.fields(), b_.fields()) &&
           members(a_.methods(), b_.methods()) &&
           attributes(a_.attributes(), b_.attributes()) && debug_of_class();
  }

 private:
  bool header() const {
    return a_.access() == b_.access() && a_.name() == b_.name() &&
           a_.super_name() == b_.super_name() &&
           std::ranges::equal(a_.interfaces(), b_.interfaces());
  }

  // Of what only one pool has a JVM asks nothing more than legal text.
  static bool legal(const ClassView& cls, std::span<const std::uint16_t> only) {
    const ConstantPool& pool = cls.pool();
    return std::ranges::all_of(only, [&](std::uint16_t i) {
      switch (pool.tag(i)) {
        case Tag::kUtf8:
          return classfile::legal_modified_utf8(pool.utf8(i),
                                                cls.major() <= kLastOverlong);
        case Tag::kInteger:
        case Tag::kFloat:
        case Tag::kLong:
        case Tag::kDouble:
          return true;
        default:
          return false;
      }
    });
  }

  bool members(std::span<const MemberView> olds,
               std::span<const MemberView> news) {
    if (olds.size() != news.size()) return false;
    for (std::size_t i = 0; i < olds.size(); ++i) {
      const MemberView& x = olds[i];
      const MemberView& y = news[i];
      if (x.access != y.access || x.name != y.name ||
          x.descriptor != y.descriptor ||
          !attributes(x.attributes, y.attributes) || !code(x, y, i)) {
        return false;
      }
    }
    return true;
  }

  // In their order, without those that may differ. Code comes by itself.
  bool attributes(std::span<const AttributeView> olds,
                  std::span<const AttributeView> news) {
    const auto skipped = [](const AttributeView& one) {
      return is_ignored(one) || is_debug(one) ||
             one.kind == AttributeKind::kCode;
    };
    auto x = olds.begin();
    auto y = news.begin();
    while (true) {
      while (x != olds.end() && skipped(*x)) ++x;
      while (y != news.end() && skipped(*y)) ++y;
      if (x == olds.end() || y == news.end()) {
        return x == olds.end() && y == news.end();
      }
      Both both{ByteReader(x->content), ByteReader(y->content)};
      if (x->kind != y->kind || !content(x->kind, both) || !both.at_end()) {
        return false;
      }
      ++x;
      ++y;
    }
  }

  bool index(Both& both) const {
    const std::uint16_t i = both.a.u2();
    return map_.same_or_none(i, both.b.u2());
  }
  template <class Row>
  bool rows(Both& both, unsigned count, Row&& row) const {
    for (; count != 0 && !both.a.failed(); --count) {
      if (!row()) return false;
    }
    return !both.a.failed() && !both.b.failed();
  }
  // Behind a count of two bytes.
  template <class Row>
  bool table(Both& both, Row&& row) const {
    const unsigned count = both.a.u2();
    return both.b.u2() == count && rows(both, count, row);
  }

  bool content(AttributeKind kind, Both& both) {
    const auto one = [&] { return index(both); };
    switch (kind) {
      case AttributeKind::kSynthetic:
      case AttributeKind::kDeprecated:
        return true;
      case AttributeKind::kConstantValue:
      case AttributeKind::kSignature:
      case AttributeKind::kNestHost:
        return one();
      case AttributeKind::kEnclosingMethod:
        return one() && one();
      case AttributeKind::kExceptions:
      case AttributeKind::kNestMembers:
      case AttributeKind::kPermittedSubclasses:
        return table(both, one);
      case AttributeKind::kInnerClasses:
        return table(both, [&] {
          return one() && one() && one() && both.u2();
        });
      case AttributeKind::kMethodParameters: {
        const unsigned count = both.a.u1();
        return both.b.u1() == count &&
               rows(both, count, [&] { return one() && both.u2(); });
      }
      case AttributeKind::kBootstrapMethods:
        return table(both, [&] { return one() && table(both, one); });
      case AttributeKind::kLocalVariableTable:
      case AttributeKind::kLocalVariableTypeTable:
        return table(both, [&] {
          return both.u2() && both.u2() && one() && one() && both.u2();
        });
      case AttributeKind::kStackMapTable:
        return table(both, [&] { return frame(both); });
      case AttributeKind::kAnnotationDefault:
        return element(both, 0);
      case AttributeKind::kRuntimeVisibleAnnotations:
        return table(both, [&] { return annotation(both, 0); });
      case AttributeKind::kRuntimeVisibleParameterAnnotations: {
        const unsigned count = both.a.u1();
        return both.b.u1() == count && rows(both, count, [&] {
                 return table(both, [&] { return annotation(both, 0); });
               });
      }
      case AttributeKind::kRuntimeVisibleTypeAnnotations:
        return table(both, [&] { return target(both) && annotation(both, 0); });
      default:
        return false;
    }
  }

  static bool target(Both& both) {
    ByteReader a = both.a;
    if (!classfile::skip_type_annotation_target(a)) return false;
    const std::size_t size = a.pos() - both.a.pos();
    return same_bytes(both.a.bytes(size), both.b.bytes(size));
  }

  // JVMS §4.7.4.
  bool frame(Both& both) const {
    constexpr unsigned kSame = 63;
    constexpr unsigned kSameLocalsOneStack = 127;
    constexpr unsigned kSameLocalsOneStackExtended = 247;
    constexpr unsigned kSameExtended = 251;
    constexpr unsigned kFull = 255;
    const unsigned form = both.a.u1();
    if (both.b.u1() != form) return false;
    const auto types = [&](unsigned count) {
      return rows(both, count, [&] { return verification_type(both); });
    };
    if (form <= kSame) return true;
    if (form <= kSameLocalsOneStack) return types(1);
    if (!both.u2()) return false;
    if (form == kSameLocalsOneStackExtended) return types(1);
    if (form <= kSameExtended) return true;
    if (form < kFull) return types(form - kSameExtended);
    return table(both, [&] { return verification_type(both); }) &&
           table(both, [&] { return verification_type(both); });
  }

  bool verification_type(Both& both) const {
    constexpr unsigned kObject = 7;
    constexpr unsigned kUninitialized = 8;
    const unsigned tag = both.a.u1();
    if (both.b.u1() != tag) return false;
    if (tag == kObject) return index(both);
    return tag != kUninitialized || both.u2();
  }

  bool annotation(Both& both, unsigned depth) {
    const std::uint16_t type = both.a.u2();
    if (depth > kDeepest || !map_.same(type, both.b.u2())) return false;
    if (depth == 0 && is_language_metadata(a_.pool().utf8(type))) {
      return metadata(both);
    }
    return table(both, [&] { return index(both) && element(both, depth); });
  }

  bool element(Both& both, unsigned depth) {
    const unsigned tag = both.a.u1();
    if (both.b.u1() != tag) return false;
    switch (tag) {
      case 'e':
        return index(both) && index(both);
      case '@':
        return annotation(both, depth + 1);
      case '[':
        return depth < kDeepest &&
               table(both, [&] { return element(both, depth + 1); });
      default:
        return index(both);
    }
  }

  // What it says may be anything.
  bool metadata(Both& both) {
    const Both before = both;
    if (table(both, [&] { return index(both) && element(both, 1); })) {
      return true;
    }
    found_.metadata = true;
    both = before;
    return skip_elements(a_.pool(), both.a) && skip_elements(b_.pool(), both.b);
  }
  // Texts, ints, and arrays of them.
  static bool skip_elements(const ConstantPool& pool, ByteReader& reader) {
    for (unsigned left = reader.u2(); left != 0; --left) {
      if (pool.tag(reader.u2()) != Tag::kUtf8 || !skip_element(pool, reader)) {
        return false;
      }
    }
    return !reader.failed();
  }
  static bool skip_element(const ConstantPool& pool, ByteReader& reader) {
    const unsigned tag = reader.u1();
    if (tag != '[') return skip_value(pool, reader, tag);
    for (unsigned left = reader.u2(); left != 0; --left) {
      if (!skip_value(pool, reader, reader.u1())) return false;
    }
    return !reader.failed();
  }
  static bool skip_value(const ConstantPool& pool, ByteReader& reader,
                         unsigned tag) {
    const Tag found = pool.tag(reader.u2());
    return tag == 's' ? found == Tag::kUtf8
                      : tag == 'I' && found == Tag::kInteger;
  }

  bool code(const MemberView& x, const MemberView& y, std::size_t place) {
    if (!Code(a_, b_, map_).same(x, y)) return false;
    const auto body = CodeView::of(a_, x);
    return !body || (attributes(x.code_attributes, y.code_attributes) &&
                     lines(x, y, body->code.size(), place));
  }

  // Other lines are noted, if a JVM accepts both tables.
  bool lines(const MemberView& x, const MemberView& y, std::size_t length,
             std::size_t place) {
    auto i = x.code_attributes.begin();
    auto j = y.code_attributes.begin();
    const auto is_table = [](const AttributeView& one) {
      return one.kind == AttributeKind::kLineNumberTable;
    };
    bool same = true;
    while (true) {
      i = std::find_if(i, x.code_attributes.end(), is_table);
      j = std::find_if(j, y.code_attributes.end(), is_table);
      const bool in_a = i != x.code_attributes.end();
      const bool in_b = j != y.code_attributes.end();
      if (!in_a && !in_b) break;
      if (!in_a || !in_b || !same_bytes(i->content, j->content)) {
        same = false;
        if ((in_a && !legal_lines(i->content, length)) ||
            (in_b && !legal_lines(j->content, length))) {
          return false;
        }
      }
      if (in_a) ++i;
      if (in_b) ++j;
    }
    if (!same) found_.lines.push_back(static_cast<std::uint16_t>(place));
    return true;
  }
  static bool legal_lines(Bytes table, std::size_t code_length) {
    ByteReader reader(table);
    for (unsigned left = reader.u2(); left != 0; --left) {
      if (reader.u2() >= code_length) return false;
      reader.skip(2);
    }
    return !reader.failed() && reader.at_end();
  }

  bool debug_of_class() {
    std::string_view names[2];
    const ClassView* classes[] = {&a_, &b_};
    for (unsigned k = 0; k < 2; ++k) {
      const ClassView& cls = *classes[k];
      if (const auto* file = cls.attribute(AttributeKind::kSourceFile)) {
        constexpr std::size_t kIndex = 2;
        const std::uint16_t name = ByteReader(file->content).u2();
        if (file->content.size() != kIndex ||
            cls.pool().tag(name) != Tag::kUtf8) {
          return false;
        }
        names[k] = cls.pool().utf8(name);
      }
    }
    found_.file = names[0] != names[1];
    return true;
  }

  const ClassView& a_;
  const ClassView& b_;
  const PoolMap& map_;
  Likeness& found_;
};

}  // namespace

Likeness compare_alike(const ClassView& olds, const ClassView& news,
                       const PoolMap& map) {
  Likeness found;
  found.alike = Comparison(olds, news, map, found).run();
  return found;
}

namespace {

// Names of what a comparison of bodies looks through.
bool is_looked_through(std::string_view name) {
  return name.starts_with("access$") || name.starts_with("$SwitchMap$") ||
         name == kValuesHelper;
}

// Which entries of a pool stand for something else, in instructions?
class Operands {
 public:
  explicit Operands(const ConstantPool& pool) {
    bool any = false;
    for (std::uint16_t i = 1; i < pool.count() && !any; ++i) {
      const Tag tag = pool.tag(i);
      any = tag == Tag::kDynamic || tag == Tag::kInvokeDynamic ||
            (tag == Tag::kUtf8 && is_looked_through(pool.utf8(i)));
    }
    if (!any) return;
    marks_.assign(pool.count(), 0);
    for (std::uint16_t i = 1; i < pool.count(); ++i) {
      const Tag tag = pool.tag(i);
      if (tag == Tag::kDynamic || tag == Tag::kInvokeDynamic) {
        marks_[i] = 1;
      } else if (tag >= Tag::kFieldref && tag <= Tag::kInterfaceMethodref) {
        marks_[i] = is_looked_through(pool.member(i).name) ? 1 : 0;
      }
    }
  }

  // Of a method whose instructions were read: where they stand.
  void find_in(const ClassView& cls, std::uint16_t method,
               std::vector<OperandPlace>& out) const {
    if (marks_.empty()) return;
    const auto body = CodeView::of(cls, cls.methods()[method]);
    if (!body) return;
    classfile::InstructionReader reader(body->code);
    classfile::Instruction ins;
    while (reader.next(ins)) {
      if (classfile::names_constant(ins.op) && marks_[ins.index] != 0) {
        out.push_back({method, static_cast<std::uint16_t>(ins.pc)});
      }
    }
  }

 private:
  std::vector<std::uint8_t> marks_;  // empty: none
};

}  // namespace

void find_same_code(const ClassView& olds, const ClassView& news,
                    const PoolMap& map, SameCode& out) {
  const auto a = olds.methods();
  const auto b = news.methods();
  out.of_old.assign(a.size(), 0);
  out.of_new.assign(b.size(), 0);
  out.looked_through.clear();
  const Code code(olds, news, map);
  const Operands operands(olds.pool());
  // Methods mostly keep their order.
  std::size_t next = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const auto is_partner = [&](const MemberView& one) {
      return one.name == b[j].name && one.descriptor == b[j].descriptor;
    };
    if (next >= a.size() || !is_partner(a[next])) {
      const auto found = std::ranges::find_if(a, is_partner);
      if (found == a.end()) continue;
      next = static_cast<std::size_t>(found - a.begin());
    }
    const std::size_t i = next++;
    if (a[i].access != b[j].access || !code.same(a[i], b[j])) continue;
    const std::size_t before = out.looked_through.size();
    operands.find_in(olds, static_cast<std::uint16_t>(i), out.looked_through);
    out.of_old[i] = out.of_new[j] =
        out.looked_through.size() == before ? kSamePlainCode : kSameCode;
  }
  std::ranges::stable_sort(out.looked_through, {}, &OperandPlace::method);
}

}  // namespace rejig::traversal
