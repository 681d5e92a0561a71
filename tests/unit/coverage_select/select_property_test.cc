// SPDX-License-Identifier: Apache-2.0
// Random matrices and edges: what select() answers through the inverted index
// must be what a set-of-sets model says row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "coverage/select/adaptor.h"
#include "coverage/select/select.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Delta;
using classfile::Rule;

constexpr AtomKind kStored[] = {
    AtomKind::kMethod, AtomKind::kEdge,    AtomKind::kInst,
    AtomKind::kRecv,   AtomKind::kInit,    AtomKind::kLoad,
    AtomKind::kExt,    AtomKind::kMiss,    AtomKind::kRefl,
    AtomKind::kRes,    AtomKind::kResMiss, AtomKind::kStackApi};

struct ModelRow {
  std::string suite;
  std::string test;
  Grade grade = Grade::kComplete;
  Outcome result = Outcome::kPass;
  Facts facts;
  std::set<Atom> atoms;
};

struct World {
  std::vector<ModelRow> rows;
  std::vector<Delta> deltas;
  std::map<Atom, std::vector<std::string>> implied;
  Policy policy;
  std::set<std::string> deleted;
  bool digests = false;  // the rows say which bytes they were recorded on
  Detail detail = Detail::kMethods;
};

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned n) {
    return static_cast<unsigned>(engine_() % std::uint64_t{n});
  }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

std::string cls(Dice& dice) {
  return std::string("p.") + char('A' + dice.below(4));
}
std::string method(Dice& dice) {
  static const char* const kNames[] = {".f()V", ".g(I)I", ".<init>()V",
                                       ".<clinit>()V"};
  return cls(dice) + kNames[dice.below(4)];
}
std::string test_class(Dice& dice) {
  static const char* const kNames[] = {"t.X", "t.XY", "t.X$In", "t.Y"};
  return kNames[dice.below(4)];
}

Atom random_atom(Dice& dice) {
  const AtomKind kind = kStored[dice.below(12)];
  switch (kind) {
    case AtomKind::kMethod:
      return {kind, method(dice)};
    case AtomKind::kEdge:
      return {kind, method(dice) + "#" + std::to_string(dice.below(2))};
    case AtomKind::kRecv:
      return {kind, cls(dice) + "|" + method(dice)};
    case AtomKind::kRes:
    case AtomKind::kResMiss:
      return {kind, dice.chance(50) ? "a.txt" : "d/b.txt"};
    case AtomKind::kStackApi:
      return {kind, {}};
    default:
      return {kind, cls(dice)};
  }
}

template <class F>
std::vector<std::string> some(Dice& dice, F make) {
  std::vector<std::string> out;
  for (unsigned n = dice.below(3); n > 0; --n) out.push_back(make(dice));
  return out;
}

Delta random_delta(Dice& dice) {
  Delta d;
  d.rule = static_cast<Rule>(1 + dice.below(23));
  d.entity = method(dice);
  d.label = std::to_string(dice.below(1000));
  d.at = some(dice, method);
  d.receivers = some(dice, cls);
  d.makers = some(dice, method);
  if (dice.chance(60)) d.target = method(dice);
  if (dice.chance(90)) {
    d.subject = cls(dice);
    if (d.rule == Rule::kD18) d.subject = test_class(dice);
    if (d.rule == Rule::kD19) d.subject = test_class(dice) + "#a()";
    if (d.rule == Rule::kD20) d.subject = dice.chance(50) ? "a.txt" : "d/b.txt";
  }
  d.everybody = dice.chance(2);
  for (unsigned n = dice.below(3); n > 0 && !d.at.empty(); --n) {
    d.edges.push_back(d.at.front() + "#" + std::to_string(dice.below(2)));
  }
  return d;
}

World random_world(unsigned seed) {
  Dice dice(seed);
  World world;
  std::set<std::pair<std::string, std::string>> keys;
  const bool bare = dice.chance(25);  // no row records anything but methods
  const bool rich = dice.chance(25);  // every row records everything
  for (unsigned n = dice.below(14); n > 0; --n) {
    ModelRow row;
    row.suite = dice.chance(70) ? "default" : "other";
    row.test = test_class(dice);
    static const char* const kMethods[] = {"#a()", "#b(int)", "#*", "#c()"};
    row.test += kMethods[dice.below(4)];
    if (!keys.insert({row.suite, row.test}).second) continue;
    if (dice.chance(15)) row.grade = static_cast<Grade>(dice.below(5));
    if (dice.chance(8)) row.result = static_cast<Outcome>(dice.below(5));
    row.facts = Facts().with(AtomKind::kMethod);
    for (const auto kind : kStored) {
      if (rich || (!bare && dice.chance(50))) row.facts = row.facts.with(kind);
    }
    if (dice.chance(3)) row.facts = Facts();
    for (unsigned k = dice.below(12); k > 0; --k) {
      const Atom atom = random_atom(dice);
      if (bare && atom.kind != AtomKind::kMethod) continue;
      if (atom.kind == AtomKind::kExt && dice.chance(70)) continue;
      row.atoms.insert(atom);
    }
    world.rows.push_back(row);
  }
  for (unsigned n = dice.below(5); n > 0; --n) {
    world.deltas.push_back(random_delta(dice));
  }
  for (unsigned n = dice.below(10); n > 0; --n) {
    world.implied[random_atom(dice)] = some(dice, method);
  }
  for (const auto name : assumption_names()) {
    if (dice.chance(15)) world.policy.assume.emplace_back(name);
  }
  world.policy.allow_lower_bound = dice.chance(20);
  if (dice.chance(20)) world.policy.always.push_back({"*#c()", "because"});
  if (dice.chance(20)) {
    world.policy.resources.push_back({"d/**", dice.chance(50)
                                                  ? ResourceVerdict::kInert
                                                  : ResourceVerdict::kAll});
  }
  if (dice.chance(20)) world.deleted.insert(test_class(dice) + "#a()");
  world.digests = dice.chance(60);
  if (dice.chance(50)) world.detail = Detail::kEdges;
  return world;
}

