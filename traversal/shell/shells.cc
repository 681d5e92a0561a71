// SPDX-License-Identifier: Apache-2.0
// What do reflection, serialization and test frameworks see now (channels C8,
// C10)? Shell facets of every changed class (D16), constants (D15), members
// that external code finds by name (D17), and the shells of test classes, which
// every framework reads (D18, D19).
#include <algorithm>
#include <set>

#include "traversal/code/numbered_names.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/same/shell_same.h"
#include "traversal/session/phases.h"
#include "traversal/shell/shell_edges.h"
#include "traversal/shell/shell_text.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::Delta;
using classfile::MemberView;
using classfile::Rule;

namespace {

Delta shell_delta(const ClassView& old_class, Rule rule,
                  const std::string& facet) {
  Delta d;
  d.rule = rule;
  d.channel = Channel::kShell;
  d.entity = classfile::dotted(old_class.name());
  d.subject = d.entity;
  d.label = facet;
  d.file = source_path(old_class);
  return d;
}
Delta shell_delta(const ShellPair& pair, Rule rule, const std::string& facet) {
  return shell_delta(pair.old_class, rule, facet);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The lines that only `text` has.
std::vector<std::string> only_in(const std::string& text,
                                 const std::string& other) {
  std::vector<std::string_view> others = lines_of(other);
  std::sort(others.begin(), others.end());
  std::vector<std::string> out;
  for (const std::string_view line : lines_of(text)) {
    if (!std::binary_search(others.begin(), others.end(), line)) {
      out.emplace_back(line);
    }
  }
  return out;
}

// At most three of them.
std::string some_of(const std::vector<std::string>& lines) {
  constexpr std::size_t kMost = 3;
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == kMost) return out + ", …";
    if (i != 0) out += ", ";
    out += lines[i];
  }
  return out;
}

void say_facts(Delta& d, const std::string& before, const std::string& after) {
  d.lost = only_in(before, after);
  d.gained = only_in(after, before);
  d.old_fact = some_of(d.lost);
  d.new_fact = some_of(d.gained);
  if (d.old_fact.empty() && d.new_fact.empty()) {
    d.old_fact = "one order";
    d.new_fact = "another order";
  } else {
    if (d.old_fact.empty()) d.old_fact = "nothing of it";
    if (d.new_fact.empty()) d.new_fact = "nothing of it";
  }
}

