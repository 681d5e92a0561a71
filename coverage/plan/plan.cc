// SPDX-License-Identifier: Apache-2.0
#include "coverage/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "classfile/base/hash.h"
#include "coverage/select/shared_state.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

using classfile::Rule;

namespace {

// Of a test that never ran.
constexpr double kUnknownSeconds = 0.2;
constexpr int kMostRounds = 64;

using Key = std::pair<std::string, std::string>;  // suite, class

struct Unit {
  double seconds = 0;
  std::vector<std::size_t> classes;
  bool fresh = true;  // nobody has ever run any of it
  std::string name;   // of its first class
};

class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

class Planner {
 public:
  Planner(const Answer& answer, const std::vector<Matrix*>& matrices,
          const PlanOptions& options)
      : answer_(answer), matrices_(matrices), o_(options) {}

  base::Result<Plan> run() {
    collect_classes();
    Groups groups(classes_.size());
    REJIG_TRY_VOID(add_durations());
    for (Matrix* matrix : matrices_) {
      REJIG_TRY_VOID(unite_providers(*matrix, groups));
    }
    unite_state(groups);
    Plan out;
    out.selection = selection_digest();
    divide(units_of(groups), out);
    return out;
  }

 private:
  void collect_classes() {
    std::set<Key> all;
    for (const auto& test : answer_.selected) {
      all.emplace(test.key.suite, outermost_class(test.key.test));
    }
    for (const auto& key : all) {
      index_[key] = classes_.size();
      classes_.push_back(key);
    }
    seconds_.assign(classes_.size(), 0);
    known_.assign(classes_.size(), false);
  }

  std::optional<std::size_t> class_of(std::string_view suite,
                                      std::string_view test) const {
    const auto at =
        index_.find(Key(std::string(suite), outermost_class(test)));
    if (at == index_.end()) return std::nullopt;
    return at->second;
  }

  base::Result<void> add_durations() {
    std::map<TestKey, double> known;
    for (Matrix* matrix : matrices_) {
      REJIG_TRY(const auto rows, matrix->rows());
      for (const auto& row : rows) {
        const TestKey key{std::string(row.suite), std::string(row.test)};
        known.try_emplace(key, static_cast<double>(row.ms) / 1000);
      }
    }
    for (const auto& test : answer_.selected) {
      const std::size_t c = *class_of(test.key.suite, test.key.test);
      const auto at = known.find(test.key);
      seconds_[c] += at == known.end() ? kUnknownSeconds : at->second;
      if (at != known.end()) known_[c] = true;
    }
    return {};
  }

  // Who waits for what changed code may leave, or leaves what it may read, and
  // whoever meets it.
  void unite_state(Groups& groups) const {
    std::optional<std::size_t> one;
    std::vector<std::size_t> changed;
    for (const auto& test : answer_.selected) {
      const std::size_t c = *class_of(test.key.suite, test.key.test);
      bool waits = false;
      bool direct = false;
      for (const auto& forced : test.forced) {
        // A provider of nobody in particular is one for changed code.
        waits |= forced.rule == TestRule::kState ||
                 (forced.rule == TestRule::kProvider &&
                  providers_.count(test.key) == 0);
        direct |= forced.rule == TestRule::kEdited ||
                  forced.rule == TestRule::kForeign ||
                  forced.rule == TestRule::kNew;
      }
      for (const auto& hit : test.hits) {
        const bool state =
            answer_.edges[hit.edge].delta.rule == Rule::kD24;
        waits |= state;
        direct |= !state;
      }
      if (direct) changed.push_back(c);
      if (!waits) continue;
      if (one) groups.unite(*one, c);
      one = c;
    }
    if (!one) return;
    for (const auto c : changed) groups.unite(*one, c);
  }

  base::Result<void> unite_providers(Matrix& matrix, Groups& groups) {
    REJIG_TRY(const auto rows, matrix.rows());
    std::set<TestKey> selected;
    for (const auto& test : answer_.selected) selected.insert(test.key);
    std::vector<bool> runs;
    for (const auto& row : rows) {
      runs.push_back(selected.count({std::string(row.suite),
                                     std::string(row.test)}) != 0);
    }
    REJIG_TRY(const auto state, SharedState::read(matrix));
    return state.together(
        matrix, [&](RowId row) { return runs[row.index()]; },
        [&](RowId reader, RowId provider) {
          const auto& a = rows[reader.index()];
          const auto& b = rows[provider.index()];
          const auto first = class_of(a.suite, a.test);
          const auto second = class_of(b.suite, b.test);
          if (a.suite != b.suite || !first || !second) return;
          groups.unite(*first, *second);
          for (const auto* row : {&a, &b}) {
            providers_.insert({std::string(row->suite), std::string(row->test)});
          }
        });
  }

  std::vector<Unit> units_of(Groups& groups) const {
    std::map<std::size_t, Unit> by_root;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      Unit& unit = by_root[groups.root(c)];
      if (unit.classes.empty()) {
        unit.name = classes_[c].first + "\t" + classes_[c].second;
      }
      unit.classes.push_back(c);
      unit.seconds += seconds_[c];
      unit.fresh &= !known_[c];
    }
    std::vector<Unit> out;
    for (auto& [root, unit] : by_root) out.push_back(std::move(unit));
    std::sort(out.begin(), out.end(), [](const Unit& a, const Unit& b) {
      return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
    });
    return out;
  }

