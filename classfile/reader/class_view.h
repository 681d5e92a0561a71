// SPDX-License-Identifier: Apache-2.0
// What does this class file say (JVMS §4.1)? A ClassView is a checked, zero-copy
// reading of the bytes, which must outlive it: members and attributes are ranges,
// materialised on demand. parse() does the format checking of JVMS §4.8 and the
// static constraints of §4.9.1 on everything that the accessors here, in code.h
// and in attributes.h can return; an ill-formed class is one Error with file,
// entry, offset, found and allowed, never half a class. Callers treat an
// unreadable class as changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"
#include "classfile/reader/constant_pool.h"

namespace rejig::classfile {

enum AccessFlag : std::uint16_t {
  kAccPublic = 0x0001,
  kAccPrivate = 0x0002,
  kAccProtected = 0x0004,
  kAccStatic = 0x0008,
  kAccFinal = 0x0010,
  kAccSuper = 0x0020,
  kAccSynchronized = 0x0020,
  kAccVolatile = 0x0040,
  kAccBridge = 0x0040,
  kAccTransient = 0x0080,
  kAccVarargs = 0x0080,
  kAccNative = 0x0100,
  kAccInterface = 0x0200,
  kAccAbstract = 0x0400,
  kAccStrict = 0x0800,
  kAccSynthetic = 0x1000,
  kAccAnnotation = 0x2000,
  kAccEnum = 0x4000,
  kAccModule = 0x8000,
};

// The attributes of JVMS §4.7. An attribute has its kind only where the
// specification gives it a meaning: a `Code` of a class is kUnknown, and skipped.
enum class AttributeKind : std::uint8_t {
  kUnknown,
#define REJIG_ATTRIBUTE(name, ...) k##name,
#include "classfile/reader/attributes.def"
#undef REJIG_ATTRIBUTE
};

struct AttributeView {
  std::string_view name;
  base::Bytes content;         // without name and length
  std::uint32_t offset = 0;    // of content in the class file
  AttributeKind kind = AttributeKind::kUnknown;
  // False: ill-formed in a way that does not stop the JVM from running the
  // class (annotations, attributes younger than the class's version). Its
  // content means nothing; whoever compares it treats it as different.
  bool readable = true;
};

struct MemberView {
  std::uint16_t access = 0;
  std::string_view name;
  std::string_view descriptor;
  std::uint32_t offset = 0;                // of field_info / method_info
  std::span<const AttributeView> attributes;
  std::span<const AttributeView> code_attributes;  // those of its Code

  bool is(AccessFlag flag) const { return (access & flag) != 0; }
  // The first attribute of that name; nullptr when there is none.
  const AttributeView* attribute(std::string_view attribute_name) const;
  const AttributeView* attribute(AttributeKind kind) const;
};

struct BootstrapMethod {
  std::uint16_t handle = 0;                 // pool index of a MethodHandle
  std::vector<std::uint16_t> arguments;     // pool indices
};

// What another class file of the same version says in the same words, by index:
// a JVM gives the same verdict on it in both, so that it need not be checked to
// know whether they differ. Nothing: everything is checked.
struct Vouched {
  std::span<const std::uint8_t> entries;  // of the pool
  std::span<const std::uint8_t> methods;  // flags, descriptor and code

  bool entry(std::uint16_t i) const {
    return i < entries.size() && entries[i] != 0;
  }
  bool method(std::size_t i) const {
    return i < methods.size() && methods[i] != 0;
  }
};

class ClassView {
 public:
  // `where` is the place for messages, e.g. "app.jar!/a/B.class".
  static base::Result<ClassView> parse(base::Bytes bytes,
                                       std::string_view where);
  // Layout only: pool, members, attributes, bootstrap methods and code are where
  // they say, nothing else is checked. Accessors stay inside the bytes and yield
  // empty values for what makes no sense; annotations must not be asked for.
  static base::Result<ClassView> parse_layout(base::Bytes bytes,
                                              std::string_view where);

  ClassView(ClassView&&) noexcept = default;
  ClassView& operator=(ClassView&&) noexcept = default;
  ClassView(const ClassView&) = delete;
  ClassView& operator=(const ClassView&) = delete;

  base::Bytes bytes() const { return bytes_; }
  const std::string& where() const { return where_; }
  const ConstantPool& pool() const { return pool_; }
  std::uint16_t major() const { return major_; }
  std::uint16_t minor() const { return minor_; }
  std::uint16_t access() const { return access_; }
  bool is(AccessFlag flag) const { return (access_ & flag) != 0; }
  std::string_view name() const { return name_; }              // "a/B"
  std::string_view super_name() const { return super_; }       // empty: none
  std::span<const std::string_view> interfaces() const { return interfaces_; }
  std::span<const MemberView> fields() const { return fields_; }
  std::span<const MemberView> methods() const { return methods_; }
  std::span<const AttributeView> attributes() const { return attributes_; }
  const AttributeView* attribute(std::string_view attribute_name) const;
  const AttributeView* attribute(AttributeKind kind) const;
  // The version is the one after the last that we know: read as far as we
  // understand it.
  bool newer_than_known() const;
  // Of the class, its members and their code.
  std::uint32_t unknown_attributes() const { return unknown_attributes_; }
  std::uint32_t unreadable_attributes() const {
    return unreadable_attributes_;
  }
  const std::vector<BootstrapMethod>& bootstrap_methods() const {
    return bootstraps_;
  }

 private:
  friend class ClassChecks;
  friend class ClassParser;
  friend class ClassReader;
  struct Range {
    std::size_t begin = 0;
    std::size_t own = 0;   // attributes of the member
    std::size_t code = 0;  // followed by those of its Code
  };
  ClassView() = default;

  std::string where_;
  base::Bytes bytes_;
  ConstantPool pool_;
  std::uint16_t minor_ = 0;
  std::uint16_t major_ = 0;
  std::uint16_t access_ = 0;
  std::string_view name_;
  std::string_view super_;
  std::vector<std::string_view> interfaces_;
  std::vector<AttributeView> attribute_store_;  // members' attributes
  std::vector<MemberView> fields_;
  std::vector<MemberView> methods_;
  std::vector<AttributeView> attributes_;
  std::vector<BootstrapMethod> bootstraps_;
  std::uint32_t unknown_attributes_ = 0;
  std::uint32_t unreadable_attributes_ = 0;
};

// Reads one class after another into the same memory. A view and what it says
// live until the next call.
class ClassReader {
 public:
  base::Result<const ClassView*> parse(base::Bytes bytes,
                                       std::string_view where) {
    return read(bytes, where, true);
  }
  base::Result<const ClassView*> parse_layout(base::Bytes bytes,
                                              std::string_view where) {
    return read(bytes, where, false);
  }
  // What parse() checks besides, of the class that was laid out last.
  base::Result<void> check(const Vouched& vouched);
  // That class in memory of its own.
  ClassView copy() const;

 private:
  base::Result<const ClassView*> read(base::Bytes bytes, std::string_view where,
                                      bool checked);

  ClassView cls_;
  std::vector<ClassView::Range> ranges_;
};

}  // namespace rejig::classfile
