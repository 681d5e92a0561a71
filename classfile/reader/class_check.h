// SPDX-License-Identifier: Apache-2.0
// Is this class file one that the JVM would run? Private to classfile/: the
// format checks of HotSpot (JVMS §4.8) and the static constraints of code
// (§4.9.1), split over pool_check.cc, class_check.cc, code_check.cc and
// attribute_check.cc.
// A check errs towards "ill-formed": such a class counts as changed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "classfile/reader/format.h"
#include "classfile/reader/pool_notes.h"

namespace rejig::classfile {

// Buffers that the methods of one class share.
struct CodeScratch {
  std::vector<std::uint64_t> starts;  // bit pc: an instruction begins there
  struct Jump {
    std::uint32_t pc;
    std::uint32_t target;
  };
  std::vector<Jump> jumps;  // room for those of the longest method so far
  std::vector<std::uint64_t> locals;  // rows of LocalVariableTable, packed
};

struct CheckContext {
  const ClassView& cls;
  PoolNotes& notes;
  CodeScratch& scratch;
  const Vouched& vouched;

  const ConstantPool& pool() const { return cls.pool(); }
  std::uint16_t major() const { return cls.major(); }
  [[gnu::cold]] base::Error error(std::size_t offset, std::string what) const {
    return malformed(cls.where(), offset, std::move(what));
  }
};

// The pool index that stands `at` bytes behind the begin of the member.
inline std::uint16_t member_index(const CheckContext& c,
                                  const MemberView& member, std::size_t at) {
  base::ByteReader r(c.cls.bytes().subspan(member.offset + at, 2));
  return r.u2();
}

// pool_check.cc; writes the notes that all others ask, so it comes first.
base::Result<void> check_pool(const CheckContext& c);

// class_check.cc
base::Result<void> check_header(const CheckContext& c);
base::Result<void> check_field(const CheckContext& c, const MemberView& field);
base::Result<void> check_method(const CheckContext& c,
                                const MemberView& method);
base::Result<void> check_duplicates(const CheckContext& c);
base::Result<void> check_class_flags(const CheckContext& c, std::uint16_t flags,
                                     std::size_t offset);

// code_check.cc: the instructions and handlers of one method.
base::Result<void> check_code(const CheckContext& c, const MemberView& method,
                              const CodeView& code);

// attribute_check.cc. The predefined attributes that the JVM parses when it
// defines the class: ill-formed means that there is no class.
base::Result<void> check_attribute(const CheckContext& c,
                                   const AttributeView& attribute,
                                   const CodeView* body);
// LocalVariableTypeTable against LocalVariableTable.
base::Result<void> check_locals(const CheckContext& c, const CodeView& code);
// The others: true if the content can be walked without surprise.
bool well_formed(const ConstantPool& pool, const AttributeView& attribute);

// class_view.cc. kUnknown for a name that means nothing in that place (the
// letters of attributes.def).
AttributeKind attribute_kind(std::string_view name, char place);

// class_checks.cc. What ClassView::parse checks behind the layout; it notes what
// a JVM does not mind.
class ClassChecks {
 public:
  explicit ClassChecks(ClassView& cls) : cls_(cls) {}

  base::Result<void> run(const Vouched& vouched);

 private:
  base::Result<void> check_attributes(const CheckContext& c,
                                      std::span<const AttributeView> rows,
                                      const CodeView* body,
                                      const MemberView* field);
  void count_component_attributes(const AttributeView& record);
  base::Result<void> check_constant_value(const CheckContext& c,
                                          const MemberView& field,
                                          const AttributeView& a) const;
  base::Result<void> check_bootstraps(const CheckContext& c) const;

  ClassView& cls_;
};

}  // namespace rejig::classfile
