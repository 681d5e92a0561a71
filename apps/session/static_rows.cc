// SPDX-License-Identifier: Apache-2.0
#include "apps/session/static_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "classfile/words/entity.h"
#include "coverage/select/adaptor.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::app {

using base::Errc;
using base::Error;
using classfile::Atom;
using classfile::AtomKind;
using coverage::AtomId;
using coverage::Facts;
using coverage::MatrixBuilder;
using coverage::Row;
using coverage::RowId;

namespace {

// Tests times methods, beyond which the rows do not fit into memory.
constexpr std::uint64_t kMostPairs = 200'000'000;

base::Result<void> check_size(std::size_t tests, std::size_t methods) {
  if (std::uint64_t{tests} * methods <= kMostPairs) return {};
  return Error{Errc::kLimit,
               std::to_string(tests) + " tests times " +
                   std::to_string(methods) +
                   " methods are too many for this view",
               ""};
}

// Methods by number in the graph, as atoms of a builder.
std::vector<MatrixBuilder::LocalAtom> intern_all(const Reach& reach,
                                                 MatrixBuilder& builder) {
  std::vector<MatrixBuilder::LocalAtom> out;
  for (const auto& entity : reach.entities()) {
    out.push_back(builder.intern(AtomKind::kMethod, entity));
  }
  return out;
}

base::Result<void> copy_origin(coverage::Matrix& from, MatrixBuilder& to) {
  REJIG_TRY(const auto classes, from.classes());
  for (const auto& c : classes) to.add_class(c.name, c.digest);
  REJIG_TRY(const auto environment, from.environment());
  for (const auto& e : environment) to.add_environment(e.key, e.value);
  return {};
}

// The rows of the matrix, each with its atoms, read atom by atom.
base::Result<std::vector<std::vector<Atom>>> atoms_by_row(
    coverage::Matrix& matrix) {
  std::vector<std::vector<Atom>> out(matrix.row_count());
  std::vector<std::pair<AtomId, Atom>> all;
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    REJIG_TRY_VOID(matrix.each_atom(kind, "", [&](AtomId id, auto text) {
      all.emplace_back(id, Atom{kind, std::string(text)});
    }));
  }
  std::vector<RowId> rows;
  for (const auto& [id, atom] : all) {
    rows.clear();
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    for (const RowId row : rows) out[row.index()].push_back(atom);
  }
  return out;
}

}  // namespace

base::Result<std::unique_ptr<coverage::Matrix>> static_rows(
    const OldWorld& old, coverage::Matrix* recorded,
    const std::string& default_suite, base::ThreadPool& pool) {
  Reach reach(old, pool);
  REJIG_TRY_VOID(check_size(old.tests->size(), reach.methods()));
  MatrixBuilder builder;
  const auto atoms = intern_all(reach, builder);
  std::multimap<std::string, Row> known;
  if (recorded != nullptr) {
    REJIG_TRY(const auto rows, recorded->rows());
    for (const auto& row : rows) known.emplace(row.test, row);
  }
  std::set<std::string> ids;
  for (const auto& test : *old.tests) ids.insert(test.id);
  for (const auto& id : ids) {
    const auto answer = reach.from(id, nullptr);
    std::vector<MatrixBuilder::LocalAtom> own;
    if (answer.reflects) {
      own = atoms;
    } else {
      for (const auto method : answer.methods) own.push_back(atoms[method]);
    }
    const auto add = [&](std::string_view suite, coverage::Outcome result) {
      Row row;
      row.suite = suite;
      row.test = id;
      row.grade = coverage::Grade::kComplete;
      row.result = result;
      row.facts = Facts().with(AtomKind::kMethod);
      // Nothing looked at a class, a resource or a stack trace.
      if (answer.quiet) {
        for (const AtomKind kind : {AtomKind::kRefl, AtomKind::kMiss,
                                    AtomKind::kRes, AtomKind::kResMiss}) {
          row.facts = row.facts.with(kind);
        }
        if (!answer.sees_exceptions) {
          row.facts = row.facts.with(AtomKind::kStackApi);
        }
      }
      builder.add_row(row, own);
    };
    const auto [begin, end] = known.equal_range(id);
    for (auto at = begin; at != end; ++at) {
      add(at->second.suite, at->second.result);
    }
    if (begin == end) add(default_suite, coverage::Outcome::kPass);
  }
  // What was recorded and is no test of OLD that can be found, such as a whole
  // class for tests whose names say too little: nobody knows what it reaches.
  for (const auto& [id, one] : known) {
    if (ids.count(id) != 0) continue;
    Row row = one;
    row.grade = coverage::Grade::kPartial;
    builder.add_row(row, std::vector<MatrixBuilder::LocalAtom>());
  }
  return builder.finish();
}

base::Result<std::unique_ptr<coverage::Matrix>> hybrid_rows(
    const OldWorld& old, coverage::Matrix& recorded, base::ThreadPool& pool) {
  Reach reach(old, pool);
  REJIG_TRY(const auto rows, recorded.rows());
  REJIG_TRY_VOID(check_size(rows.size(), reach.methods()));
  REJIG_TRY(const auto by_row, atoms_by_row(recorded));
  MatrixBuilder builder;
  const auto atoms = intern_all(reach, builder);
  REJIG_TRY_VOID(copy_origin(recorded, builder));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = rows[i];
    std::set<std::string, std::less<>> touched;
    std::set<std::string, std::less<>> reflected;
    std::vector<MatrixBuilder::LocalAtom> own;
    for (const auto& atom : by_row[i]) {
      if (atom.kind != AtomKind::kRecv && atom.kind != AtomKind::kEdge) {
        own.push_back(builder.intern(atom));
      }
      if (atom.kind == AtomKind::kMethod) {
        touched.emplace(coverage::class_of_method(atom.text));
      } else if (atom.kind == AtomKind::kLoad || atom.kind == AtomKind::kInit ||
                 atom.kind == AtomKind::kInst) {
        touched.insert(atom.text);
      } else if (atom.kind == AtomKind::kRefl) {
        const auto name = classfile::reflected_class(atom.text);
        touched.emplace(name);
        if (name == atom.text) reflected.emplace(name);
      }
    }
    // Without loads only what the graph says bounds the classes.
    const bool bounded = row.recorded(AtomKind::kLoad);
    const bool saw_reflection = row.recorded(AtomKind::kRefl);
    const auto inside = [&](std::string_view owner) {
      return !bounded || touched.contains(owner);
    };
    const auto answer = reach.from(std::string(row.test), inside, touched);
    const bool anything = answer.reflects && !saw_reflection;
    for (const auto method : answer.methods) own.push_back(atoms[method]);
    for (std::uint32_t m = 0; m < reach.methods(); ++m) {
      const auto owner = reach.owner(m);
      if (reflected.contains(owner) || (anything && inside(owner))) {
        own.push_back(atoms[m]);
      }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    Facts facts = Facts().with(AtomKind::kMethod);
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      const auto kind = static_cast<AtomKind>(k);
      if (kind != AtomKind::kRecv && kind != AtomKind::kEdge &&
          row.recorded(kind)) {
        facts = facts.with(kind);
      }
    }
    row.facts = facts;
    builder.add_row(row, std::move(own));
  }
  return builder.finish();
}

}  // namespace rejig::app
