// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/proofs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "coverage/select/select_words.h"
#include "coverage/select/shared_state.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

using classfile::AtomKind;

namespace {

// What one run says of a test.
enum class Says : std::uint8_t {
  kNothing,
  kProved,   // it passes as it did, whatever must run with whom
  kDidNot,   // the same code did not pass
};

bool all_of_rules(const SelectedTest& test,
                  const std::function<bool(TestRule)>& rule) {
  return test.hits.empty() && !test.forced.empty() &&
         std::all_of(test.forced.begin(), test.forced.end(),
                     [&](const Forced& f) { return rule(f.rule); });
}

class United {
 public:
  explicit United(std::vector<ProofView> views) : views_(std::move(views)) {}

  base::Result<Answer> run() {
    proved_.resize(views_.size());
    for (std::size_t i = 0; i < views_.size(); ++i) {
      REJIG_TRY_VOID(hear(static_cast<std::uint32_t>(i)));
    }
    std::set<TestKey> runs;
    for (const auto& [key, said] : tests_) {
      if (!said.proof || said.overruled) runs.insert(key);
    }
    std::map<TestKey, std::string> needed;
    REJIG_TRY_VOID(call_for_providers(runs, needed));
    return answer(runs, needed);
  }

 private:
  struct Test {
    std::optional<std::uint32_t> proof;  // the first view that has one
    bool overruled = false;
  };

  base::Result<void> hear(std::uint32_t at) {
    ProofView& view = views_[at];
    const Answer& a = view.answer;
    const bool all = !a.reasons.empty() || !a.broad.empty();
    std::set<TestKey> in_doubt;
    if (!view.unrecorded.empty() && view.matrix != nullptr) {
      REJIG_TRY(in_doubt, who_meets_state(*view.matrix));
    }
    const auto note = [&](const TestKey& key, Says says) {
      Test& test = tests_[key];
      if (says == Says::kDidNot) test.overruled = true;
      if (says != Says::kProved || view.matrix == nullptr ||
          in_doubt.count(key) != 0) {
        return;
      }
      proved_[at].insert(key);
      if (!test.proof) test.proof = at;
    };
    for (const auto& key : a.unaffected) note(key, Says::kProved);
    for (const auto& test : a.selected) {
      Says says = Says::kNothing;
      if (!all && all_of_rules(test, [](TestRule rule) {
            return rule == TestRule::kProvider;
          })) {
        says = Says::kProved;
      } else if (!all && all_of_rules(test, [](TestRule rule) {
                   return rule == TestRule::kProvider ||
                          rule == TestRule::kNotPassed;
                 })) {
        says = Says::kDidNot;
      }
      note(test.key, says);
    }
    return {};
  }

  static base::Result<std::set<TestKey>> who_meets_state(Matrix& matrix) {
    std::set<TestKey> out;
    REJIG_TRY(const auto rows, matrix.rows());
    RowSet met(rows.size());
    REJIG_TRY_VOID(SharedState::add_meeting(matrix, "kept anywhere", met));
    REJIG_TRY_VOID(SharedState::add_meeting(matrix, "kept files", met));
    REJIG_TRY(const RowSet telling, matrix.rows_recording(AtomKind::kState));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowId row = RowId::of(i);
      if (!met.contains(row) && telling.contains(row)) continue;
      out.insert({std::string(rows[i].suite), std::string(rows[i].test)});
    }
    return out;
  }

