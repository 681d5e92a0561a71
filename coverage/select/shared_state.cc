// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/shared_state.h"

#include <algorithm>
#include <map>
#include <utility>

#include "coverage/select/adaptor.h"

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;

namespace {

void unite(std::vector<RowId>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

bool has_row(const std::vector<RowId>& rows, RowId row) {
  return std::binary_search(rows.begin(), rows.end(), row);
}

base::Result<void> add_rows(Matrix& matrix, AtomKind kind, std::string text,
                            std::vector<RowId>& rows) {
  REJIG_TRY(const AtomId id, matrix.find_atom(Atom{kind, std::move(text)}));
  if (id) REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
  return {};
}

base::Result<void> add_rows_below(Matrix& matrix, AtomKind kind,
                                  std::string_view prefix,
                                  std::vector<RowId>& rows) {
  std::vector<AtomId> atoms;
  REJIG_TRY_VOID(matrix.each_atom(
      kind, prefix, [&](AtomId id, std::string_view) { atoms.push_back(id); }));
  for (const AtomId id : atoms) {
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
  }
  return {};
}

constexpr std::string_view kBorrowed = "borrowed ";
constexpr std::string_view kAnything = "kept anywhere";

// What so many tests leave in a library is its cache.
constexpr std::size_t kMostFillers = 8;

base::Result<bool> is_of_library(Matrix& matrix, const std::string& what) {
  if (what.find(' ') != std::string::npos) return false;
  REJIG_TRY(const AtomId id, matrix.find_atom(Atom{AtomKind::kExt, what}));
  return static_cast<bool>(id);
}

}  // namespace

base::Result<std::vector<RowId>> SharedState::who_meets(
    Matrix& matrix, std::string_view what) {
  std::vector<RowId> rows;
  std::vector<AtomId> atoms;
  const std::string text(what);
  if (what == kAnything) {
    REJIG_TRY_VOID(add_rows_below(matrix, AtomKind::kState, {}, rows));
    unite(rows);
    return rows;
  }
  if (what.starts_with("jvm ")) {
    for (std::size_t i = 0; i < matrix.row_count(); ++i) {
      rows.push_back(RowId::of(i));
    }
    return rows;
  }
  REJIG_TRY_VOID(add_rows(matrix, AtomKind::kState, text, rows));
  if (what.starts_with("property ")) {
    REJIG_TRY_VOID(add_rows(matrix, AtomKind::kState, "kept properties", rows));
  } else if (what == "kept properties") {
    // But for what JUnit asks before each test.
    REJIG_TRY_VOID(matrix.each_atom(
        AtomKind::kState, "property ",
        [&](AtomId id, std::string_view property) {
          if (!property.starts_with("property junit.")) atoms.push_back(id);
        }));
  } else if (what == "kept files") {
    // Files that are on no class path have a state.
    for (const std::string_view look :
         {"file:", "look:", "mode:", "there:", "real:", "make:"}) {
      REJIG_TRY_VOID(add_rows_below(matrix, AtomKind::kRes, look, rows));
    }
  } else if (what.starts_with("file ")) {
    // Whoever looked at it, listed the folder that it is in, or looked at
    // something below it.
    const std::string path = text.substr(5);
    for (const auto kind : {AtomKind::kRes, AtomKind::kResMiss}) {
      REJIG_TRY_VOID(add_rows(matrix, kind, path, rows));
      REJIG_TRY_VOID(add_rows_below(matrix, kind, path + "/", rows));
    }
    const auto slash = path.rfind('/');
    REJIG_TRY_VOID(add_rows(
        matrix, AtomKind::kRes,
        slash == std::string::npos ? "/" : path.substr(0, slash + 1), rows));
  } else if (what.starts_with("archive ")) {
    // Who opened it; that a runner asks whether it is there says nothing.
    const std::string path = ":" + text.substr(8);
    for (const std::string_view look : {"file:", "look:", "mode:"}) {
      REJIG_TRY_VOID(matrix.each_atom(
          AtomKind::kRes, look, [&](AtomId id, std::string_view file) {
            if (file.ends_with(path)) atoms.push_back(id);
          }));
    }
  } else if (what.starts_with("library ")) {
    // Whatever it keeps, wherever.
    REJIG_TRY_VOID(add_rows(matrix, AtomKind::kExt, text.substr(8), rows));
  }
  for (const AtomId id : atoms) {
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
  }
  unite(rows);
  return rows;
}

base::Result<void> SharedState::add_meeting(Matrix& matrix,
                                            std::string_view what,
                                            RowSet& rows) {
  REJIG_TRY(const RowSet telling, matrix.rows_recording(AtomKind::kState));
  REJIG_TRY(const auto meeting, who_meets(matrix, what));
  for (const RowId row : meeting) {
    if (telling.contains(row)) rows.insert(row);
  }
  return {};
}

base::Result<void> SharedState::add_leaving(Matrix& matrix,
                                            std::string_view state,
                                            RowSet& rows) {
  std::vector<RowId> all;
  if (!state.ends_with(' ')) {
    REJIG_TRY_VOID(
        add_rows(matrix, AtomKind::kLeft, std::string(state), all));
  }
  const std::string text =
      state.ends_with(' ') ? std::string(state) : std::string(state) + "|";
  REJIG_TRY_VOID(add_rows_below(matrix, AtomKind::kLeft, text, all));
  for (const RowId row : all) rows.insert(row);
  return {};
}

base::Result<SharedState> SharedState::read(Matrix& matrix, Runs runs) {
  SharedState out;
  out.runs_ = std::move(runs);
  std::vector<std::pair<AtomId, std::string>> atoms;
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kLeft, {}, [&](AtomId id, std::string_view text) {
        atoms.emplace_back(id, std::string(text));
      }));
  for (const auto& [id, text] : atoms) {
    const auto what = classfile::left_in(text);
    if (out.states_.empty() || out.states_.back().what != what) {
      out.states_.push_back({std::string(what), {}, {}, {}, {}, false, false});
      REJIG_TRY(out.states_.back().met, who_meets(matrix, what));
    }
    State& state = out.states_.back();
    std::vector<RowId> rows;
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    state.left.insert(state.left.end(), rows.begin(), rows.end());
    if (what.size() == text.size()) continue;
    Way way;
    REJIG_TRY(way.method,
              matrix.find_atom(method_atom(
                  std::string_view(text).substr(what.size() + 1))));
    way.has_method = static_cast<bool>(way.method);
    way.rows = std::move(rows);
    state.ways.push_back(std::move(way));
  }
  for (State& state : out.states_) {
    unite(state.left);
    REJIG_TRY(const bool library, is_of_library(matrix, state.what));
    state.is_cache =
        library && state.left.size() > kMostFillers * out.runs_.count;
  }
  REJIG_TRY_VOID(out.read_writers(matrix));
  REJIG_TRY_VOID(out.read_borrowed(matrix));
  return out;
}

