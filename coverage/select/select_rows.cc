// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/select_rows.h"

#include <algorithm>
#include <utility>

#include "coverage/select/adaptor.h"

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Conjunction;

namespace {

constexpr std::size_t kCacheBytes = std::size_t{32} << 20;

// The internal class that an atom speaks about; empty when there is none.
std::string_view class_of(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kMethod:
    case AtomKind::kEdge:
      return class_of_method(atom.text);
    case AtomKind::kRecv: {
      const auto bar = atom.text.find('|');
      return class_of_method(std::string_view(atom.text).substr(bar + 1));
    }
    case AtomKind::kInst:
    case AtomKind::kInit:
    case AtomKind::kLoad:
      return atom.text;
    case AtomKind::kRefl:
      return classfile::reflected_class(atom.text);
    default:
      return {};
  }
}

void add(Verdict& to, const Verdict& from, const RowSet& among) {
  RowSet part = from.yes;
  part &= among;
  to.yes |= part;
  part = from.unknown;
  part &= among;
  to.unknown |= part;
}

}  // namespace

base::Result<std::vector<std::string>> classes_that_are_not(
    Matrix& matrix,
    const std::function<bool(std::string_view, std::string_view)>& is_old) {
  REJIG_TRY(const auto classes, matrix.classes());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < classes.size();) {
    std::size_t end = i + 1;
    while (end < classes.size() && classes[end].name == classes[i].name) ++end;
    if (end != i + 1 || !is_old(classes[i].name, classes[i].digest)) {
      out.emplace_back(classes[i].name);
    }
    i = end;
  }
  return out;
}

base::Result<RowOracle> RowOracle::make(Matrix& matrix,
                                        classfile::Implied implied,
                                        Facts assumed_absent) {
  RowOracle out;
  out.matrix_ = &matrix;
  out.implied_ = std::move(implied);
  out.assumed_absent_ = assumed_absent;
  REJIG_TRY(const auto rows, matrix.rows());
  // Most rows have recorded most kinds.
  out.recording_.assign(classfile::kAtomKinds, RowSet::all(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].facts == Facts::all()) continue;
    for (std::size_t kind = 0; kind < classfile::kAtomKinds; ++kind) {
      if (!rows[i].recorded(static_cast<AtomKind>(kind))) {
        out.recording_[kind].erase(RowId::of(i));
      }
    }
  }
  if (!matrix.has_digests()) {
    out.recording_[static_cast<std::size_t>(AtomKind::kEdge)] =
        RowSet(rows.size());
  }
  return out;
}

base::Result<void> RowOracle::sort_tests() {
  REJIG_TRY(const auto rows, matrix_->rows());
  if (by_test_.size() == rows.size()) return {};
  by_test_.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    by_test_.emplace_back(rows[i].test, RowId::of(i));
  }
  std::sort(by_test_.begin(), by_test_.end());
  return {};
}

base::Result<Verdict> RowOracle::rows_for(const Atom& atom) {
  const std::string key = classfile::to_string(atom);
  if (const Verdict* known = cache_.find(key)) return *known;
  REJIG_TRY(Verdict out, ask(atom));
  const std::size_t bytes = out.yes.room() / 4 + key.size();
  if (cached_bytes_ + bytes <= kCacheBytes) {
    cached_bytes_ += bytes;
    cache_[key] = out;
  }
  return out;
}

base::Result<Verdict> RowOracle::rows_for(const Conjunction& item) {
  const std::size_t rows = matrix_->row_count();
  Verdict out{RowSet::all(rows), RowSet(rows)};
  for (const auto& atom : item) {
    REJIG_TRY(const Verdict one, rows_for(atom));
    out.yes &= one.yes;
    out.unknown |= one.unknown;
    if (out.yes.empty()) break;
  }
  out.unknown &= out.yes;
  return out;
}

base::Result<Verdict> RowOracle::ask(const Atom& atom) {
  const std::size_t rows = matrix_->row_count();
  Verdict out{RowSet(rows), RowSet(rows)};
  if (atom.kind == AtomKind::kTest) {
    REJIG_TRY_VOID(sort_tests());
    out.yes = of_test(atom.text);
    return out;
  }
  if (atom.kind == AtomKind::kTestClass) {
    REJIG_TRY_VOID(sort_tests());
    out.yes = of_test_class(atom.text);
    return out;
  }
  REJIG_TRY_VOID(matrix_->add_rows_with(atom, out.yes));
  RowSet rest = recording_[static_cast<std::size_t>(atom.kind)];
  rest |= out.yes;
  rest.complement();
  if (!rest.empty()) REJIG_TRY_VOID(ask_unrecorded(atom, rest, out));
  REJIG_TRY_VOID(add_untouched(atom, out));
  return out;
}