  unsigned wanted(double total) const {
    if (o_.shards != 0) return o_.shards;
    if (answer_.selected.empty()) return 0;
    const double n = std::ceil(total / std::max(o_.target, 0.001));
    return static_cast<unsigned>(
        std::clamp(n, 1.0, static_cast<double>(std::max(o_.most, 1U))));
  }

  void divide(const std::vector<Unit>& units, Plan& out) const {
    double total = 0;
    for (const auto& unit : units) total += unit.seconds;
    const unsigned n = wanted(total);
    out.shards.resize(n);
    if (n == 0) return;
    std::vector<std::vector<const Unit*>> bins(n);
    std::vector<double> load(n, 0);
    for (const bool fresh : {true, false}) {
      for (const auto& unit : units) {
        if (unit.fresh != fresh) continue;
        const auto bin =
            fresh ? base::digest256(unit.name).words[0] % n
                  : static_cast<std::size_t>(
                        std::min_element(load.begin(), load.end()) -
                        load.begin());
        bins[bin].push_back(&unit);
        load[bin] += unit.seconds;
      }
    }
    for (int round = 0; round < kMostRounds && improve(bins, load); ++round) {
    }
    for (unsigned i = 0; i < n; ++i) fill(bins[i], load[i], out.shards[i]);
  }

  // Moves a unit, or exchanges two, between the fullest bin and another.
  static bool improve(std::vector<std::vector<const Unit*>>& bins,
                      std::vector<double>& load) {
    const auto most = static_cast<std::size_t>(
        std::max_element(load.begin(), load.end()) - load.begin());
    double best = 1e-9;
    std::size_t to = 0;
    std::size_t mine = 0;
    std::optional<std::size_t> theirs;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      if (bin == most) continue;
      for (std::size_t i = 0; i < bins[most].size(); ++i) {
        if (bins[most][i]->fresh) continue;
        const double seconds = bins[most][i]->seconds;
        for (std::size_t j = 0; j <= bins[bin].size(); ++j) {
          const bool exchange = j < bins[bin].size();
          if (exchange && bins[bin][j]->fresh) continue;
          const double moved =
              seconds - (exchange ? bins[bin][j]->seconds : 0.0);
          const double gain =
              load[most] - std::max(load[most] - moved, load[bin] + moved);
          if (gain <= best) continue;
          best = gain;
          to = bin;
          mine = i;
          theirs = exchange ? std::optional(j) : std::nullopt;
        }
      }
    }
    if (best <= 1e-9) return false;
    const Unit* a = bins[most][mine];
    double moved = a->seconds;
    if (theirs) {
      const Unit* b = bins[to][*theirs];
      moved -= b->seconds;
      bins[most][mine] = b;
      bins[to][*theirs] = a;
    } else {
      bins[most].erase(bins[most].begin() + static_cast<std::ptrdiff_t>(mine));
      bins[to].push_back(a);
    }
    load[most] -= moved;
    load[to] += moved;
    return true;
  }

  void fill(const std::vector<const Unit*>& units, double seconds,
            PlannedShard& shard) const {
    std::map<std::string, std::vector<std::string>> suites;
    for (const Unit* unit : units) {
      for (const auto c : unit->classes) {
        suites[classes_[c].first].push_back(classes_[c].second);
      }
    }
    for (auto& [suite, classes] : suites) {
      std::sort(classes.begin(), classes.end());
      shard.suites.push_back({suite, std::move(classes)});
    }
    shard.seconds = std::round(seconds * 1000) / 1000;
  }

  std::string selection_digest() const {
    std::string text;
    for (const auto& test : answer_.selected) {
      text += test.key.suite + "\t" + test.key.test + "\n";
    }
    return base::to_hex(base::digest256(text));
  }

  const Answer& answer_;
  const std::vector<Matrix*>& matrices_;
  const PlanOptions& o_;
  std::vector<Key> classes_;
  std::map<Key, std::size_t> index_;
  std::vector<double> seconds_;
  std::vector<bool> known_;
  std::set<TestKey> providers_;  // or who needs one, as rows say
};

}  // namespace

std::string outermost_class(std::string_view test) {
  const auto cls = test.substr(0, test.find('#'));
  // A name may begin with a dollar.
  const auto package = cls.rfind('.') + 1;
  return std::string(cls.substr(0, cls.find('$', package + 1)));
}

unsigned Plan::shard_of(std::string_view suite, std::string_view test) const {
  const std::string name = outermost_class(test);
  unsigned out = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    for (const auto& one : shards[i].suites) {
      if (one.suite != suite ||
          !std::binary_search(one.classes.begin(), one.classes.end(), name)) {
        continue;
      }
      if (out != 0) return 0;  // two shards: all
      out = static_cast<unsigned>(i + 1);
    }
  }
  return out;
}

std::string Plan::digest() const {
  return base::to_hex(base::digest256(plan_json(*this)));
}

base::Result<Plan> make_plan(const Answer& answer,
                             const std::vector<Matrix*>& matrices,
                             const PlanOptions& options) {
  return Planner(answer, matrices, options).run();
}

}  // namespace rejig::coverage