  // The rows of all views beside each other, those of view i in suites "i SUITE".
  base::Result<void> call_for_providers(std::set<TestKey>& runs,
                                        std::map<TestKey, std::string>& needed) {
    MatrixBuilder builder;
    std::vector<std::string> names;
    std::size_t count = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (views_[i].matrix == nullptr) continue;
      Matrix& matrix = *views_[i].matrix;
      REJIG_TRY(const auto all, matrix.rows());
      std::vector<std::optional<Row>> rows(all.begin(), all.end());
      std::map<std::string_view, std::string> suites;
      for (const auto& row : all) {
        auto& name = suites[row.suite];
        if (name.empty()) {
          name = std::to_string(i) + " " + std::string(row.suite);
        }
      }
      for (auto& row : rows) row->suite = suites.at(row->suite);
      REJIG_TRY_VOID(builder.add_rows(matrix, rows, {}));
      ++count;
    }
    if (count == 0) return {};
    const auto all = builder.finish();
    REJIG_TRY(const auto rows, all->rows());
    std::vector<TestKey> keys;
    std::vector<std::uint32_t> view_of;
    for (const auto& row : rows) {
      const auto blank = row.suite.find(' ');
      keys.push_back({std::string(row.suite.substr(blank + 1)),
                      std::string(row.test)});
      view_of.push_back(static_cast<std::uint32_t>(
          std::stoul(std::string(row.suite.substr(0, blank)))));
    }
    REJIG_TRY(const auto state,
              SharedState::read(*all, {count, std::move(view_of)}));
    for (bool more = true; more;) {
      REJIG_TRY(more, add_newly_read(runs, needed));
      REJIG_TRY_VOID(state.call_for(
          *all,
          [&](RowId row) { return runs.count(keys[row.index()]) != 0; },
          [&](RowId row, RowId reader, std::string_view what) {
            const TestKey& key = keys[row.index()];
            // NEW does not have it: nobody can run it.
            if (tests_.count(key) == 0 || !runs.insert(key).second) return;
            needed[key] = keys[reader.index()].test + " meets " +
                          in_words(what) + ", where it leaves something";
            more = true;
          }));
    }
    return {};
  }

  // Who leaves what code may read now that a run did not have: as soon as
  // anybody runs for whom that run has no proof. Whether more run now.
  base::Result<bool> add_newly_read(std::set<TestKey>& runs,
                                    std::map<TestKey, std::string>& needed) {
    bool more = false;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      ProofView& view = views_[i];
      if (view.matrix == nullptr || view.newly_read.empty() ||
          std::all_of(runs.begin(), runs.end(), [&](const TestKey& key) {
            return proved_[i].count(key) != 0;
          })) {
        continue;
      }
      REJIG_TRY(const auto rows, view.matrix->rows());
      for (const auto& read : view.newly_read) {
        RowSet leaving(rows.size());
        REJIG_TRY_VOID(
            SharedState::add_leaving(*view.matrix, read.state, leaving));
        leaving.each([&](RowId row) {
          const TestKey key{std::string(rows[row.index()].suite),
                            std::string(rows[row.index()].test)};
          if (tests_.count(key) == 0 || !runs.insert(key).second) return;
          needed[key] = "`" + read.cause + "` is new or changed and may read " +
                        in_words(read.state) + ", where it leaves something";
          more = true;
        });
      }
      view.newly_read.clear();
    }
    return more;
  }

  // What gives the answer its words.
  std::size_t primary() const {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (views_[i].matrix != nullptr && views_[i].answer.reasons.empty()) {
        return i;
      }
    }
    return 0;
  }

  Answer answer(const std::set<TestKey>& runs,
                const std::map<TestKey, std::string>& needed) {
    const std::size_t words = primary();
    Answer out = std::move(views_[words].answer);
    const bool was_all = out.mode == Mode::kAll;
    std::map<TestKey, SelectedTest> known;
    for (auto& test : out.selected) known[test.key] = std::move(test);
    out.selected.clear();
    out.unaffected.clear();
    out.broad.clear();
    for (const auto& [key, said] : tests_) {
      if (runs.count(key) == 0) {
        out.unaffected.push_back(key);
        out.proved_by.push_back(*said.proof);
        continue;
      }
      auto at = known.find(key);
      SelectedTest test = at == known.end() ? SelectedTest{key, {}, {}}
                                            : std::move(at->second);
      if (const auto why = needed.find(key); why != needed.end()) {
        test.forced.push_back({TestRule::kProvider, why->second});
      } else if (said.overruled) {
        test.forced.push_back(
            {TestRule::kNotPassed, "the same code did not pass in some run"});
      }
      if (test.forced.empty() && test.hits.empty()) {
        test.forced.push_back({TestRule::kForeign, "no run proves it"});
      }
      out.selected.push_back(std::move(test));
    }
    for (const auto& view : views_) out.runs.push_back(view.run);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (i == words) continue;
      const auto& more = views_[i].answer.assumptions;
      out.assumptions.insert(out.assumptions.end(), more.begin(), more.end());
    }
    std::sort(out.assumptions.begin(), out.assumptions.end());
    out.assumptions.erase(
        std::unique(out.assumptions.begin(), out.assumptions.end()),
        out.assumptions.end());
    out.counts.selected = out.selected.size();
    out.counts.unaffected = out.unaffected.size();
    if (was_all && out.unaffected.empty()) return out;
    out.reasons.clear();
    out.mode = out.selected.empty() ? Mode::kNone : Mode::kSome;
    return out;
  }

  std::vector<ProofView> views_;
  std::map<TestKey, Test> tests_;
  std::vector<std::set<TestKey>> proved_;  // by each view
};

}  // namespace

base::Result<Answer> united_proofs(std::vector<ProofView> views) {
  return United(std::move(views)).run();
}

}  // namespace rejig::coverage
