// SPDX-License-Identifier: Apache-2.0
// Atoms get numbers as they come; rows hold numbers, unsorted, and are united when
// a list has grown to four times what it held. finish() numbers everything anew in
// sorted order: from there on nothing tells in which order it was added. Views of
// names point into one arena, which moves into the matrix.
#include "coverage/store/matrix_builder.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "classfile/base/arena.h"
#include "classfile/base/hash.h"
#include "classfile/base/hash_map.h"
#include "coverage/store/memory_matrix.h"
#include "coverage/store/old_program.h"
#include "coverage/store/shared_rows.h"

namespace rejig::coverage {
namespace {

using base::HashMap;
using classfile::Atom;
using classfile::AtomKind;

struct PendingRow {
  Row row;
  std::vector<MatrixBuilder::SetId> sets;
  std::vector<MatrixBuilder::LocalAtom> atoms;  // unsorted, maybe twice
  std::size_t distinct = 0;  // when they were united the last time
};

struct PendingSet {
  MatrixBuilder::SetId parent = MatrixBuilder::kNoSet;
  std::vector<MatrixBuilder::LocalAtom> atoms;
};

constexpr std::size_t kAgain = 4;
constexpr std::size_t kMany = 16'384;

template <class T>
void sort_once(std::vector<T>& list) {
  if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

struct MatrixBuilder::State {
  base::Arena text;
  std::array<HashMap<std::string_view, LocalAtom>, classfile::kAtomKinds> known;
  std::vector<AtomText> atoms;
  HashMap<std::pair<std::uint32_t, std::string_view>, std::uint32_t> row_of;
  HashMap<std::string_view, std::uint32_t> suites;
  std::vector<std::string_view> suite_names;
  std::vector<PendingRow> rows;
  std::vector<PendingSet> sets;
  std::set<std::pair<std::string, std::string>> classes;
  std::set<std::pair<std::string, std::string>> environment;
  FactMap facts;

  PendingRow& row(std::string_view suite, std::string_view test, bool& added) {
    const std::uint32_t* known_suite = suites.find(suite);
    if (known_suite == nullptr) {
      suite_names.push_back(text.copy(suite));
      known_suite =
          suites
              .try_emplace(suite_names.back(),
                           static_cast<std::uint32_t>(suite_names.size() - 1))
              .first;
    }
    const std::uint32_t suite_number = *known_suite;
    if (const auto* at = row_of.find(std::pair(suite_number, test))) {
      added = false;
      return rows[*at];
    }
    added = true;
    auto& fresh = rows.emplace_back();
    fresh.row.suite = suite_names[suite_number];
    fresh.row.test = text.copy(test);
    row_of.try_emplace({suite_number, fresh.row.test},
                       static_cast<std::uint32_t>(rows.size() - 1));
    return fresh;
  }
};

MatrixBuilder::MatrixBuilder() : state_(std::make_unique<State>()) {}
MatrixBuilder::MatrixBuilder(MatrixBuilder&&) noexcept = default;
MatrixBuilder& MatrixBuilder::operator=(MatrixBuilder&&) noexcept = default;
MatrixBuilder::~MatrixBuilder() = default;

MatrixBuilder::LocalAtom MatrixBuilder::intern(AtomKind kind,
                                               std::string_view text) {
  auto& known = state_->known[static_cast<std::size_t>(kind)];
  if (const LocalAtom* at = known.find(text)) return *at;
  const auto id = static_cast<LocalAtom>(state_->atoms.size());
  const auto copy = state_->text.copy(text);
  state_->atoms.push_back({kind, copy});
  known.try_emplace(copy, id);
  return id;
}

MatrixBuilder::SetId MatrixBuilder::add_set(std::vector<LocalAtom> atoms,
                                            SetId parent) {
  sort_once(atoms);
  atoms.shrink_to_fit();
  state_->sets.push_back({parent, std::move(atoms)});
  return static_cast<SetId>(state_->sets.size() - 1);
}

void MatrixBuilder::add_row(const Row& row, std::span<const SetId> sets,
                            std::vector<LocalAtom> atoms) {
  bool added = false;
  auto& into = state_->row(row.suite, row.test, added);
  // Its key says both.
  const Facts facts =
      row.facts.with(AtomKind::kTest).with(AtomKind::kTestClass);
  if (added) {
    into.row.grade = row.grade;
    into.row.result = row.result;
    into.row.ms = row.ms;
    into.row.facts = facts;
    into.sets.assign(sets.begin(), sets.end());
    into.atoms = std::move(atoms);
    return;
  }
  into.row.grade = std::max(into.row.grade, row.grade);
  into.row.result = std::max(into.row.result, row.result);
  into.row.ms = std::max(into.row.ms, row.ms);
  into.row.facts = into.row.facts & facts;
  for (const SetId set : sets) {
    if (std::ranges::find(into.sets, set) == into.sets.end()) {
      into.sets.push_back(set);
    }
  }
  into.atoms.insert(into.atoms.end(), atoms.begin(), atoms.end());
  // A test that runs again and again does much the same.
  if (into.atoms.size() > std::max(kMany, kAgain * into.distinct)) {
    sort_once(into.atoms);
    into.distinct = into.atoms.size();
  }
}

void MatrixBuilder::add_row(const Row& row, std::span<const Atom> atoms) {
  std::vector<LocalAtom> ids;
  ids.reserve(atoms.size());
  for (const auto& atom : atoms) ids.push_back(intern(atom));
  add_row(row, std::move(ids));
}

void MatrixBuilder::add_class(std::string_view name, std::string_view digest) {
  state_->classes.emplace(name, digest);
}

void MatrixBuilder::add_environment(std::string_view key,
                                    std::string_view value) {
  state_->environment.emplace(key, value);
}

void MatrixBuilder::drop_environment(std::string_view key) {
  std::erase_if(state_->environment,
                [&](const auto& entry) { return entry.first == key; });
}

void MatrixBuilder::add_facts(std::string_view name, std::string_view bytes,
                              const base::Digest256& digest) {
  state_->facts[std::string(name)].try_emplace(digest, bytes);
}

void MatrixBuilder::drop_facts(std::string_view name) {
  const auto at = state_->facts.find(name);
  if (at != state_->facts.end()) state_->facts.erase(at);
}

std::vector<std::string> MatrixBuilder::facts(std::string_view name) const {
  std::vector<std::string> out;
  const auto at = state_->facts.find(name);
  if (at == state_->facts.end()) return out;
  for (const auto& [digest, bytes] : at->second) out.push_back(bytes);
  return out;
}

std::vector<std::string> MatrixBuilder::fact_names(
    std::string_view prefix) const {
  std::vector<std::string> out;
  for (auto at = state_->facts.lower_bound(prefix);
       at != state_->facts.end() && at->first.starts_with(prefix); ++at) {
    out.push_back(at->first);
  }
  return out;
}

const Row* MatrixBuilder::find_row(std::string_view suite,
                                   std::string_view test) const {
  const auto* known = state_->suites.find(suite);
  if (known == nullptr) return nullptr;
  const auto* at = state_->row_of.find(std::pair(*known, test));
  return at == nullptr ? nullptr : &state_->rows[*at].row;
}

void MatrixBuilder::each_row(
    const std::function<void(const Row&)>& visit) const {
  for (const auto& pending : state_->rows) visit(pending.row);
}

std::vector<std::pair<std::string, std::string>> MatrixBuilder::classes()
    const {
  return {state_->classes.begin(), state_->classes.end()};
}

base::Result<void> MatrixBuilder::add_rows(
    Matrix& other, std::span<const std::optional<Row>> rows,
    std::span<const bool> without_edges) {
  SharedRows shared(rows);
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    const bool edges = kind == AtomKind::kEdge && !without_edges.empty();
    std::vector<RowRun> runs;
    std::optional<base::Error> failed;
    REJIG_TRY_VOID(other.each_atom(kind, "", [&](AtomId id, auto text) {
      if (failed) return;
      runs.clear();
      auto found = other.append_runs_with(id, runs);
      if (!found.ok()) {
        failed = std::move(found).error();
        return;
      }
      shared.add(intern(kind, text), runs,
                 edges ? without_edges : std::span<const bool>());
    }));
    if (failed) return *std::move(failed);
  }
  shared.finish(*this);
  return {};
}

base::Result<void> MatrixBuilder::add(Matrix& other) {
  REJIG_TRY(const auto rows, other.rows());
  const std::vector<std::optional<Row>> all(rows.begin(), rows.end());
  REJIG_TRY_VOID(add_rows(other, all, {}));
  REJIG_TRY(const auto classes, other.classes());
  for (const auto& c : classes) add_class(c.name, c.digest);
  REJIG_TRY(const auto environment, other.environment());
  for (const auto& e : environment) add_environment(e.key, e.value);
  REJIG_TRY(const auto names, other.fact_names(""));
  for (const auto& name : names) {
    REJIG_TRY(const auto contents, other.digested_facts(name));
    for (const auto& [digest, bytes] : contents) add_facts(name, bytes, digest);
  }
  return {};
}

// Rows of each set and of those that have it for a parent.
void MatrixBuilder::place_sets(State& from, MemoryMatrix& out) {
  std::vector<std::vector<RowRun>> runs(from.sets.size());
  for (std::uint32_t row = 0; row < from.rows.size(); ++row) {
    for (const SetId set : from.rows[row].sets) {
      auto& list = runs[set];
      if (!list.empty() && list.back().end == row) {
        ++list.back().end;
      } else {
        list.push_back({row, row + 1});
      }
    }
    auto& sets = from.rows[row].sets;
    out.row_sets_.items.insert(out.row_sets_.items.end(), sets.begin(),
                               sets.end());
    out.row_sets_.begin.push_back(out.row_sets_.items.size());
  }
  // A parent is older than its children.
  for (std::size_t set = runs.size(); set-- > 0;) {
    unite_runs(runs[set]);
    const SetId parent = from.sets[set].parent;
    if (parent == kNoSet) continue;
    runs[parent].insert(runs[parent].end(), runs[set].begin(), runs[set].end());
  }
  out.set_begin_.push_back(0);
  for (std::size_t set = 0; set < runs.size(); ++set) {
    out.set_runs_.insert(out.set_runs_.end(), runs[set].begin(),
                         runs[set].end());
    out.set_begin_.push_back(out.set_runs_.size());
    // kNoSet + 1 is 0.
    out.set_parent_.push_back(from.sets[set].parent + 1);
    if (runs[set].empty()) std::vector<LocalAtom>().swap(from.sets[set].atoms);
  }
}

std::unique_ptr<Matrix> MatrixBuilder::finish() {
  State from = std::move(*state_);
  *state_ = State();
  auto out = std::make_unique<MemoryMatrix>();

  std::sort(from.rows.begin(), from.rows.end(),
            [](const PendingRow& a, const PendingRow& b) {
              return std::tie(a.row.suite, a.row.test) <
                     std::tie(b.row.suite, b.row.test);
            });
  place_sets(from, *out);

  // Atoms that some row has, in order; rank[local] is the AtomId.
  std::vector<std::size_t> uses(from.atoms.size(), 0);
  std::vector<std::size_t> in_sets(from.atoms.size(), 0);
  for (const auto& row : from.rows) {
    for (const LocalAtom atom : row.atoms) ++uses[atom];
  }
  for (const auto& set : from.sets) {
    for (const LocalAtom atom : set.atoms) ++in_sets[atom];
  }
  std::vector<LocalAtom> order;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] + in_sets[i] != 0) order.push_back(static_cast<LocalAtom>(i));
  }
  std::sort(order.begin(), order.end(), [&](LocalAtom a, LocalAtom b) {
    return from.atoms[a] < from.atoms[b];
  });
  std::vector<std::uint32_t> rank(from.atoms.size(), 0);
  auto& rows_of = out->postings_;
  auto& sets_of = out->atom_sets_;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<std::uint32_t>(i);
    rows_of.begin.push_back(rows_of.begin[i] + uses[order[i]]);
    sets_of.begin.push_back(sets_of.begin[i] + in_sets[order[i]]);
    out->atoms_.push_back(from.atoms[order[i]]);
  }

  rows_of.items.resize(rows_of.begin.back());
  auto end = rows_of.begin;
  for (auto& pending : from.rows) {
    const auto row = static_cast<std::uint32_t>(out->rows_.size());
    out->rows_.push_back(pending.row);
    for (const LocalAtom atom : pending.atoms) {
      const std::size_t a = rank[atom];
      if (end[a] > rows_of.begin[a] && rows_of.items[end[a] - 1] == row) {
        continue;
      }
      rows_of.items[end[a]++] = row;
    }
    std::vector<LocalAtom>().swap(pending.atoms);
  }
  // Closes the gaps that atoms given twice for one row left.
  std::size_t to = 0;
  for (std::size_t a = 0; a < order.size(); ++a) {
    const std::size_t begin = std::exchange(rows_of.begin[a], to);
    for (std::size_t i = begin; i < end[a]; ++i) {
      rows_of.items[to++] = rows_of.items[i];
    }
  }
  rows_of.begin.back() = to;
  rows_of.items.resize(to);
  sets_of.items.resize(sets_of.begin.back());
  end = sets_of.begin;
  for (std::size_t set = 0; set < from.sets.size(); ++set) {
    auto& atoms = from.sets[set].atoms;
    for (auto& atom : atoms) {
      atom = rank[atom];
      sets_of.items[end[atom]++] = static_cast<std::uint32_t>(set);
    }
    std::sort(atoms.begin(), atoms.end());
    out->set_atoms_.items.insert(out->set_atoms_.items.end(), atoms.begin(),
                                 atoms.end());
    out->set_atoms_.begin.push_back(out->set_atoms_.items.size());
    std::vector<LocalAtom>().swap(atoms);
  }

  for (const auto& [name, digest] : from.classes) {
    out->classes_.push_back({from.text.copy(name), from.text.copy(digest)});
  }
  for (const auto& [key, value] : from.environment) {
    out->environment_.push_back({from.text.copy(key), from.text.copy(value)});
  }
  out->facts_ = std::move(from.facts);
  out->text_ = std::move(from.text);
  // What follows from the rest is made anew.
  std::erase_if(out->facts_, [](const auto& fact) {
    return fact.first.starts_with(kForeignFact);
  });
  for (auto& [name, bytes] : note_foreign_classes(*out)) {
    out->facts_[name].try_emplace(base::digest256(bytes), bytes);
  }
  return out;
}

}  // namespace rejig::coverage