bool same_lines(const std::string& text, const std::string& other) {
  auto a = lines_of(text);
  auto b = lines_of(other);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

// Where both have the same members; else reflection sees others anyway.
void order_deltas(const ShellPair& pair, const ShellText& a, const ShellText& b,
                  Findings& found) {
  if (a.order == b.order || !same_lines(a.order, b.order)) return;
  const bool facet = a.overloads == b.overloads;
  Delta d = shell_delta(pair, Rule::kD16, facet ? "order" : "members");
  say_facts(d, facet ? a.order : a.overloads, facet ? b.order : b.overloads);
  d.why = facet ? "the members of `" + d.entity +
                      "` have another order, which only reflection can see"
                : "constructors or methods of one name have another order in `" +
                      d.entity + "`, which reflection can see";
  (facet ? found.facets : found.edges).push_back(std::move(d));
}

// The answer says what nobody could read.
void say_unreadable(const ClassView& cls, std::vector<Widened>& widened) {
  if (cls.unreadable_attributes() == 0) return;
  widened.push_back({std::to_string(cls.unreadable_attributes()) +
                         " attributes cannot be read; whatever they say counts "
                         "as changed",
                     classfile::dotted(cls.name())});
}

// Whoever has a class can read its name. Where rows do not say who did, whoever
// loaded it may have; what a user calls otherwise is the user's word.
void name_delta(const ShellPair& pair, Findings& found) {
  const bool unseen = !numbered_in(pair.old_name).empty() &&
                      !is_seen_when_read(pair.old_name);
  Delta d =
      shell_delta(pair, unseen ? Rule::kD14 : Rule::kD16, "class name");
  if (unseen) d.channel = Channel::kLinking;
  d.old_fact = d.entity;
  d.new_fact = classfile::dotted(pair.new_name);
  d.why = "`" + d.entity + "` is now called `" + d.new_fact +
          "`, which only reflection can see";
  found.facets.push_back(std::move(d));
}

void facet_deltas(const ShellPair& pair, const ShellText& a, const ShellText& b,
                  Findings& found) {
  for (const auto& [facet, text] : a.facets) {
    const auto at = b.facets.find(facet);
    const std::string other = at == b.facets.end() ? "" : at->second;
    if (text == other) continue;
    Delta d = shell_delta(pair, Rule::kD16, facet);
    say_facts(d, text, other);
    d.why = "reflection sees other " + facet + " of `" + d.entity + "`";
    const bool made_up = facet == "members" &&
                         is_counted_through(pair.old_name) &&
                         same_lines(without_counts(text), without_counts(other));
    (made_up ? found.facets : found.edges).push_back(std::move(d));
  }
  for (const auto& [facet, text] : b.facets) {
    if (a.facets.contains(facet) || text.empty()) continue;
    Delta d = shell_delta(pair, Rule::kD16, facet);
    d.old_fact = "none";
    d.new_fact = text;
    for (const auto line : lines_of(text)) d.gained.emplace_back(line);
    d.why = "reflection sees " + facet + " of `" + d.entity + "`";
    found.edges.push_back(std::move(d));
  }
  order_deltas(pair, a, b, found);
  if (a.parameters != b.parameters) {
    Delta d = shell_delta(pair, Rule::kD16, "parameters");
    say_facts(d, a.parameters, b.parameters);
    d.why = "parameters of `" + d.entity +
            "` have other names or flags, which only reflection can see";
    found.facets.push_back(std::move(d));
  }
  if (a.synthetic != b.synthetic) {
    Delta d = shell_delta(pair, Rule::kD16, "synthetic names");
    say_facts(d, a.synthetic, b.synthetic);
    d.why = "what the compiler made up in `" + d.entity +
            "` has other names or flags, which only reflection can see";
    found.facets.push_back(std::move(d));
  }
  if (pair.old_name != pair.new_name) name_delta(pair, found);
}

// Members that external code looks up by name.
bool is_magic(const MemberView& m) {
  return m.name == "readObject" || m.name == "writeObject" ||
         m.name == "readObjectNoData" || m.name == "readResolve" ||
         m.name == "writeReplace" || m.name == "readExternal" ||
         m.name == "writeExternal";
}

void magic_deltas(const ShellPair& pair, Findings& found) {
  const ClassView& a = pair.old_class;
  const ClassView& b = pair.new_class;
  auto magic_of = [](const ClassView& cls) {
    std::set<std::string> out;
    for (const MemberView& method : cls.methods()) {
      if (is_magic(method)) {
        out.insert(std::string(method.name) + std::string(method.descriptor) +
                   " " + std::to_string(method.access));
      }
    }
    for (const MemberView& field : cls.fields()) {
      if (field.name == "serialVersionUID" ||
          field.name == "serialPersistentFields") {
        out.insert(std::string(field.name) + " " +
                   std::to_string(field.access));
      }
    }
    return out;
  };
  const auto olds = magic_of(a);
  const auto news = magic_of(b);
  if (olds == news) return;
  Delta d = shell_delta(pair, Rule::kD17, "magic members");
  auto text = [](const std::set<std::string>& x,
                 const std::set<std::string>& y) {
    std::string out;
    for (const auto& one : x) {
      if (!y.contains(one)) out += (out.empty() ? "" : ", ") + one;
    }
    return out.empty() ? std::string("none") : out;
  };
  d.old_fact = text(olds, news);
  d.new_fact = text(news, olds);
  d.receivers.push_back(d.entity);
  d.why = "serialization finds other members in `" + d.entity + "`";
  found.edges.push_back(std::move(d));
}

void constant_deltas(const Matching& matching, const ShellPair& pair,
                     Findings& found) {
  const ClassNode* a = matching.worlds.old_world.find(pair.old_name);
  const ClassNode* b = matching.worlds.new_world.find(pair.new_name);
  if (a == nullptr || b == nullptr || !a->readable() || !b->readable()) return;
  for (const auto& field : a->shell->fields) {
    if (!field.is(classfile::kAccStatic)) continue;
    const auto* now = b->shell->field(field.name, field.descriptor);
    if (now == nullptr || now->constant == field.constant) continue;
    Delta d = shell_delta(pair, Rule::kD15, std::string(field.name));
    d.channel = Channel::kInitialization;
    d.old_fact = "constant " + jig::shown_constant(field.constant);
    d.new_fact = "constant " + jig::shown_constant(now->constant);
    d.why = "the constant `" + d.entity + "." + std::string(field.name) +
            "` has another value, which reflection can read";
    found.edges.push_back(std::move(d));
  }
}

}  // namespace

