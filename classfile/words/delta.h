// SPDX-License-Identifier: Apache-2.0
// What is a dangerous edge, in words that both the traversal and the coverage
// matrix understand? traversal/ fills Deltas in (who, what, where, why);
// coverage/adaptor turns the roles of each into a disjunction of conjunctions of
// atoms by the rule's row of the table D1-D23. All names are entities as in
// entity.h: methods "a.b.C.x(I)V", classes "a.b.C".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/entity.h"

namespace rejig::classfile {

enum class Rule : std::uint8_t {
  kD1 = 1,  // body or entry label differs, method deleted
  kD2,      // body of <clinit> differs
  kD3,      // static/special call: internal target to another method
  kD4,      // static/special call: external target, or to/from an error
  kD5,      // field resolution differs
  kD6,      // class use differs
  kD7,      // selection differs, old target internal
  kD8,      // selection differs, old target external, default or error
  kD9,      // selection, subtyping, initialization, linking of a lambda type
  kD10,     // supertypes change, by internal types only: observers
  kD11,     // the same for arrays
  kD12,     // supertypes change by an external type
  kD13,     // initialization sequence differs
  kD14,     // linkability differs
  kD15,     // ConstantValue differs
  kD16,     // shell facet differs
  kD17,     // magic member appears or disappears
  kD18,     // test shell: class level
  kD19,     // test shell: one test method
  kD20,     // resource, service, manifest, module, native, environment
  kD21,     // external class differs
  kD22,     // something added whose look-up failed
  kD23,     // debug facet differs
  kD24,     // changed code may leave something else in static fields
};
// "D7"
std::string_view name_of(Rule rule);

enum class Channel : std::uint8_t {
  kBody,
  kResolution,
  kSelection,
  kSubtyping,
  kInitialization,
  kLinking,
  kShell,
  kArtefact,
  kTest,
  kAbsence,
};
// "body", "resolution", …
std::string_view name_of(Channel channel);

struct Delta {
  Rule rule = Rule::kD1;
  Channel channel = Channel::kBody;

  // What a person reads.
  std::string entity;    // the changed entity: "a.b.C.add(II)I", "a.b.C", a path
  std::string label;     // of the edge: "T", "case 3", receiver "a.b.D", …
  std::string old_fact;
  std::string new_fact;
  std::string file;      // "a/b/C.java" when the class names its source
  unsigned line = 0;     // 0: unknown
  std::string why;       // one sentence

  // Roles, read by the adaptor as the rule says. Empty lists: role not used.
  std::vector<std::string> at;         // m, m_obs: any of these methods entered
  // Of the method at `at`: any of these control-flow edges taken, "C.x(d)#12T"
  // (coverage/FORMAT.md). Empty: nothing is known beyond the entry.
  std::vector<std::string> edges;
  std::string target;                  // t0, when it is a necessary atom
  std::vector<std::string> receivers;  // R: any of these exact classes
  std::vector<std::string> makers;     // m_mk: any of these made arrays of R;
                                       // D14: classes inside these
  std::string subject;                 // K, resource path, name, test id, class
  bool everybody = false;  // cannot be attributed: selects all tests
};

// What in methods implies an atom that a row did not record (the "M" column of
// the adaptor table): the row satisfies the atom if it has any of these
// methods; nullopt: unknown, so it holds for every row.
using Implied =
    std::function<std::optional<std::vector<std::string>>(const Atom&)>;

}  // namespace rejig::classfile
