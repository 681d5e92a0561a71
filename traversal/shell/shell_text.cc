// SPDX-License-Identifier: Apache-2.0
// Each facet becomes lines of text, one for each member or annotation, sorted
// where a JVM gives no order; equal text is an equal facet. What a compiler made
// up goes to texts of its own, which only reflection can see. What cannot be read
// stands as the digest of the whole class file, so it is equal only where nothing
// differs.
#include "traversal/shell/shell_text.h"

#include <algorithm>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/reader/annotations.h"
#include "classfile/reader/attributes.h"
#include "traversal/code/synthetic.h"
#include "traversal/same/shell_same.h"

namespace rejig::traversal {

using classfile::AnnotationReader;
using classfile::AnnotationView;
using classfile::AttributeView;
using classfile::ClassView;
using classfile::ConstantPool;
using classfile::ElementReader;
using classfile::ElementValue;
using classfile::MemberView;

namespace {

std::string annotation_text(const ConstantPool& pool,
                            const AnnotationView& annotation);

std::string value_text(const ConstantPool& pool, const ElementValue& value) {
  std::string out(1, value.tag());
  switch (value.tag()) {
    case 'J':
      return out + std::to_string(pool.long_value(value.constant()));
    case 'F':
      return out + std::to_string(pool.float_bits(value.constant()));
    case 'D':
      return out + std::to_string(pool.double_bits(value.constant()));
    case 's':
      return out + std::to_string(value.text().size()) + ":" +
             std::string(value.text());
    case 'c':
      return out + std::string(value.text());
    case 'e':
      return out + std::string(value.enum_type()) + "." +
             std::string(value.enum_name());
    case '@':
      return out + annotation_text(pool, value.annotation());
    case '[': {
      ElementReader reader = value.elements();
      std::string_view name;
      ElementValue element;
      while (reader.next(name, element)) {
        out += value_text(pool, element) + ",";
      }
      return out + "]";
    }
    default:
      return out + std::to_string(pool.int_value(value.constant()));
  }
}

// In their order: Annotation.toString() shows it.
std::string annotation_text(const ConstantPool& pool,
                            const AnnotationView& annotation) {
  std::string out = "@" + std::string(annotation.type()) + "(";
  ElementReader reader = annotation.elements();
  std::string_view name;
  ElementValue value;
  while (reader.next(name, value)) {
    out += std::string(name) + "=" + value_text(pool, value) + ";";
  }
  return out + ")";
}

// The JVM may read what we cannot, and the attribute's bytes mean what the pool
// says: it equals nothing but the same in the same file.
std::string raw_text(const ClassView& cls) {
  return "unreadable in the file " + base::to_hex(base::sha256(cls.bytes()));
}

bool is_code_target(base::Bytes target) {
  return !target.empty() && std::to_integer<unsigned>(target[0]) >= 0x40;
}

// What becomes of the annotations that only compilers write and read?
struct Metadata {
  bool left_out = false;
  std::string text;
};

// Runtime-visible annotations of all kinds on one declaration: those of one
// parameter or type use in their order, which reflection keeps.
std::string annotations_of(const ClassView& cls,
                           std::span<const AttributeView> attributes,
                           Metadata* metadata = nullptr) {
  const ConstantPool& pool = cls.pool();
  // Where they stand, and what they say.
  std::vector<std::pair<std::string, std::string>> found;
  for (const AttributeView& attribute : attributes) {
    const bool known =
        attribute.name == "RuntimeVisibleAnnotations" ||
        attribute.name == "RuntimeVisibleParameterAnnotations" ||
        attribute.name == "RuntimeVisibleTypeAnnotations";
    if (!known && attribute.name != "AnnotationDefault") continue;
    if (!attribute.readable) {
      found.emplace_back(attribute.name, raw_text(cls));
      continue;
    }
    if (!known) {
      found.emplace_back(
          "default", value_text(pool, annotation_default(pool, attribute)));
      continue;
    }
    if (attribute.name == "RuntimeVisibleParameterAnnotations" &&
        !attribute.content.empty()) {
      found.emplace_back(
          "parameters",
          std::to_string(std::to_integer<unsigned>(attribute.content[0])));
    }
    AnnotationReader reader(pool, attribute);
    AnnotationView annotation;
    while (reader.next(annotation)) {
      if (is_code_target(reader.target())) continue;
      if (metadata != nullptr && reader.target().empty() &&
          is_language_metadata(annotation.type())) {
        if (!metadata->left_out) {
          metadata->text += annotation_text(pool, annotation) + "\n";
        }
        // It is there.
        found.emplace_back("Annotations 0",
                           "@" + std::string(annotation.type()));
        continue;
      }
      const bool of_parameter =
          attribute.name == "RuntimeVisibleParameterAnnotations";
      found.emplace_back(
          std::string(attribute.name.substr(14)) + " " +
              std::to_string(of_parameter ? reader.parameter() : 0) +
              base::to_hex(reader.target()),
          annotation_text(pool, annotation));
    }
  }
  std::ranges::stable_sort(found, {},
                           &std::pair<std::string, std::string>::first);
  std::string out;
  for (const auto& [place, text] : found) out += place + " " + text + "\n";
  return out;
}

const AttributeView* find(std::span<const AttributeView> attributes,
                          std::string_view name) {
  for (const AttributeView& attribute : attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

std::string signature_of(const ConstantPool& pool,
                         std::span<const AttributeView> attributes) {
  const auto* attribute = find(attributes, "Signature");
  if (attribute == nullptr) return {};
  return std::string(pool.utf8(base::ByteReader(attribute->content).u2()));
}

std::string class_names(const ConstantPool& pool,
                        const AttributeView* attribute) {
  if (attribute == nullptr) return {};
  base::ByteReader reader(attribute->content);
  std::string out = std::string(attribute->name) + ":";
  for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
    out += std::string(pool.text(reader.u2())) + ",";
  }
  return out;
}

// Names and flags of MethodParameters.
std::string parameters_of(const ClassView& cls, const MemberView& method) {
  const ConstantPool& pool = cls.pool();
  const auto* named = find(method.attributes, "MethodParameters");
  if (named == nullptr) return {};
  if (!named->readable) return " " + raw_text(cls);
  base::ByteReader reader(named->content);
  std::string out;
  for (unsigned n = reader.u1(); n > 0 && !reader.failed(); --n) {
    out += " " + std::string(pool.utf8(reader.u2()));
    out += "/" + std::to_string(reader.u2());
  }
  return out;
}

// javac up to release 10 lets an outer class call a private constructor by one
// more parameter, of an anonymous class.
bool takes_anonymous_class_last(std::string_view descriptor) {
  const auto end = descriptor.rfind(";)");
  if (end == std::string_view::npos) return false;
  const auto dollar = descriptor.rfind('$', end);
  return dollar != std::string_view::npos && dollar + 1 < end &&
         std::all_of(descriptor.begin() + static_cast<std::ptrdiff_t>(dollar) + 1,
                     descriptor.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool invented(const MemberView& member) {
  static constexpr std::string_view kBeginnings[] = {
      "lambda$", "access$", "val$", "this$", "$SWITCH_TABLE$", "$SwitchMap$"};
  static constexpr std::string_view kNames[] = {
      "$deserializeLambda$", "$assertionsDisabled", "$VALUES", "ENUM$VALUES",
      "$values"};
  if (!member.is(classfile::kAccSynthetic)) return false;
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](auto text) { return member.name.starts_with(text); }) ||
         std::find(std::begin(kNames), std::end(kNames), member.name) !=
             std::end(kNames) ||
         (member.name == "<init>" &&
          takes_anonymous_class_last(member.descriptor));
}

// A signature without type variables and type arguments names the types that
// the descriptor names, or fewer: some compilers write it, others do not.
bool says_nothing_generic(std::string_view signature) {
  if (signature.find('<') != std::string_view::npos) return false;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (signature[i] == 'T') return false;
    if (signature[i] == 'L') i = std::min(signature.find(';', i), signature.size());
  }
  return true;
}

// Every bit has its own word, so equal text is equal flags.
std::string modifiers(const MemberView& member, bool is_method) {
  struct Word {
    unsigned bit;
    const char* of_field;
    const char* of_method;
  };
  static constexpr Word kWords[] = {
      {0x0001, "public ", "public "},
      {0x0002, "private ", "private "},
      {0x0004, "protected ", "protected "},
      {0x0008, "static ", "static "},
      {0x0010, "final ", "final "},
      {0x0020, "0x20 ", "synchronized "},
      {0x0040, "volatile ", "bridge "},
      {0x0080, "transient ", "varargs "},
      {0x0100, "0x100 ", "native "},
      {0x0200, "0x200 ", "0x200 "},
      {0x0400, "0x400 ", "abstract "},
      {0x0800, "0x800 ", "strict "},
      {0x1000, "synthetic ", "synthetic "},
      {0x2000, "0x2000 ", "0x2000 "},
      {0x4000, "enum ", "0x4000 "},
      {0x8000, "0x8000 ", "0x8000 "}};
  std::string out;
  for (const Word& word : kWords) {
    if ((member.access & word.bit) == 0) continue;
    out += is_method ? word.of_method : word.of_field;
  }
  return out;
}

// HotSpot lists constructors, and methods of one name, in an order that the file's
// order decides; of methods with other names the order is that in which it met
// the names, which mostly is the file's, too.
void add_order(const ClassView& cls, ShellText& out) {
  std::map<std::string_view, std::pair<unsigned, std::string>> of_name;
  for (const MemberView& method : cls.methods()) {
    if (method.name == "<clinit>" || invented(method)) continue;
    out.order += std::string(method.name) + std::string(method.descriptor) + "\n";
    auto& [count, text] = of_name[method.name];
    ++count;
    text += std::string(method.name) + std::string(method.descriptor) + "\n";
  }
  for (const auto& [name, its] : of_name) {
    if (its.first > 1) out.overloads += its.second;
  }
}

void add_members(const ClassView& cls, const ShellParts& parts,
                 ShellText& out) {
  const auto& pool = cls.pool();
  std::vector<std::string> methods;
  std::vector<std::string> synthetic;
  std::string fields;
  std::string all_fields;
  bool invented_field = false;
  std::string& annotations = out.facets["annotations"];
  std::string& generics = out.facets["generics"];
  std::string& parameters = out.parameters;
  std::string& exceptions = out.facets["exceptions"];
  const auto add_signature = [&](const std::string& key,
                                 const std::string& signature) {
    if (says_nothing_generic(signature)) {
      synthetic.push_back("signature of " + key + " " + signature + "\n");
    } else {
      generics += key + " " + signature + "\n";
    }
  };
  const std::span<const MemberView> all_of_them = cls.fields();
  for (const MemberView& field : all_of_them.first(
           parts.without_fields ? 0 : all_of_them.size())) {
    const std::string key =
        std::string(field.name) + ":" + std::string(field.descriptor);
    const std::string line = modifiers(field, false) + key + "\n";
    all_fields += " " + key;
    if (invented(field)) {
      invented_field = true;
      synthetic.push_back(line);
      continue;
    }
    fields += line;  // getDeclaredFields() keeps the order
    const auto text = annotations_of(cls, field.attributes);
    if (!text.empty()) annotations += key + " " + text;
    const auto signature = signature_of(pool, field.attributes);
    if (!signature.empty()) add_signature(key, signature);
    if (!text.empty()) out.found_by_frameworks[key] = {line, text + signature};
  }
  std::vector<const MemberView*> ordered;
  for (std::size_t i = 0; i < cls.methods().size(); ++i) {
    if (i < parts.without_methods.size() && parts.without_methods[i] != 0) {
      continue;
    }
    ordered.push_back(&cls.methods()[i]);
  }
  add_order(cls, out);
  std::sort(ordered.begin(), ordered.end(),
            [](const MemberView* a, const MemberView* b) {
              return std::tie(a->name, a->descriptor) <
                     std::tie(b->name, b->descriptor);
            });
  for (const MemberView* method : ordered) {
    const std::string key =
        std::string(method->name) + std::string(method->descriptor);
    const std::string line = modifiers(*method, true) + key + "\n";
    if (method->name == "<clinit>") continue;
    if (invented(*method)) {
      synthetic.push_back(line);
      continue;
    }
    methods.push_back(line);
    const auto text = annotations_of(cls, method->attributes);
    if (!text.empty()) {
      annotations += key + " " + text;
      out.method_annotations[key] = text;
    }
    const auto signature = signature_of(pool, method->attributes);
    if (!signature.empty()) add_signature(key, signature);
    const std::string thrown =
        class_names(pool, find(method->attributes, "Exceptions"));
    if (!thrown.empty()) exceptions += key + " " + thrown + "\n";
    const std::string named = parameters_of(cls, *method);
    if (!named.empty()) parameters += key + named + "\n";
    if (!text.empty() || method->name == "<init>" || method->name == "suite") {
      // Some compilers name the parameters of constructors, others do not.
      out.found_by_frameworks[key] = {
          line, text + signature + thrown + (text.empty() ? "" : named)};
    }
  }
  std::string& members = out.facets["members"];
  members = fields;
  for (const auto& line : methods) members += line;
  // getDeclaredFields() gives these in order, too.
  if (invented_field) synthetic.push_back("fields" + all_fields + "\n");
  std::sort(synthetic.begin(), synthetic.end());
  for (const auto& line : synthetic) out.synthetic += line;
}

void add_class(const ClassView& cls, const ShellParts& parts, ShellText& out) {
  const auto& pool = cls.pool();
  // ACC_SUPER is set by some compilers and not by others; it says nothing.
  std::string& hierarchy = out.facets["hierarchy"];
  hierarchy = std::to_string(cls.access() & ~classfile::kAccSuper) + " " +
              std::string(cls.super_name());
  for (const auto itf : cls.interfaces()) hierarchy += " " + std::string(itf);

  Metadata metadata;
  metadata.left_out = parts.without_metadata;
  const std::string annotations =
      annotations_of(cls, cls.attributes(), &metadata);
  out.facets["annotations"] += annotations;
  out.class_annotations = annotations + metadata.text;
  std::string& of_class = out.found_by_frameworks["class"].rest;
  of_class = signature_of(pool, cls.attributes());
  out.facets["generics"] += signature_of(pool, cls.attributes());
  // javac from release 17 on permits the bodies of an enum's constants.
  std::string permitted =
      class_names(pool, cls.attribute("PermittedSubclasses"));
  of_class += permitted;
  if ((cls.access() & classfile::kAccEnum) == 0) {
    out.facets["nest"] = std::move(permitted);
  } else if (!permitted.empty()) {
    out.synthetic += permitted + "\n";
  }
  if (const auto* record = cls.attribute("Record")) {
    // Components with their attributes, all names resolved by the pool: compare
    // name, descriptor, signature and annotations in order.
    std::string& text = out.facets["record"];
    if (!record->readable) text += raw_text(cls);
    for (const auto& row : classfile::record_components(pool, *record)) {
      text += std::string(row.name) + ":" + std::string(row.descriptor) + " ";
      for (const AttributeView& attribute : row.attributes) {
        if (attribute.name != "Signature") continue;
        text += attribute.readable
                    ? std::string(
                          pool.utf8(base::ByteReader(attribute.content).u2()))
                    : raw_text(cls);
      }
      text += annotations_of(cls, row.attributes) + "\n";
    }
    of_class += text;
  }
  if (const auto* inner = cls.attribute("InnerClasses")) {
    base::ByteReader reader(inner->content);
    std::vector<std::string> rows;
    for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
      const std::string_view name = pool.text(reader.u2());
      const std::string_view outer = pool.text(reader.u2());
      const std::uint16_t simple = reader.u2();
      const std::uint16_t access = reader.u2();
      if (name != cls.name() && outer != cls.name()) continue;
      rows.push_back(std::string(name) + " in " + std::string(outer) + " as " +
                     std::string(pool.utf8(simple)) + " " +
                     std::to_string(access) + "\n");
      if (name == cls.name()) of_class += rows.back();
      // getDeclaredClasses() keeps the order.
      if (outer == cls.name()) out.order += std::string(name) + "\n";
    }
    std::sort(rows.begin(), rows.end());
    for (const auto& row : rows) out.facets["inner"] += row;
  }
  if (const auto* enclosing = cls.attribute("EnclosingMethod")) {
    base::ByteReader reader(enclosing->content);
    std::string& text = out.facets["inner"];
    text += "enclosed by " + std::string(pool.text(reader.u2()));
    const std::uint16_t method = reader.u2();
    if (method != 0) {
      const auto nt = pool.name_and_type(method);
      out.synthetic += "enclosed by " + std::string(nt.name) +
                       std::string(nt.descriptor) + "\n";
    }
  }
}

}  // namespace

ShellText shell_text(const ClassView& cls) { return shell_text(cls, {}); }

ShellText shell_text(const ClassView& cls, const ShellParts& parts) {
  ShellText out;
  add_members(cls, parts, out);
  add_class(cls, parts, out);
  return out;
}

}  // namespace rejig::traversal
