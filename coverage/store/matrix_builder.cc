// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/matrix_builder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "classfile/base/arena.h"
#include "classfile/base/hash.h"
#include "classfile/base/hash_map.h"
#include "coverage/store/old_program.h"

namespace rejig::coverage {
namespace {

using base::HashMap;
using classfile::Atom;
using classfile::AtomKind;

struct AtomText {
  AtomKind kind = AtomKind::kMethod;
  std::string_view text;

  friend bool operator==(const AtomText&, const AtomText&) = default;
  friend auto operator<=>(const AtomText&, const AtomText&) = default;
};

using FactMap =
    std::map<std::string, std::map<base::Digest256, std::string>, std::less<>>;

// Everything in memory, atom by atom; rows are transposed when first asked for.
class MemoryMatrix : public Matrix {
 public:
  std::size_t row_count() const override { return rows_.size(); }
  std::size_t atom_count() const override { return atoms_.size(); }
  std::uint64_t pair_count() const override { return postings_.size(); }
  bool has_digests() const override { return !classes_.empty(); }
  base::Result<std::span<const Row>> rows() override {
    return std::span<const Row>(rows_);
  }
  base::Result<AtomId> find_atom(const Atom& atom) override {
    const AtomText key{atom.kind, atom.text};
    const auto at = std::lower_bound(atoms_.begin(), atoms_.end(), key);
    if (at == atoms_.end() || *at != key) return AtomId::none();
    return AtomId::of(static_cast<std::size_t>(at - atoms_.begin()));
  }
  base::Result<Atom> atom(AtomId id) override {
    const auto& found = atoms_[id.index()];
    return Atom{found.kind, std::string(found.text)};
  }
  base::Result<void> each_atom(
      AtomKind kind, std::string_view prefix,
      const std::function<void(AtomId, std::string_view)>& visit) override {
    auto at =
        std::lower_bound(atoms_.begin(), atoms_.end(), AtomText{kind, prefix});
    for (;
         at != atoms_.end() && at->kind == kind && at->text.starts_with(prefix);
         ++at) {
      visit(AtomId::of(static_cast<std::size_t>(at - atoms_.begin())),
            at->text);
    }
    return {};
  }
  base::Result<void> append_rows_with(AtomId id,
                                      std::vector<RowId>& rows) override {
    const auto list = posting(id.index());
    rows.insert(rows.end(), list.begin(), list.end());
    return {};
  }
  base::Result<std::vector<AtomId>> atoms_of(RowId row) override {
    transpose();
    const auto from = row_atoms_.begin();
    return std::vector<AtomId>(
        from + static_cast<std::ptrdiff_t>(row_begin_[row.index()]),
        from + static_cast<std::ptrdiff_t>(row_begin_[row.index() + 1]));
  }
  base::Result<std::span<const ClassDigest>> classes() override {
    return std::span<const ClassDigest>(classes_);
  }
  base::Result<std::span<const EnvironmentEntry>> environment() override {
    return std::span<const EnvironmentEntry>(environment_);
  }
  base::Result<std::vector<std::string>> facts(std::string_view name) override {
    std::vector<std::string> out;
    const auto at = facts_.find(name);
    if (at == facts_.end()) return out;
    for (const auto& [digest, bytes] : at->second) out.push_back(bytes);
    return out;
  }
  base::Result<std::vector<std::string>> fact_names(
      std::string_view prefix) override {
    std::vector<std::string> out;
    for (auto at = facts_.lower_bound(prefix);
         at != facts_.end() && at->first.starts_with(prefix); ++at) {
      out.push_back(at->first);
    }
    return out;
  }

 private:
  friend class rejig::coverage::MatrixBuilder;

  std::span<const RowId> posting(std::size_t atom) const {
    return std::span<const RowId>(postings_).subspan(
        begin_[atom], begin_[atom + 1] - begin_[atom]);
  }
  void transpose() {
    if (!row_begin_.empty()) return;
    row_begin_.assign(rows_.size() + 1, 0);
    for (const RowId row : postings_) ++row_begin_[row.index() + 1];
    for (std::size_t i = 1; i < row_begin_.size(); ++i) {
      row_begin_[i] += row_begin_[i - 1];
    }
    auto next = row_begin_;
    row_atoms_.resize(postings_.size());
    for (std::size_t a = 0; a < atoms_.size(); ++a) {
      for (const RowId row : posting(a)) {
        row_atoms_[next[row.index()]++] = AtomId::of(a);
      }
    }
  }

