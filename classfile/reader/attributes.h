// SPDX-License-Identifier: Apache-2.0
// What do the predefined attributes say (JVMS §4.7)? Each function reads one
// attribute of a parsed class; it may be asked only about an attribute of that
// kind whose `readable` is true (of another: empty answers). Code is in code.h,
// annotations in annotations.h, BootstrapMethods in ClassView. Texts are raw
// modified UTF-8 and live as long as the class's bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classfile/reader/class_view.h"

namespace rejig::classfile {

// Exceptions, NestMembers, PermittedSubclasses, ModulePackages.
std::vector<std::string_view> names_of(const ConstantPool& pool,
                                       const AttributeView& attribute);
// Signature, SourceFile, NestHost, ModuleMainClass.
std::string_view text_of(const ConstantPool& pool,
                         const AttributeView& attribute);
// SourceDebugExtension.
std::string_view raw_text_of(const AttributeView& attribute);
// ConstantValue: pool index of the constant.
std::uint16_t constant_value(const AttributeView& attribute);

// Empty views stand for index 0, "none".
struct InnerClass {
  std::string_view inner;        // "a/B$C"
  std::string_view outer;        // empty: not a member
  std::string_view simple_name;  // empty: anonymous
  bool has_simple_name = false;
  std::uint16_t access = 0;
};
std::vector<InnerClass> inner_classes(const ConstantPool& pool,
                                      const AttributeView& attribute);

struct EnclosingMethod {
  std::string_view class_name;
  std::string_view name;  // empty: not in a method
  std::string_view descriptor;
};
EnclosingMethod enclosing_method(const ConstantPool& pool,
                                 const AttributeView& attribute);

struct MethodParameter {
  std::string_view name;
  bool has_name = false;
  std::uint16_t access = 0;
};
std::vector<MethodParameter> method_parameters(const ConstantPool& pool,
                                               const AttributeView& attribute);

struct RecordComponent {
  std::string_view name;
  std::string_view descriptor;
  std::vector<AttributeView> attributes;

  const AttributeView* attribute(AttributeKind kind) const;
};
std::vector<RecordComponent> record_components(const ConstantPool& pool,
                                               const AttributeView& attribute);

// LocalVariableTable and LocalVariableTypeTable.
struct LocalVariable {
  std::uint16_t start = 0;
  std::uint16_t length = 0;
  std::string_view name;
  std::string_view type;  // a descriptor or a signature
  std::uint16_t slot = 0;
};
std::vector<LocalVariable> local_variables(const ConstantPool& pool,
                                           const AttributeView& attribute);

struct ModuleRequires {
  std::string_view module;
  std::uint16_t flags = 0;
  std::string_view version;
  bool has_version = false;
};
struct ModulePackage {  // of exports and opens
  std::string_view package;
  std::uint16_t flags = 0;
  std::vector<std::string_view> to;
};
struct ModuleProvides {
  std::string_view service;
  std::vector<std::string_view> with;
};
struct ModuleInfo {
  std::string_view name;
  std::uint16_t flags = 0;
  std::string_view version;
  bool has_version = false;
  std::vector<ModuleRequires> required;
  std::vector<ModulePackage> exports;
  std::vector<ModulePackage> opens;
  std::vector<std::string_view> uses;
  std::vector<ModuleProvides> provides;
};
ModuleInfo module_info(const ConstantPool& pool,
                       const AttributeView& attribute);

}  // namespace rejig::classfile