// The model: one row, one atom at a time.
class Model {
 public:
  explicit Model(const World& world) : world_(world) {
    for (const auto& name : world.policy.assume) {
      const auto kinds = assumed_absent(name);
      for (const auto kind : kinds.value()) assumed_.insert(kind);
    }
  }

  std::set<TestKey> selected() const {
    std::set<TestKey> out;
    std::set<std::pair<std::string, std::string>> containers;
    for (const auto& row : world_.rows) {
      if (row.test.ends_with("#*") && (doubtful(row) || hit(row))) {
        containers.insert({row.suite, row.test.substr(0, row.test.size() - 2)});
      }
    }
    // NEW shows no test at all in these worlds: a suite that has lost one has
    // lost all.
    std::set<std::string> lost;
    for (const auto& row : world_.rows) {
      if (world_.deleted.count(row.test) != 0) lost.insert(row.suite);
    }
    for (const auto& row : world_.rows) {
      bool yes = doubtful(row) || hit(row) || all() ||
                 lost.count(row.suite) != 0;
      for (const auto& [suite, name] : containers) {
        yes |= row.suite == suite && in_class(row, name);
      }
      if (yes) out.insert({row.suite, row.test});
    }
    return out;
  }

 private:
  static bool in_class(const ModelRow& row, const std::string& name) {
    return row.test.starts_with(name + "#") || row.test.starts_with(name + "$");
  }
  bool doubtful(const ModelRow& row) const {
    if (row.result != Outcome::kPass) return true;
    if (row.grade == Grade::kPartial || row.grade == Grade::kForeign) {
      return true;
    }
    if (row.grade == Grade::kLowerBound && !world_.policy.allow_lower_bound) {
      return true;
    }
    return !world_.policy.always.empty() && row.test.ends_with("#c()");
  }
  std::optional<ResourceVerdict> ruled(const Delta& d) const {
    if (d.rule != Rule::kD20 || d.subject.empty()) return std::nullopt;
    if (world_.policy.resources.empty() || !d.subject.starts_with("d/")) {
      return std::nullopt;
    }
    return world_.policy.resources.front().verdict;
  }
  bool all() const {
    for (const auto& d : world_.deltas) {
      const auto verdict = ruled(d);
      if (verdict == ResourceVerdict::kAll) return true;
      if (verdict) continue;
      for (const auto& item : items_of(d, world_.detail)) {
        if (item.empty()) return true;
      }
    }
    return false;
  }
  bool hit(const ModelRow& row) const {
    for (const auto& d : world_.deltas) {
      if (ruled(d)) continue;
      for (const auto& item : items_of(d, world_.detail)) {
        bool every = !item.empty();
        for (const auto& atom : item) every &= holds(row, atom);
        if (every) return true;
      }
    }
    return false;
  }
  bool method_holds(const ModelRow& row, const std::string& name) const {
    return holds(row, method_atom(name));
  }
  bool holds(const ModelRow& row, const Atom& atom) const {
    if (atom.kind == AtomKind::kTest) return row.test == atom.text;
    if (atom.kind == AtomKind::kTestClass) return in_class(row, atom.text);
    if (row.atoms.count(atom) != 0) return true;
    if (untouched(row, atom)) return true;
    // Names of edges are good for known bytes only.
    const bool said = atom.kind != AtomKind::kEdge || world_.digests;
    if (row.facts.has(atom.kind) && said) return false;
    if (atom.kind == AtomKind::kRecv) {
      const auto bar = atom.text.find('|');
      return method_holds(row, atom.text.substr(bar + 1)) &&
             holds(row, {AtomKind::kInst, atom.text.substr(0, bar)});
    }
    if (atom.kind == AtomKind::kEdge) {
      return method_holds(row, atom.text.substr(0, atom.text.rfind('#')));
    }
    if (atom.kind == AtomKind::kInit || atom.kind == AtomKind::kLoad) {
      if (row.atoms.count({AtomKind::kRefl, atom.text}) != 0) return true;
      if (!row.facts.has(AtomKind::kRefl) &&
          assumed_.count(AtomKind::kRefl) == 0) {
        return true;
      }
    }
    if (atom.kind != AtomKind::kMethod) {
      const auto at = world_.implied.find(atom);
      if (at != world_.implied.end()) {
        for (const auto& name : at->second) {
          if (holds(row, {AtomKind::kMethod, name})) return true;
        }
        return false;
      }
    }
    return assumed_.count(atom.kind) == 0;
  }
  // The class was external for the recorder of this row, or internal and is
  // external now.
  static bool untouched(const ModelRow& row, const Atom& atom) {
    std::string name = atom.text;
    if (atom.kind == AtomKind::kExt) {
      return row.atoms.count({AtomKind::kLoad, name}) != 0;
    }
    if (atom.kind == AtomKind::kRecv) name = name.substr(name.find('|') + 1);
    if (atom.kind == AtomKind::kMethod || atom.kind == AtomKind::kEdge ||
        atom.kind == AtomKind::kRecv) {
      name = name.substr(0, name.find('('));
      name = name.substr(0, name.rfind('.'));
    } else if (atom.kind != AtomKind::kInst && atom.kind != AtomKind::kInit &&
               atom.kind != AtomKind::kLoad && atom.kind != AtomKind::kRefl) {
      return false;
    }
    return row.atoms.count({AtomKind::kExt, name}) != 0;
  }

