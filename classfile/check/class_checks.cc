// SPDX-License-Identifier: Apache-2.0
// Which parts of a class are checked, and how: in the order of the file, the
// pool first.
#include "classfile/reader/attribute_facts.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/class_check.h"

namespace rejig::classfile {
namespace {

const AttributeView* bootstraps_of(const ClassView& cls) {
  const AttributeView* a = cls.attribute(AttributeKind::kBootstrapMethods);
  return a != nullptr && a->readable ? a : nullptr;
}

// The JVM parses these when it defines the class; what is wrong in the others
// shows at reflection, if ever.
bool parsed_by_jvm(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kUnknown:
    case AttributeKind::kRuntimeVisibleAnnotations:
    case AttributeKind::kRuntimeInvisibleAnnotations:
    case AttributeKind::kRuntimeVisibleParameterAnnotations:
    case AttributeKind::kRuntimeInvisibleParameterAnnotations:
    case AttributeKind::kRuntimeVisibleTypeAnnotations:
    case AttributeKind::kRuntimeInvisibleTypeAnnotations:
    case AttributeKind::kAnnotationDefault:
    case AttributeKind::kModule:
    case AttributeKind::kModulePackages:
    case AttributeKind::kModuleMainClass:
      return false;
    default:
      return true;
  }
}

}  // namespace

base::Result<void> ClassChecks::run(const Vouched& vouched) {
  PoolNotes notes(cls_.pool_, cls_.major_);
  CodeScratch scratch;
  const CheckContext c{cls_, notes, scratch, vouched};
  REJIG_TRY_VOID(check_pool(c));
  REJIG_TRY_VOID(check_header(c));
  if (!cls_.is(kAccModule) || cls_.major_ < kJava9) {
    REJIG_TRY_VOID(check_class_flags(c, cls_.access_, 0));
  }
  REJIG_TRY_VOID(check_duplicates(c));
  for (const MemberView& field : cls_.fields_) {
    REJIG_TRY_VOID(check_field(c, field));
    REJIG_TRY_VOID(check_attributes(c, field.attributes, nullptr, &field));
  }
  for (std::size_t i = 0; i < cls_.methods_.size(); ++i) {
    const MemberView& method = cls_.methods_[i];
    REJIG_TRY_VOID(check_method(c, method));
    REJIG_TRY_VOID(check_attributes(c, method.attributes, nullptr, nullptr));
    const auto code = CodeView::of(cls_, method);
    if (!code) continue;
    if (!vouched.method(i)) REJIG_TRY_VOID(check_code(c, method, *code));
    REJIG_TRY_VOID(
        check_attributes(c, method.code_attributes, &*code, nullptr));
    REJIG_TRY_VOID(check_locals(c, *code));
  }
  REJIG_TRY_VOID(check_attributes(c, cls_.attributes_, nullptr, nullptr));
  return check_bootstraps(c);
}

base::Result<void> ClassChecks::check_attributes(const CheckContext& c,
                                    std::span<const AttributeView> rows,
                                    const CodeView* body,
                                    const MemberView* field) {
  for (const AttributeView& a : rows) {
    if (a.kind == AttributeKind::kUnknown) continue;
    const bool instance_value =
        a.kind == AttributeKind::kConstantValue && !field->is(kAccStatic);
    bool content_too = true;
    if (parsed_by_jvm(a.kind) && cls_.major_ >= facts_of(a.kind).since &&
        !instance_value) {
      REJIG_TRY_VOID(check_attribute(c, a, body));
      if (a.kind == AttributeKind::kConstantValue) {
        REJIG_TRY_VOID(check_constant_value(c, *field, a));
      }
      content_too = a.kind == AttributeKind::kMethodParameters ||
                    a.kind == AttributeKind::kRecord;
    }
    if (content_too && !well_formed(cls_.pool_, a)) {
      // The rows are views of vectors that this parser owns.
      const_cast<AttributeView&>(a).readable = false;
      ++cls_.unreadable_attributes_;
    }
    if (a.kind == AttributeKind::kRecord) count_component_attributes(a);
  }
  return {};
}

void ClassChecks::count_component_attributes(const AttributeView& record) {
  for (const RecordComponent& row : record_components(cls_.pool_, record)) {
    for (const AttributeView& a : row.attributes) {
      if (a.kind == AttributeKind::kUnknown) ++cls_.unknown_attributes_;
      if (!a.readable) ++cls_.unreadable_attributes_;
    }
  }
}

// The JVM looks at the value of static fields only.
base::Result<void> ClassChecks::check_constant_value(const CheckContext& c,
                                        const MemberView& field,
                                        const AttributeView& a) const {
  base::ByteReader r(a.content);
  const std::uint16_t index = r.u2();
  const Tag tag = cls_.pool_.tag(index);
  Tag want = Tag::kString;
  switch (field.descriptor[0]) {
    case 'J':
      want = Tag::kLong;
      break;
    case 'F':
      want = Tag::kFloat;
      break;
    case 'D':
      want = Tag::kDouble;
      break;
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z':
      want = Tag::kInteger;
      break;
    default:
      if (field.descriptor != "Ljava/lang/String;") want = Tag::kNone;
      break;
  }
  if (tag == want && want != Tag::kNone) return {};
  return c.error(a.offset, "ConstantValue is entry " + std::to_string(index) +
                               " (constant tag " +
                               std::to_string(static_cast<unsigned>(tag)) +
                               "), not of the field's type");
}

base::Result<void> ClassChecks::check_bootstraps(const CheckContext& c) const {
  const ConstantPool& pool = cls_.pool_;
  if (pool.first_dynamic() == 0) return {};
  const AttributeView* a = bootstraps_of(cls_);
  const unsigned known =
      a == nullptr ? 0 : base::ByteReader(a->content, a->offset).u2();
  for (std::uint32_t i = pool.first_dynamic(); i < pool.count(); ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    const Tag tag = pool.tag(index);
    if (tag != Tag::kDynamic && tag != Tag::kInvokeDynamic) continue;
    const unsigned bootstrap = pool.dynamic(index).bootstrap;
    if (bootstrap >= known) {
      return c.error(pool.offset_of(index), "constant " + std::to_string(i) +
                                                " has bootstrap method " +
                                                std::to_string(bootstrap) +
                                                ", there are " +
                                                std::to_string(known));
    }
  }
  return {};
}

}  // namespace rejig::classfile
