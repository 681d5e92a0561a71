// SPDX-License-Identifier: Apache-2.0
// What does a class promise to others? Its shell: name, supertypes, flags and
// the declarations of its members, as resolution, selection, initialization and
// linking need them (JVMS §5.3-§5.5), without any body. Names are interned; a
// shell does not need the class file's bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_view.h"
#include "jig/names.h"

namespace rejig::jig {

struct FieldShell {
  Name name;
  Name descriptor;
  std::uint16_t access = 0;
  Name constant;  // ConstantValue as text ("I5", "Sabc"), empty: none

  bool is(classfile::AccessFlag flag) const { return (access & flag) != 0; }
};

struct MethodShell {
  Name name;
  Name descriptor;
  std::uint16_t access = 0;
  bool has_code = false;

  bool is(classfile::AccessFlag flag) const { return (access & flag) != 0; }
  bool is_initializer() const {
    return name == "<clinit>" || name == "<init>";
  }
};

struct ClassShell {
  Name name;
  Name super;  // empty for java/lang/Object
  std::vector<Name> interfaces;
  std::uint16_t access = 0;
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::vector<FieldShell> fields;    // class file order
  std::vector<MethodShell> methods;  // class file order
  Name nest_host;
  std::vector<Name> nest_members;
  std::vector<Name> permitted;
  bool sealed = false;
  bool has_clinit = false;  // one that does more than the assertion prelude

  bool is(classfile::AccessFlag flag) const { return (access & flag) != 0; }
  bool is_interface() const { return is(classfile::kAccInterface); }

  const FieldShell* field(Name field_name, Name descriptor) const;
  const MethodShell* method(Name method_name, Name descriptor) const;

  void index();  // after the members are filled in

 private:
  std::vector<std::uint16_t> field_order_;
  std::vector<std::uint16_t> method_order_;
};

ClassShell make_shell(const classfile::ClassView& cls, Names& names);

// FieldShell::constant as people write it: 5, 5L, "text", none.
std::string shown_constant(Name constant);

// "a/b" of "a/b/C"; empty for the unnamed package.
Name package_of(Name class_name);
// The class an array type is made of ("[[La/B;" -> "a/B"), the name itself for
// a class, empty for arrays of primitives.
Name element_class(Name class_or_array);

}  // namespace rejig::jig
