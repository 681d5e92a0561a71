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

#include "classfile/reader/class_view.h"
#include "jig/world/names.h"

namespace rejig::jig {

// A name and a descriptor, hashed once for many questions.
struct MemberKey {
  Name name;
  Name descriptor;
  std::uint64_t hash = 0;

  MemberKey(Name its_name, Name its_descriptor);
  MemberKey(Name its_name, Name its_descriptor, std::uint64_t its_hash)
      : name(its_name), descriptor(its_descriptor), hash(its_hash) {}
};

struct FieldShell {
  Name name;
  Name descriptor;
  std::uint16_t access = 0;
  Name constant;  // ConstantValue as text ("I5", "Sabc"), empty: none
  std::uint64_t hash = 0;  // of name and descriptor; index() writes it

  MemberKey key() const { return {name, descriptor, hash}; }
  bool is(classfile::AccessFlag flag) const { return (access & flag) != 0; }
};

struct MethodShell {
  Name name;
  Name descriptor;
  std::uint16_t access = 0;
  bool has_code = false;
  std::uint64_t hash = 0;  // of name and descriptor; index() writes it

  MemberKey key() const { return {name, descriptor, hash}; }
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

  const FieldShell* field(const MemberKey& key) const;
  const FieldShell* field(Name field_name, Name descriptor) const {
    return fields.empty() ? nullptr : field({field_name, descriptor});
  }
  const MethodShell* method(const MemberKey& key) const;
  const MethodShell* method(Name method_name, Name descriptor) const {
    return methods.empty() ? nullptr : method({method_name, descriptor});
  }

  void index();  // after the members are filled in

 private:
  // Parts of the members' hashes, in their order; of many members also the
  // places, sorted by hash.
  struct Index {
    std::vector<std::uint32_t> hashes;
    std::vector<std::uint16_t> order;
  };
  template <class T>
  static Index index_of(std::vector<T>& members);
  template <class T>
  static const T* find_member(const std::vector<T>& members, const Index& index,
                              const MemberKey& key);

  Index field_index_;
  Index method_index_;
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
