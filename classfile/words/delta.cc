// SPDX-License-Identifier: Apache-2.0
#include "classfile/words/delta.h"

#include <array>

namespace rejig::classfile {

namespace {

template <class... Roles>
constexpr unsigned bits(Roles... roles) {
  return (0U | ... | static_cast<unsigned>(roles));
}

constexpr RuleRow kRows[] = {
#define ROLES(...) [] { using enum Role; return bits(__VA_ARGS__); }()
#define ANY(a) {{Column::a, Column::kNone}, {}}
#define BOTH(a, b) {{Column::a, Column::b}, {}}
#define EITHER(a, b) {{Column::a, Column::kNone}, {Column::b, Column::kNone}}
#define REJIG_RULE(number, name, channel, roles, items, sentence, example) \
  {Rule::kD##number, "D" #number, name, Channel::channel, roles, items,    \
   sentence, example},
#include "classfile/words/rules.def"
#undef REJIG_RULE
#undef EITHER
#undef BOTH
#undef ANY
#undef ROLES
};

constexpr unsigned roles_of(Column column) {
  using enum Role;
  switch (column) {
    case Column::kNone:
    case Column::kStackTrace:
      return 0;
    case Column::kEntered:
      return bits(kAt);
    case Column::kTargetEntered:
      return bits(kTarget);
    case Column::kReceived:
      return bits(kTarget, kReceivers);
    case Column::kMade:
      return bits(kReceivers);
    case Column::kMadeOrBelow:
    case Column::kTestsOfOrBelow:
      return bits(kSubject, kReceivers);
    case Column::kMakersEntered:
      return bits(kMakers);
    case Column::kLinked:
      return bits(kReceivers, kMakers);
    default:
      return bits(kSubject);
  }
}

constexpr bool reads_only_its_roles(const RuleRow& row) {
  unsigned read = 0;
  for (const RuleItem& item : row.items) {
    read |= roles_of(item.one) | roles_of(item.other);
  }
  return read == row.roles;
}

constexpr bool is_sound() {
  unsigned number = 0;
  for (const RuleRow& row : kRows) {
    if (static_cast<unsigned>(row.rule) != ++number) return false;
    if (row.items[0].one == Column::kNone || !reads_only_its_roles(row)) {
      return false;
    }
  }
  return number == kRules;
}
static_assert(is_sound(),
              "rules.def: a rule out of order, without an atom, or whose items "
              "read other roles than it lists");

std::string_view text_of(Column column) {
  switch (column) {
    case Column::kNone: return "";
    case Column::kEntered: return "`m:at`";
    case Column::kTargetEntered: return "`m:target`";
    case Column::kReceived:
      return "`recv:R|target` (native target: `inst:R`)";
    case Column::kMade: return "`inst:R`";
    case Column::kMadeOrBelow: return "`inst:subject`, `inst:R`";
    case Column::kMakersEntered: return "`m:maker`";
    case Column::kTriggered: return "`init:subject`";
    case Column::kTestsOf: return "`testclass:subject`";
    case Column::kTestsOfOrBelow: return "`testclass:subject`, `testclass:R`";
    case Column::kThatTest: return "`test:subject`";
    case Column::kLoaded: return "`load:subject`";
    case Column::kLinked:
      return "for verification one of `init:R`, `refl:R`, `testclass:R`, "
             "`testclass:` of a class inside";
    case Column::kReflected: return "`refl:subject`";
    case Column::kAskedAbout:
      return "`refl:subject` (facets `hierarchy` and `inner` also "
             "`refl:subject|kind`)";
    case Column::kOpened: return "`res:subject`";
    case Column::kMissed:
      return "`resmiss:subject` (not of a file that stays, with other bytes)";
    case Column::kExternal: return "`ext:subject`";
    case Column::kLookedUp: return "`miss:subject`";
    case Column::kState: return "`state:subject`";
    case Column::kStackTrace: return "`stackapi`";
  }
  return "";
}

}  // namespace

const RuleRow& row_of(Rule rule) {
  return kRows[static_cast<std::size_t>(rule) - 1];
}

const RuleRow* find_rule(std::string_view id) {
  for (const RuleRow& row : kRows) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

std::string items_text(const RuleRow& row) {
  std::string out;
  for (const RuleItem& item : row.items) {
    if (item.one == Column::kNone) continue;
    if (!out.empty()) out += " or ";
    out += text_of(item.one);
    if (item.other != Column::kNone) {
      out += " and ";
      out += text_of(item.other);
    }
  }
  return out;
}

std::string_view name_of(Rule rule) { return row_of(rule).id; }

std::string_view name_of(Channel channel) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "body",           "resolution", "selection", "subtyping",
      "initialization", "linking",    "shell",     "artefact",
      "test",           "absence"};
  return kNames[static_cast<std::size_t>(channel)];
}

}  // namespace rejig::classfile
