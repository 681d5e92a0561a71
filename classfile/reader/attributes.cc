// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/attributes.h"

#include "classfile/reader/class_check.h"

namespace rejig::classfile {
namespace {

base::ByteReader reader_of(const AttributeView& a) {
  return base::ByteReader(a.readable ? a.content : base::Bytes());
}

// Utf8, or what a Class, Module or Package constant points to.
std::string_view named(const ConstantPool& pool, std::uint16_t i) {
  return pool.tag(i) == Tag::kUtf8 ? pool.utf8(i) : pool.text(i);
}

// A table of `n` rows of at least `smallest` bytes, as many as are there.
std::size_t bounded(const base::ByteReader& r, std::size_t n,
                    std::size_t smallest) {
  return std::min(n, r.remaining() / smallest);
}

std::vector<std::string_view> read_names(const ConstantPool& pool,
                                         base::ByteReader& r) {
  std::vector<std::string_view> names(bounded(r, r.u2(), 2));
  for (auto& name : names) name = named(pool, r.u2());
  return names;
}

std::vector<ModulePackage> read_packages(const ConstantPool& pool,
                                         base::ByteReader& r) {
  std::vector<ModulePackage> packages(bounded(r, r.u2(), 6));
  for (ModulePackage& p : packages) {
    p.package = named(pool, r.u2());
    p.flags = r.u2();
    p.to = read_names(pool, r);
  }
  return packages;
}

}  // namespace

std::vector<std::string_view> names_of(const ConstantPool& pool,
                                       const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  return read_names(pool, r);
}

std::string_view text_of(const ConstantPool& pool,
                         const AttributeView& attribute) {
  return named(pool, reader_of(attribute).u2());
}

std::string_view raw_text_of(const AttributeView& attribute) {
  return {reinterpret_cast<const char*>(attribute.content.data()),
          attribute.content.size()};
}

std::uint16_t constant_value(const AttributeView& attribute) {
  return reader_of(attribute).u2();
}

std::vector<InnerClass> inner_classes(const ConstantPool& pool,
                                      const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  std::vector<InnerClass> rows(bounded(r, r.u2(), 8));
  for (InnerClass& row : rows) {
    row.inner = pool.text(r.u2());
    row.outer = pool.text(r.u2());
    const std::uint16_t name = r.u2();
    row.has_simple_name = name != 0;
    row.simple_name = pool.utf8(name);
    row.access = r.u2();
  }
  return rows;
}

EnclosingMethod enclosing_method(const ConstantPool& pool,
                                 const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  const std::string_view cls = pool.text(r.u2());
  const NameAndType nt = pool.name_and_type(r.u2());
  return {cls, nt.name, nt.descriptor};
}

std::vector<MethodParameter> method_parameters(
    const ConstantPool& pool, const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  std::vector<MethodParameter> rows(bounded(r, r.u1(), 4));
  for (MethodParameter& row : rows) {
    const std::uint16_t name = r.u2();
    row.has_name = name != 0;
    row.name = pool.utf8(name);
    row.access = r.u2();
  }
  return rows;
}

const AttributeView* RecordComponent::attribute(AttributeKind kind) const {
  for (const AttributeView& a : attributes) {
    if (a.kind == kind) return &a;
  }
  return nullptr;
}

std::vector<RecordComponent> record_components(
    const ConstantPool& pool, const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  std::vector<RecordComponent> rows(bounded(r, r.u2(), 6));
  for (RecordComponent& row : rows) {
    row.name = pool.utf8(r.u2());
    row.descriptor = pool.utf8(r.u2());
    row.attributes.resize(bounded(r, r.u2(), 6));
    for (AttributeView& a : row.attributes) {
      a.name = pool.utf8(r.u2());
      const std::uint32_t length = r.u4();
      a.offset = attribute.offset + static_cast<std::uint32_t>(r.pos());
      a.content = r.bytes(length);
      a.kind = attribute_kind(a.name, 'r');
      a.readable =
          a.kind == AttributeKind::kUnknown || well_formed(pool, a);
    }
  }
  return rows;
}

std::vector<LocalVariable> local_variables(const ConstantPool& pool,
                                           const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  std::vector<LocalVariable> rows(bounded(r, r.u2(), 10));
  for (LocalVariable& row : rows) {
    row.start = r.u2();
    row.length = r.u2();
    row.name = pool.utf8(r.u2());
    row.type = pool.utf8(r.u2());
    row.slot = r.u2();
  }
  return rows;
}

ModuleInfo module_info(const ConstantPool& pool,
                       const AttributeView& attribute) {
  base::ByteReader r = reader_of(attribute);
  ModuleInfo m;
  m.name = named(pool, r.u2());
  m.flags = r.u2();
  const std::uint16_t version = r.u2();
  m.has_version = version != 0;
  m.version = pool.utf8(version);
  m.required.resize(bounded(r, r.u2(), 6));
  for (ModuleRequires& row : m.required) {
    row.module = named(pool, r.u2());
    row.flags = r.u2();
    const std::uint16_t compiled = r.u2();
    row.has_version = compiled != 0;
    row.version = pool.utf8(compiled);
  }
  m.exports = read_packages(pool, r);
  m.opens = read_packages(pool, r);
  m.uses = read_names(pool, r);
  m.provides.resize(bounded(r, r.u2(), 4));
  for (ModuleProvides& row : m.provides) {
    row.service = named(pool, r.u2());
    row.with = read_names(pool, r);
  }
  return m;
}

}  // namespace rejig::classfile