base::Result<void> SharedState::read_writers(Matrix& matrix) {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < states_.size(); ++i) known[states_[i].what] = i;
  std::vector<std::pair<AtomId, std::string>> atoms;
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kState, "may ", [&](AtomId id, std::string_view text) {
        atoms.emplace_back(id, std::string(text.substr(4)));
      }));
  // A mark that somebody left is there already.
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kState, "mark ", [&](AtomId id, std::string_view text) {
        const std::string what(text.substr(5));
        if (!known.contains(what)) atoms.emplace_back(id, what);
      }));
  for (const auto& [id, what] : atoms) {
    auto at = known.find(what);
    if (at == known.end()) {
      at = known.emplace(what, states_.size()).first;
      states_.push_back({what, {}, {}, {}, {}, false, false});
      REJIG_TRY(states_.back().met, who_meets(matrix, what));
    }
    State& state = states_[at->second];
    REJIG_TRY_VOID(matrix.append_rows_with(id, state.may_leave));
  }
  return {};
}

base::Result<SharedState::State*> SharedState::state_of(
    Matrix& matrix, const std::string& what) {
  for (State& state : states_) {
    if (state.what == what) return &state;
  }
  states_.push_back({what, {}, {}, {}, {}, false, false});
  REJIG_TRY(states_.back().met, who_meets(matrix, what));
  return &states_.back();
}

