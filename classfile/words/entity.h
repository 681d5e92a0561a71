// SPDX-License-Identifier: Apache-2.0
// What is the common word between a changed program and a coverage matrix? The
// entity: a class, a method of a class, and the atoms of a matrix row that
// speak about them ("m:a.b.C.add(II)I", "inst:a.b.C", "res:app.properties").
// traversal/ names dangerous edges with atoms; coverage/ looks them up in rows.
// Names are as people read them: dots in class names, slashes only inside
// descriptors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::classfile {

// "a/b/C$D" -> "a.b.C$D"
std::string dotted(std::string_view internal_name);
// "a.b.C$D" -> "a/b/C$D"
std::string slashed(std::string_view binary_name);

// Class names are internal ("a/b/C"), out come dotted entities:
// method_entity("a/b/C", "add", "(II)I") -> "a.b.C.add(II)I"
std::string method_entity(std::string_view class_name, std::string_view name,
                          std::string_view descriptor);

enum class AtomKind : std::uint8_t {
  kMethod,     // m:C.x(d)        entered that internal method
  kEdge,       // e:C.x(d)#k      took that control-flow edge
  kInst,       // inst:C          an instance of exactly C was created
  kRecv,       // recv:R|C.x(d)   entered C.x(d) with a receiver of exactly R
  kInit,       // init:C          triggered a sequence that contains C
  kLoad,       // load:C          loaded or linked internal class C
  kExt,        // ext:C           loaded external class C
  kMiss,       // miss:C          looked class C up in vain
  kRefl,       // refl:C          loaded C and used a reflective API
               // refl:C|kind     asked C for its kind, flags or supertypes only
  kRes,        // res:p           opened resource or file p
  kResMiss,    // resmiss:p       looked for resource p in vain
  kStackApi,   // stackapi        looked at a stack trace
  kTest,       // test:id         is that test
  kTestClass,  // testclass:C     belongs to that test class
  kState,      // state:C         met static fields of C that can hold something
               //                 else later, or what is kept under that name
  kLeft,       // left:C|C.x(d)   when it ended they held something else, and it
               //                 had met them in C.x(d)
};
inline constexpr std::size_t kAtomKinds = 16;

// "m", "inst", … as spelled before the colon.
std::string_view prefix_of(AtomKind kind);
std::optional<AtomKind> atom_kind(std::string_view prefix);

struct Atom {
  AtomKind kind = AtomKind::kMethod;
  std::string text;  // what stands behind the colon; empty for stackapi

  friend bool operator==(const Atom&, const Atom&) = default;
  friend auto operator<=>(const Atom&, const Atom&) = default;
};

// refl: of a class that was asked for its kind, flags or supertypes only. Who
// has read all of a class has refl:C alone.
std::string kind_asked(std::string_view class_name);
// The class in the text of a refl: atom.
std::string_view reflected_class(std::string_view text);

// The class in the text of a left: atom.
std::string_view left_in(std::string_view text);

// "m:a.b.C.add(II)I"; stackapi has no colon.
std::string to_string(const Atom& atom);
// nullopt when the prefix is unknown or the text is missing.
std::optional<Atom> parse_atom(std::string_view text);

// All of these must hold for one run.
using Conjunction = std::vector<Atom>;
// One of these must hold. Empty: nobody. A conjunction that is empty: everybody.
using Disjunction = std::vector<Conjunction>;

}  // namespace rejig::classfile
