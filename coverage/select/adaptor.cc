// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/adaptor.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Conjunction;
using classfile::Delta;
using classfile::Disjunction;
using classfile::Rule;

namespace {

std::vector<Atom> methods(const std::vector<std::string>& names) {
  std::vector<Atom> out;
  for (const auto& name : names) out.push_back(method_atom(name));
  return out;
}

std::vector<Atom> classes(AtomKind kind,
                          const std::vector<std::string>& names) {
  std::vector<Atom> out;
  for (const auto& name : names) out.push_back({kind, name});
  return out;
}

// One atom of each column, in all combinations.
Disjunction product(const std::vector<Atom>& a, const std::vector<Atom>& b) {
  Disjunction out;
  if (a.empty() && b.empty()) return out;
  if (b.empty()) {
    for (const auto& x : a) out.push_back({x});
  } else if (a.empty()) {
    for (const auto& y : b) out.push_back({y});
  } else {
    for (const auto& x : a) {
      for (const auto& y : b) {
        out.push_back(x == y ? Conjunction{x} : Conjunction{x, y});
      }
    }
  }
  return out;
}

Disjunction any(const std::vector<Atom>& atoms) { return product(atoms, {}); }

Disjunction either(Disjunction a, Disjunction b) {
  for (auto& item : b) a.push_back(std::move(item));
  return a;
}

struct Roles {
  const Delta& d;

  std::vector<Atom> at() const { return methods(d.at); }
  std::vector<Atom> makers() const { return methods(d.makers); }
  std::vector<Atom> inst() const {
    return classes(AtomKind::kInst, d.receivers);
  }
  std::vector<Atom> target() const {
    if (d.target.empty()) return {};
    return {method_atom(d.target)};
  }
  std::vector<Atom> subject(AtomKind kind) const {
    if (d.subject.empty()) return {};
    return {Atom{kind, d.subject}};
  }
  // Whose facet it is; who asked for the kind of a class only did not see its
  // members. A facet that is not listed counts as one that such a question sees.
  std::vector<Atom> shell() const {
    std::vector<Atom> out = subject(AtomKind::kRefl);
    for (const std::string_view unseen :
         {"members", "annotations", "generics", "exceptions", "record", "nest",
          "parameters", "synthetic names", "class name", "language metadata",
          "opens", "order"}) {
      if (d.label == unseen) return out;
    }
    if (!d.subject.empty()) {
      out.push_back({AtomKind::kRefl, classfile::kind_asked(d.subject)});
    }
    return out;
  }
  // The file is there as before, with other bytes: who only asked whether it is
  // there sees nothing.
  bool stays() const { return d.label == "content" && d.new_fact == "changed"; }
  std::vector<Atom> received() const {
    if (d.target.empty()) return inst();  // native target: no probe in it
    if (d.receivers.empty()) return target();
    std::vector<Atom> out;
    for (const auto& r : d.receivers) {
      out.push_back({AtomKind::kRecv, r + "|" + d.target});
    }
    return out;
  }
  // Who asked the JVM to verify a class: whoever initializes or lists it or one
  // below it; of a test class the runner does, for the tests inside as well.
  std::vector<Atom> linked() const {
    std::vector<Atom> out;
    for (const auto kind :
         {AtomKind::kInit, AtomKind::kRefl, AtomKind::kTestClass}) {
      for (auto& atom : classes(kind, d.receivers)) out.push_back(atom);
    }
    if (out.empty()) return out;  // whoever loaded it is asked
    for (auto& atom : classes(AtomKind::kTestClass, d.makers)) {
      out.push_back(atom);
    }
    return out;
  }
  std::vector<Atom> members_of(AtomKind kind) const {
    std::vector<Atom> out = subject(kind);
    for (auto& atom : classes(kind, d.receivers)) out.push_back(atom);
    return out;
  }
};

std::vector<Atom> atoms_of(const Roles& r, classfile::Column column) {
  using classfile::Column;
  switch (column) {
    case Column::kNone: return {};
    case Column::kEntered: return r.at();
    case Column::kTargetEntered: return r.target();
    case Column::kReceived: return r.received();
    case Column::kMade: return r.inst();
    case Column::kMadeOrBelow: return r.members_of(AtomKind::kInst);
    case Column::kMakersEntered: return r.makers();
    case Column::kTriggered: return r.subject(AtomKind::kInit);
    case Column::kTestsOf: return r.subject(AtomKind::kTestClass);
    case Column::kTestsOfOrBelow: return r.members_of(AtomKind::kTestClass);
    case Column::kThatTest: return r.subject(AtomKind::kTest);
    case Column::kLoaded: return r.subject(AtomKind::kLoad);
    case Column::kLinked: return r.linked();
    case Column::kReflected: return r.subject(AtomKind::kRefl);
    case Column::kAskedAbout: return r.shell();
    case Column::kOpened: return r.subject(AtomKind::kRes);
    case Column::kMissed:
      if (r.stays()) return {};
      return r.subject(AtomKind::kResMiss);
    case Column::kExternal: return r.subject(AtomKind::kExt);
    case Column::kLookedUp: return r.subject(AtomKind::kMiss);
    case Column::kState: return r.subject(AtomKind::kState);
    case Column::kStackTrace: return {Atom{AtomKind::kStackApi, {}}};
  }
  return {};
}

// What the rule's line of rules.def says.
Disjunction row_of(const Delta& d) {
  const Roles r{d};
  Disjunction out;
  for (const auto& item : classfile::row_of(d.rule).items) {
    out = either(std::move(out), product(atoms_of(r, item.one),
                                         atoms_of(r, item.other)));
  }
  // Whose constant it is, nobody knows.
  if (d.rule == Rule::kD15 && d.subject.empty()) return {};
  return out;
}

// A run that took none of the edges at which the bodies part ran what is the
// same in both, at other lines.
Disjunction by_edges(const Delta& d) {
  std::vector<Atom> edges;
  for (const auto& text : d.edges) edges.push_back({AtomKind::kEdge, text});
  return either(any(edges),
                product(Roles{d}.at(), {Atom{AtomKind::kStackApi, {}}}));
}

}  // namespace

std::string_view class_of_method(std::string_view method) {
  const auto paren = method.find('(');
  const auto dot = method.substr(0, paren).rfind('.');
  if (paren == std::string_view::npos || dot == std::string_view::npos) {
    return {};
  }
  return method.substr(0, dot);
}

Atom method_atom(std::string_view method) {
  constexpr std::string_view kClinit = ".<clinit>()V";
  if (method.size() > kClinit.size() && method.ends_with(kClinit)) {
    return {AtomKind::kInit,
            std::string(method.substr(0, method.size() - kClinit.size()))};
  }
  return {AtomKind::kMethod, std::string(method)};
}

Disjunction items_of(const Delta& delta, Detail detail) {
  if (delta.everybody) return {Conjunction{}};
  const bool closer = detail == Detail::kEdges && delta.rule == Rule::kD1 &&
                      delta.at.size() == 1 && !delta.edges.empty();
  Disjunction items = closer ? by_edges(delta) : row_of(delta);
  if (items.empty()) return {Conjunction{}};
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

}  // namespace rejig::coverage