base::Result<void> SharedState::read_ways(
    Matrix& matrix, const classfile::MayLeave& may_leave) {
  if (!may_leave) return {};
  std::set<std::string> met;
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kState, {}, [&](AtomId, std::string_view text) {
        if (text.find(' ') == std::string_view::npos) met.emplace(text);
      }));
  for (const std::string_view kept :
       {"kept properties", "kept locale", "kept time zone", "kept drivers",
        "kept logging", "kept preferences", "kept beans"}) {
    REJIG_TRY(const auto rows, who_meets(matrix, kept));
    if (!rows.empty()) met.emplace(kept);
  }
  if (met.empty()) return {};
  REJIG_TRY(const auto all, matrix.rows());
  std::set<std::string> tests;
  for (const auto& row : all) tests.emplace(row.test_class());
  const auto leaving = may_leave(met, tests);
  std::set<std::string_view> known;  // of the program
  for (const auto& [cls, below] : leaving.tests_of) {
    known.insert(below.begin(), below.end());
  }
  // What ran for all tests meets no changed code, else they all do. What a test
  // does itself begins in its class, if it has one.
  const auto is_own = [&](const std::string& method, RowId row) {
    const auto test = all[row.index()].test_class();
    const auto own = leaving.tests_of.find(
        method.substr(0, method.rfind('.', method.find('('))));
    return own != leaving.tests_of.end()
               ? own->second.contains(std::string(test))
               : !known.contains(test);
  };
  std::vector<std::optional<std::vector<RowId>>> entering(
      leaving.methods.size());
  const auto own_rows = [&](std::uint32_t m) -> base::Result<std::vector<RowId>*> {
    if (!entering[m]) {
      auto& rows = entering[m].emplace();
      REJIG_TRY(const AtomId atom,
                matrix.find_atom(method_atom(leaving.methods[m])));
      if (atom) REJIG_TRY_VOID(matrix.append_rows_with(atom, rows));
      // What few enter, on whatever way (a callback of the JDK), they enter
      // themselves.
      const bool few = 2 * rows.size() <= all.size();
      std::erase_if(rows, [&](RowId row) {
        return !few && !is_own(leaving.methods[m], row);
      });
    }
    return &*entering[m];
  };
  for (const auto& way : leaving.ways) {
    REJIG_TRY(State * state, state_of(matrix, way.state));
    if (way.constant && !state->left.empty()) continue;
    RowSet rows(matrix.row_count());
    for (const auto m : way.from) {
      REJIG_TRY(const auto* own, own_rows(m));
      for (const RowId row : *own) rows.insert(row);
    }
    // Who entered it says itself what it left, and may leave.
    RowSet entered(matrix.row_count());
    REJIG_TRY(const AtomId atom,
              matrix.find_atom(method_atom(leaving.methods[way.leaves])));
    if (atom) REJIG_TRY_VOID(matrix.add_rows_with(atom, entered));
    rows -= entered;
    rows.each([&](RowId row) { state->may_leave.push_back(row); });
  }
  return {};
}

base::Result<void> SharedState::read_borrowed(Matrix& matrix) {
  std::vector<std::pair<AtomId, std::string>> atoms;
  REJIG_TRY_VOID(matrix.each_atom(
      AtomKind::kState, kBorrowed, [&](AtomId id, std::string_view text) {
        atoms.emplace_back(id, std::string(text));
      }));
  for (const auto& [id, text] : atoms) {
    State state{text, {}, {}, {}, {}, true, false};
    REJIG_TRY_VOID(matrix.append_rows_with(id, state.met));
    unite(state.met);
    const std::string maker = text.substr(kBorrowed.size());
    constexpr std::string_view kConstructor = ".<init>";
    constexpr std::string_view kInitializer = ".<clinit>";
    REJIG_TRY_VOID(
        add_rows_below(matrix, AtomKind::kMethod, maker + "(", state.left));
    if (maker.ends_with(kConstructor)) {
      REJIG_TRY_VOID(
          add_rows(matrix, AtomKind::kInst,
                   maker.substr(0, maker.size() - kConstructor.size()),
                   state.left));
    } else if (maker.ends_with(kInitializer)) {
      REJIG_TRY_VOID(
          add_rows(matrix, AtomKind::kInit,
                   maker.substr(0, maker.size() - kInitializer.size()),
                   state.left));
    }
    unite(state.left);
    Way way;
    way.rows = state.left;
    state.ways.push_back(std::move(way));
    states_.push_back(std::move(state));
  }
  return {};
}

