// SPDX-License-Identifier: Apache-2.0
// What is a dangerous edge, in words that both the traversal and the coverage
// matrix understand? traversal/ fills Deltas in (who, what, where, why);
// coverage/adaptor turns the roles of each into a disjunction of conjunctions of
// atoms by the rule's row of the table D1-D23. All names are entities as in
// entity.h: methods "a.b.C.x(I)V", classes "a.b.C".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/entity.h"

namespace rejig::classfile {

// D1 to D24; rules.def says what each is.
enum class Rule : std::uint8_t {
#define REJIG_RULE(number, ...) kD##number = number,
#include "classfile/words/rules.def"
#undef REJIG_RULE
};
inline constexpr unsigned kRules = 24;
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

// What of a Delta the adaptor reads.
enum class Role : std::uint8_t {
  kAt = 1,
  kTarget = 2,
  kReceivers = 4,
  kMakers = 8,
  kSubject = 16,
};

// Which atoms a run must have to meet an edge: a column of them, any of which
// will do. coverage/select/adaptor.cc makes them of the roles.
enum class Column : std::uint8_t {
  kNone,
  kEntered,         // m: of each method `at`
  kTargetEntered,   // m: of the target
  kReceived,        // recv: of each receiver and the target
  kMade,            // inst: of each receiver
  kMadeOrBelow,     // inst: of the subject and each receiver
  kMakersEntered,   // m: of each maker
  kTriggered,       // init: of the subject
  kTestsOf,         // testclass: of the subject
  kTestsOfOrBelow,  // testclass: of the subject and each receiver
  kThatTest,        // test: the subject
  kLoaded,          // load: the subject
  kLinked,          // who asked to verify a receiver or a class around a maker
  kReflected,       // refl: of the subject
  kAskedAbout,      // the same; facets that a kind tells, also refl:K|kind
  kOpened,          // res: the subject
  kMissed,          // resmiss: the subject; not of a file that stays
  kExternal,        // ext: the subject
  kLookedUp,        // miss: the subject
  kState,           // state: of the subject
  kStackTrace,      // stackapi
};

// Both columns must have an atom of the run; an empty one asks nothing.
struct RuleItem {
  Column one = Column::kNone;
  Column other = Column::kNone;
};

// A line of rules.def.
struct RuleRow {
  Rule rule;
  std::string_view id;  // "D7"
  std::string_view name;
  Channel channel;
  unsigned roles;     // bits of Role
  RuleItem items[2];  // either; without any atom everybody is concerned
  std::string_view sentence;
  std::string_view example;
};
const RuleRow& row_of(Rule rule);
// nullptr: "D99", "x".
const RuleRow* find_rule(std::string_view id);
// "`m:at` and `m:target`"
std::string items_text(const RuleRow& row);

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
  // Of shell facets: all lines that only one version has; the facts show three.
  std::vector<std::string> lost;
  std::vector<std::string> gained;

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

// Changed code may read what others left, which it did not before.
struct NewlyRead {
  std::string state;  // as rows name it; "property ": whatever begins so
  std::string cause;  // the new or changed method
};

// What in methods implies an atom that a row did not record (the "M" column of
// the adaptor table): the row satisfies the atom if it has any of these
// methods; nullopt: unknown, so it holds for every row.
using Implied =
    std::function<std::optional<std::vector<std::string>>(const Atom&)>;

// Methods of the old program that may come, by calls that were perhaps never
// made, to one that leaves something in a state, as rows name it.
struct LeavingMethods {
  using Place = std::uint32_t;  // in `methods`
  struct Way {
    std::string state;
    Place leaves = 0;
    bool constant = false;  // what somebody left before is there already
    std::vector<Place> from;
  };
  std::vector<std::string> methods;  // entities
  std::vector<Way> ways;             // by state
  // Of these classes ("a.b.C"), the test classes that have their methods: they
  // themselves, those below them and inside them.
  std::map<std::string, std::set<std::string>> tests_of;
};
using MayLeave = std::function<LeavingMethods(
    const std::set<std::string>& states, const std::set<std::string>& tests)>;

}  // namespace rejig::classfile