  const World& world_;
  std::set<AtomKind> assumed_;
};

SelectionInput input_of(const World& world) {
  SelectionInput input;
  input.edges = world.deltas;
  input.detail = world.detail;
  input.deleted.assign(world.deleted.begin(), world.deleted.end());
  input.implied =
      [&world](const Atom& atom) -> std::optional<std::vector<std::string>> {
    const auto at = world.implied.find(atom);
    if (at == world.implied.end()) return std::nullopt;
    return at->second;
  };
  return input;
}

std::unique_ptr<Matrix> matrix_of(const World& world) {
  MatrixBuilder builder;
  for (const auto& row : world.rows) {
    Row key;
    key.suite = row.suite;
    key.test = row.test;
    key.grade = row.grade;
    key.result = row.result;
    key.facts = row.facts;
    const std::vector<Atom> atoms(row.atoms.begin(), row.atoms.end());
    builder.add_row(key, std::span<const Atom>(atoms));
  }
  if (world.digests) builder.add_class("q.Z", "00");
  return builder.finish();
}

TEST(SelectProperty, TheIndexSaysWhatTheSetsSay) {
  constexpr unsigned kWorlds = 20'000;
  std::size_t selected = 0;
  std::size_t unaffected = 0;
  std::size_t somes = 0;
  for (unsigned seed = 0; seed < kWorlds; ++seed) {
    const World world = random_world(seed);
    const auto matrix = matrix_of(world);
    const Answer answer = select(input_of(world), matrix.get(), world.policy);
    std::set<TestKey> got;
    for (const auto& test : answer.selected) {
      got.insert(test.key);
      ASSERT_TRUE(!test.forced.empty() || !answer.hits_of(test).empty())
          << "selected without a reason, seed " << seed;
    }
    ASSERT_EQ(got, Model(world).selected()) << "seed " << seed;
    ASSERT_EQ(
        answer.counts.selected + answer.counts.unaffected + answer.counts.gone,
        answer.counts.known)
        << "seed " << seed;
    selected += answer.counts.selected;
    unaffected += answer.counts.unaffected;
    somes += answer.mode == Mode::kSome ? 1 : 0;
  }
  // The worlds are worth asking: both answers are common.
  EXPECT_GT(selected, kWorlds);
  EXPECT_GT(unaffected, kWorlds);
  EXPECT_GT(somes, kWorlds / 4);
  RecordProperty("selected", static_cast<int>(selected));
  RecordProperty("unaffected", static_cast<int>(unaffected));
}

TEST(SelectProperty, OrderOfEdgesAndRowsIsInvisible) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    World world = random_world(seed);
    const auto first = matrix_of(world);
    const Answer a = select(input_of(world), first.get(), world.policy);
    std::reverse(world.rows.begin(), world.rows.end());
    std::reverse(world.deltas.begin(), world.deltas.end());
    const auto second = matrix_of(world);
    const Answer b = select(input_of(world), second.get(), world.policy);
    ASSERT_EQ(a.reasons, b.reasons) << "seed " << seed;
    ASSERT_EQ(a.selected.size(), b.selected.size()) << "seed " << seed;
    for (std::size_t i = 0; i < a.selected.size(); ++i) {
      ASSERT_EQ(a.selected[i].key, b.selected[i].key);
      ASSERT_EQ(a.selected[i].hits, b.selected[i].hits) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace rejig::coverage