bool SharedState::is_explained(const State& borrowed, RowId reader) const {
  return std::any_of(states_.begin(), states_.end(), [&](const State& one) {
    return !one.is_borrowed && one.what.find(' ') == std::string::npos &&
           has_row(one.met, reader) &&
           std::any_of(one.left.begin(), one.left.end(), [&](RowId maker) {
             return maker != reader && is_one_run(maker, reader) &&
                    has_row(borrowed.left, maker);
           });
  });
}

base::Result<void> SharedState::pass_on(
    Matrix& matrix,
    const std::function<bool(RowId, std::string_view)>& may_leave_otherwise,
    const std::function<bool(RowId)>& changed,
    const std::function<void(RowId, RowId, std::string_view)>& met) const {
  for (const State& state : states_) {
    const auto changes = [&](RowId row) {
      return may_leave_otherwise(row, state.what);
    };
    if (state.is_cache) {
      REJIG_TRY_VOID(pass_on_cache(matrix, state, changes, met));
      continue;
    }
    auto from = std::find_if(state.left.begin(), state.left.end(), changes);
    if (from == state.left.end()) {
      from = std::find_if(state.may_leave.begin(), state.may_leave.end(),
                          changed);
      if (from == state.may_leave.end()) continue;
    }
    for (const RowId to : state.met) met(*from, to, state.what);
  }
  return {};
}

base::Result<void> SharedState::pass_on_cache(
    Matrix& matrix, const State& state,
    const std::function<bool(RowId)>& changes,
    const std::function<void(RowId, RowId, std::string_view)>& met) const {
  for (const Way& way : state.ways) {
    const auto from = std::find_if(way.rows.begin(), way.rows.end(), changes);
    if (from == way.rows.end()) continue;
    RowSet enters(matrix.row_count());
    if (way.has_method) {
      REJIG_TRY_VOID(matrix.add_rows_with(way.method, enters));
    }
    for (const RowId to : state.met) {
      if (!enters.contains(to)) met(*from, to, state.what);
    }
  }
  return {};
}

base::Result<void> SharedState::call_for(
    Matrix& matrix, const std::function<bool(RowId)>& runs,
    const std::function<void(RowId, RowId, std::string_view)>& found) const {
  for (const State& state : states_) {
    if (state.is_cache) continue;
    for (const Way& way : state.ways) {
      const auto needs_it = [&](const RowId reader, const RowSet& enters) {
        // Who finds it full and changes it all the same adds something to what
        // the others left.
        return runs(reader) &&
               (!enters.contains(reader) || has_row(way.rows, reader)) &&
               !(state.is_borrowed && is_explained(state, reader));
      };
      if (std::all_of(way.rows.begin(), way.rows.end(), runs) ||
          std::none_of(state.met.begin(), state.met.end(), runs)) {
        continue;
      }
      RowSet enters(matrix.row_count());
      if (way.has_method) {
        REJIG_TRY_VOID(matrix.add_rows_with(way.method, enters));
      }
      const auto reader =
          std::find_if(state.met.begin(), state.met.end(),
                       [&](RowId row) { return needs_it(row, enters); });
      if (reader == state.met.end()) continue;
      for (const RowId row : way.rows) {
        if (!runs(row)) found(row, *reader, state.what);
      }
    }
  }
  return {};
}

base::Result<void> SharedState::together(
    Matrix& matrix, const std::function<bool(RowId)>& runs,
    const std::function<void(RowId, RowId)>& found) const {
  for (const State& state : states_) {
    if (state.is_cache) continue;
    for (const Way& way : state.ways) {
      const auto provider = std::find_if(way.rows.begin(), way.rows.end(), runs);
      if (provider == way.rows.end()) continue;
      RowSet enters(matrix.row_count());
      if (way.has_method) {
        REJIG_TRY_VOID(matrix.add_rows_with(way.method, enters));
      }
      bool needed = false;
      for (const RowId reader : state.met) {
        if (!runs(reader) ||
            (enters.contains(reader) && !has_row(way.rows, reader)) ||
            (state.is_borrowed && is_explained(state, reader))) {
          continue;
        }
        found(reader, *provider);
        needed = true;
      }
      if (!needed) continue;
      for (const RowId row : way.rows) {
        if (runs(row)) found(*provider, row);
      }
    }
  }
  return {};
}

}  // namespace rejig::coverage