  base::Arena text_;
  std::vector<Row> rows_;
  std::vector<AtomText> atoms_;
  std::vector<std::size_t> begin_;  // of each atom's rows in postings_
  std::vector<RowId> postings_;
  std::vector<std::size_t> row_begin_;
  std::vector<AtomId> row_atoms_;
  std::vector<ClassDigest> classes_;
  std::vector<EnvironmentEntry> environment_;
  FactMap facts_;
};

struct PendingRow {
  Row row;
  std::vector<MatrixBuilder::LocalAtom> atoms;
};

}  // namespace

struct MatrixBuilder::State {
  base::Arena text;
  std::array<HashMap<std::string_view, LocalAtom>, classfile::kAtomKinds> known;
  std::vector<AtomText> atoms;
  HashMap<std::pair<std::uint32_t, std::string_view>, std::uint32_t> row_of;
  HashMap<std::string_view, std::uint32_t> suites;
  std::vector<std::string_view> suite_names;
  std::vector<PendingRow> rows;
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

void MatrixBuilder::add_row(const Row& row, std::vector<LocalAtom> atoms) {
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
    into.atoms = std::move(atoms);
    return;
  }
  into.row.grade = std::max(into.row.grade, row.grade);
  into.row.result = std::max(into.row.result, row.result);
  into.row.ms = std::max(into.row.ms, row.ms);
  into.row.facts = into.row.facts & facts;
  into.atoms.insert(into.atoms.end(), atoms.begin(), atoms.end());
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

void MatrixBuilder::add_facts(std::string_view name, std::string_view bytes) {
  state_->facts[std::string(name)].try_emplace(base::digest256(bytes), bytes);
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

base::Result<void> MatrixBuilder::add(Matrix& other) {
  REJIG_TRY(const auto rows, other.rows());
  std::vector<std::vector<LocalAtom>> atoms(rows.size());
  std::vector<LocalAtom> local(other.atom_count());
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    REJIG_TRY_VOID(other.each_atom(kind, "", [&](AtomId id, auto text) {
      local[id.index()] = intern(kind, text);
    }));
  }
  std::vector<RowId> having;
  for (std::size_t a = 0; a < local.size(); ++a) {
    having.clear();
    REJIG_TRY_VOID(other.append_rows_with(AtomId::of(a), having));
    for (const RowId row : having) atoms[row.index()].push_back(local[a]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_row(rows[i], std::move(atoms[i]));
  }
  REJIG_TRY(const auto classes, other.classes());
  for (const auto& c : classes) add_class(c.name, c.digest);
  REJIG_TRY(const auto environment, other.environment());
  for (const auto& e : environment) add_environment(e.key, e.value);
  REJIG_TRY(const auto names, other.fact_names(""));
  for (const auto& name : names) {
    REJIG_TRY(const auto contents, other.facts(name));
    for (const auto& bytes : contents) add_facts(name, bytes);
  }
  return {};
}

std::unique_ptr<Matrix> MatrixBuilder::finish() {
  State from = std::move(*state_);
  *state_ = State();
  auto out = std::make_unique<MemoryMatrix>();

  // Atoms that some row has, in order; rank[local] is the AtomId.
  std::vector<std::size_t> uses(from.atoms.size(), 0);
  for (const auto& row : from.rows) {
    for (const LocalAtom atom : row.atoms) ++uses[atom];
  }
  std::vector<LocalAtom> order;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] != 0) order.push_back(static_cast<LocalAtom>(i));
  }
  std::sort(order.begin(), order.end(), [&](LocalAtom a, LocalAtom b) {
    return from.atoms[a] < from.atoms[b];
  });
  std::vector<std::uint32_t> rank(from.atoms.size(), 0);
  out->begin_.assign(order.size() + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<std::uint32_t>(i);
    out->begin_[i + 1] = out->begin_[i] + uses[order[i]];
    out->atoms_.push_back(from.atoms[order[i]]);
  }

  std::sort(from.rows.begin(), from.rows.end(),
            [](const PendingRow& a, const PendingRow& b) {
              return std::tie(a.row.suite, a.row.test) <
                     std::tie(b.row.suite, b.row.test);
            });
  std::vector<std::size_t> end(out->begin_.begin(), out->begin_.end() - 1);
  out->postings_.resize(out->begin_.back());
  for (auto& pending : from.rows) {
    const RowId row = RowId::of(out->rows_.size());
    out->rows_.push_back(pending.row);
    for (const LocalAtom atom : pending.atoms) {
      const std::size_t a = rank[atom];
      if (end[a] > out->begin_[a] && out->postings_[end[a] - 1] == row)
        continue;
      out->postings_[end[a]++] = row;
    }
    std::vector<LocalAtom>().swap(pending.atoms);
  }
  // Closes the gaps that atoms given twice for one row left.
  std::size_t to = 0;
  for (std::size_t a = 0; a < order.size(); ++a) {
    const std::size_t begin = out->begin_[a];
    out->begin_[a] = to;
    for (std::size_t i = begin; i < end[a]; ++i) {
      out->postings_[to++] = out->postings_[i];
    }
  }
  out->begin_.back() = to;
  out->postings_.resize(to);

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