Delta metadata_facet(const ClassView& old_class) {
  Delta d = shell_delta(old_class, Rule::kD16, "language metadata");
  d.old_fact = "what its compiler noted";
  d.new_fact = "something else";
  d.why = "what its compiler tells other compilers about `" + d.entity +
          "` differs, which only readers of that annotation can see";
  return d;
}

namespace {

// Who reads the class file as a file sees it; the JVM is asked elsewhere.
void version_facet(const ShellPair& pair, Findings& found) {
  const ClassView& a = pair.old_class;
  const ClassView& b = pair.new_class;
  if (a.major() == b.major() && a.minor() == b.minor()) return;
  const auto text = [](const ClassView& cls) {
    constexpr unsigned kBeforeJava1 = 44;
    return std::to_string(cls.major()) + "." + std::to_string(cls.minor()) +
           " (Java " + std::to_string(cls.major() - kBeforeJava1) + ")";
  };
  Delta d;
  d.rule = Rule::kD20;
  d.channel = Channel::kArtefact;
  d.entity = classfile::dotted(a.name());
  d.subject = std::string(a.name()) + ".class";
  d.label = "class file version";
  d.old_fact = text(a);
  d.new_fact = text(b);
  d.file = source_path(a);
  d.why = "the class file of `" + d.entity + "` had version " + d.old_fact +
          " and has " + d.new_fact;
  found.facets.push_back(std::move(d));
}

}  // namespace

Findings compare_shell(const Matching& matching, const ShellPair& pair) {
  Findings out;
  version_facet(pair, out);
  say_unreadable(pair.old_class, out.widened);
  say_unreadable(pair.new_class, out.widened);
  const auto shared = shared_members(pair.old_class, pair.new_class);
  facet_deltas(
      pair,
      shell_text(pair.old_class, {shared.old_methods, shared.fields, true}),
      shell_text(pair.new_class, {shared.new_methods, shared.fields, true}),
      out);
  if (!shared.metadata) out.facets.push_back(metadata_facet(pair.old_class));
  magic_deltas(pair, out);
  constant_deltas(matching, pair, out);
  return out;
}

void compare_shells(const Matching& matching, Findings& findings) {
  std::vector<Findings> found(matching.changed.size());
  matching.worlds.pool.for_each(found.size(), [&](unsigned, std::size_t i) {
    const ClassPair& pair = matching.changed[i];
    if (pair.forced || !pair.old_class.view || !pair.new_class.view) return;
    const ShellPair shells{pair.old_name, pair.new_name, *pair.old_class.view,
                           *pair.new_class.view};
    if (pair.old_name == pair.new_name &&
        same_shell_at_sight(shells.old_class, shells.new_class)) {
      constant_deltas(matching, shells, found[i]);
      version_facet(shells, found[i]);
    } else {
      found[i] = compare_shell(matching, shells);
    }
  });
  for (Findings& one : found) findings.take(std::move(one));
}

}  // namespace rejig::traversal