base::Result<void> RowOracle::ask_unrecorded(const Atom& atom,
                                             const RowSet& rest, Verdict& out) {
  if (atom.kind == AtomKind::kRecv) {
    const auto bar = atom.text.find('|');
    const Conjunction weaker = {
        method_atom(std::string_view(atom.text).substr(bar + 1)),
        {AtomKind::kInst, atom.text.substr(0, bar)}};
    REJIG_TRY(const Verdict both, rows_for(weaker));
    add(out, both, rest);
    return {};
  }
  if (atom.kind == AtomKind::kEdge) {
    const auto mark = atom.text.rfind('#');
    REJIG_TRY(
        const Verdict method,
        rows_for(method_atom(std::string_view(atom.text).substr(0, mark))));
    add(out, method, rest);
    return {};
  }
  RowSet left = rest;
  if (atom.kind == AtomKind::kInit || atom.kind == AtomKind::kLoad) {
    // Reflection loads and initializes classes that no method of the row
    // mentions.
    REJIG_TRY(const RowSet reflecting,
              matrix_->rows_with(Atom{AtomKind::kRefl, atom.text}));
    add(out, {reflecting, RowSet(reflecting.room())}, left);
    left -= reflecting;
    RowSet silent = left;
    silent -= recording_[static_cast<std::size_t>(AtomKind::kRefl)];
    if (assumed_absent_.has(AtomKind::kRefl)) {
      if (!silent.empty()) assumed_ = assumed_.with(AtomKind::kRefl);
    } else {
      out.yes |= silent;
      out.unknown |= silent;
      left -= silent;
    }
  }
  if (atom.kind != AtomKind::kMethod && implied_) {
    if (const auto methods = implied_(atom)) {
      for (const auto& name : *methods) {
        REJIG_TRY(const Verdict method,
                  rows_for(Atom{AtomKind::kMethod, name}));
        add(out, method, left);
      }
      return {};
    }
  }
  if (assumed_absent_.has(atom.kind)) {
    assumed_ = assumed_.with(atom.kind);
    return {};
  }
  out.yes |= left;
  out.unknown |= left;
  return {};
}

// A class that was external to the recorder has no probes; whoever loaded it
// may have done anything with it.
// And whoever loaded a class as an internal one loaded it, when it counts as an
// external one now.
base::Result<void> RowOracle::add_untouched(const Atom& atom, Verdict& out) {
  if (atom.kind == AtomKind::kExt) {
    REJIG_TRY(const RowSet internal,
              matrix_->rows_with(Atom{AtomKind::kLoad, atom.text}));
    out.yes |= internal;
    return {};
  }
  const auto name = class_of(atom);
  if (name.empty()) return {};
  REJIG_TRY(RowSet loaded,
            matrix_->rows_with(Atom{AtomKind::kExt, std::string(name)}));
  loaded -= out.yes;
  out.yes |= loaded;
  out.unknown |= loaded;
  return {};
}

RowSet RowOracle::of_test(std::string_view id) const {
  RowSet out(matrix_->row_count());
  auto at = std::lower_bound(by_test_.begin(), by_test_.end(), id,
                             [](const auto& entry, std::string_view key) {
                               return entry.first < key;
                             });
  for (; at != by_test_.end() && at->first == id; ++at) out.insert(at->second);
  return out;
}

// The class itself and the classes nested in it, whose tests run its fixtures.
RowSet RowOracle::of_test_class(std::string_view name) const {
  RowSet out(matrix_->row_count());
  auto at = std::lower_bound(by_test_.begin(), by_test_.end(), name,
                             [](const auto& entry, std::string_view key) {
                               return entry.first < key;
                             });
  for (; at != by_test_.end() && at->first.starts_with(name); ++at) {
    const auto rest = at->first.substr(name.size());
    if (rest.empty() || rest.front() == '#' || rest.front() == '$') {
      out.insert(at->second);
    }
  }
  return out;
}

base::Result<void> add_touching(Matrix& matrix, std::string_view name,
                                RowSet& touched) {
  std::vector<AtomId> found;
  const std::string dot = std::string(name) + ".";
  for (const auto kind : {AtomKind::kMethod, AtomKind::kEdge}) {
    REJIG_TRY_VOID(
        matrix.each_atom(kind, dot, [&](AtomId id, std::string_view text) {
          if (class_of_method(text) == name) found.push_back(id);
        }));
  }
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kRecv, std::string(name) + "|",
      [&](AtomId id, std::string_view) { found.push_back(id); }));
  for (const auto kind :
       {AtomKind::kInst, AtomKind::kInit, AtomKind::kLoad, AtomKind::kRefl}) {
    REJIG_TRY(const AtomId id,
              matrix.find_atom(Atom{kind, std::string(name)}));
    if (id) found.push_back(id);
  }
  REJIG_TRY(const AtomId asked,
            matrix.find_atom(
                Atom{AtomKind::kRefl, classfile::kind_asked(name)}));
  if (asked) found.push_back(asked);
  for (const auto id : found) {
    REJIG_TRY_VOID(matrix.add_rows_with(id, touched));
  }
  return {};
}

}  // namespace rejig::coverage
