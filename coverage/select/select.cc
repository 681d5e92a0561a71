// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/select.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "classfile/base/hash_map.h"
#include "coverage/select/adaptor.h"
#include "coverage/select/select_rows.h"
#include "coverage/select/select_words.h"
#include "coverage/select/shared_state.h"

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;
using classfile::Conjunction;
using classfile::Delta;
using classfile::Rule;

namespace {

class Selection {
 public:
  Selection(SelectionInput input, Matrix* matrix, const Policy& policy)
      : in_(std::move(input)), matrix_(matrix), policy_(policy) {}

  Answer run() {
    out_.edges = numbered(std::move(in_.edges), in_.detail);
    out_.widened = std::move(in_.widened);
    out_.classes = in_.classes;
    out_.changed_classes = in_.changed_classes;
    for (auto& reason : in_.all_because) everything(std::move(reason));
    check_baseline();
    if (matrix_ != nullptr) {
      const auto done = ask_rows();
      if (!done.ok()) {
        everything("the matrix cannot be read: " + done.error().message());
        rows_ = {};
      }
    }
    add_new_tests();
    keep_lost_suites();
    assume();
    collect();
    return std::move(out_);
  }

 private:
  void everything(std::string reason) {
    out_.reasons.push_back(std::move(reason));
  }

  void check_baseline() {
    const auto too_old = [&](const std::optional<unsigned>& limit,
                             const std::optional<unsigned>& value,
                             const std::string& unit) {
      if (!limit) return;
      if (!value) {
        everything("the age of the baseline in " + unit + " is not known");
      } else if (*value > *limit) {
        everything("the baseline is older than " + std::to_string(*limit) +
                   " " + unit);
      }
    };
    too_old(policy_.max_age_days, in_.baseline_age_days, "days");
    too_old(policy_.max_selections, in_.baseline_selections, "selections");
  }

  base::Result<void> ask_rows() {
    REJIG_TRY(rows_, matrix_->rows());
    forced_.assign(rows_.size(), {});
    hits_.assign(rows_.size(), {});
    mark_gone();
    force_doubtful();
    REJIG_TRY_VOID(force_foreign());
    force_named();
    REJIG_TRY_VOID(ask_edges());
    force_members();
    REJIG_TRY_VOID(force_newly_read());
    return follow_state();
  }

  void force(std::size_t row, TestRule rule, std::string why) {
    forced_[row].push_back({rule, std::move(why)});
  }
  bool selected(std::size_t row) const {
    return !forced_[row].empty() || !hits_[row].empty() ||
           !out_.broad.empty() || !out_.reasons.empty();
  }

  void mark_gone() {
    gone_.assign(rows_.size(), 0);
    if (in_.deleted.empty()) return;
    base::HashSet<std::string_view> deleted;
    for (const auto& id : in_.deleted) deleted.insert(id);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      gone_[i] = deleted.contains(rows_[i].test) ? 1 : 0;
    }
  }

  void force_doubtful() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (row.grade == Grade::kPartial) {
        force(i, TestRule::kPartial, "its row is partial");
      } else if (row.grade == Grade::kForeign) {
        force(i, TestRule::kForeign, "its row was recorded on other bytes");
      } else if (row.grade == Grade::kLowerBound &&
                 !policy_.allow_lower_bound) {
        force(i, TestRule::kLowerBound,
              "its row comes from a source that is not entry-true");
      }
      if (row.result != Outcome::kPass) {
        force(i, TestRule::kNotPassed,
              "its last result was " + std::string(name_of(row.result)));
      }
      if (forced_[i].empty() &&
          !row.justifies_skip(policy_.allow_lower_bound)) {
        force(i, TestRule::kPartial, "its row justifies no skip");
      }
    }
  }

  base::Result<void> force_foreign() {
    if (!matrix_->has_digests() || (!in_.is_old && !in_.not_old)) return {};
    std::vector<std::string> stale;
    if (in_.not_old) {
      stale = *in_.not_old;
    } else {
      REJIG_TRY(stale, classes_that_are_not(*matrix_, in_.is_old));
    }
    RowSet touched(rows_.size());
    for (const auto& name : stale) {
      REJIG_TRY_VOID(add_touching(*matrix_, name, touched));
    }
    touched.each([&](RowId row) {
      force(row.index(), TestRule::kForeign,
            "it used a class that has changed since it was recorded");
    });
    if (!stale.empty()) {
      out_.widened.push_back(
          {plural(stale.size(), "class") +
               (stale.size() == 1 ? " differs" : " differ") +
               " from the recorded version; stale: " +
               plural(touched.count(), "row"),
           stale.front()});
    }
    return {};
  }

  void force_named() {
    for (const auto& rule : policy_.always) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!glob_match(rule.tests, rows_[i].test, '\0')) continue;
        force(i, TestRule::kPolicy,
              "always '" + rule.tests + "': " + rule.reason);
      }
    }
    base::HashMap<std::string_view, std::vector<std::size_t>> by_id;
    base::HashMap<std::string_view, std::vector<std::size_t>> by_class;
    for (std::size_t i = 0; i < in_.must_run.size(); ++i) {
      const std::string& what = in_.must_run[i].what;
      auto& index = what.find('#') == std::string::npos ? by_class : by_id;
      index[what].push_back(i);
    }
    if (in_.must_run.empty()) return;
    const auto apply = [&](std::size_t row, const auto* list) {
      if (list == nullptr) return;
      for (const auto i : *list) {
        force(row, in_.must_run[i].rule, in_.must_run[i].why);
      }
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      apply(i, by_id.find(rows_[i].test));
      auto name = rows_[i].test_class();
      while (!name.empty()) {
        apply(i, by_class.find(name));
        const auto dollar = name.rfind('$');
        name = name.substr(0, dollar == std::string_view::npos ? 0 : dollar);
      }
    }
  }

  base::Result<void> ask_edges() {
    Facts absent;
    for (const auto& name : policy_.assume) {
      REJIG_TRY(const auto kinds, assumed_absent(name));
      for (const auto kind : kinds) absent = absent.with(kind);
    }
    REJIG_TRY(auto oracle, RowOracle::make(*matrix_, in_.implied, absent));
    for (std::uint32_t e = 0; e < out_.edges.size(); ++e) {
      const Edge& edge = out_.edges[e];
      if (ruled_by_policy(e)) continue;
      if (in_.detail == Detail::kEdges && !edge.delta.edges.empty()) {
        REJIG_TRY_VOID(ask_closely(oracle, e));
        continue;
      }
      for (std::uint32_t i = 0; i < edge.items.size(); ++i) {
        if (edge.items[i].empty()) {
          out_.broad.push_back({e, i, false});
          everything(edge_id(e) + " " + edge.delta.entity + ": " +
                     (edge.delta.why.empty()
                          ? "it cannot be attributed to single tests"
                          : edge.delta.why));
          continue;
        }
        REJIG_TRY(const Verdict verdict, oracle.rows_for(edge.items[i]));
        note_hits(e, i, verdict);
      }
    }
    say_unrecorded();
    return ask_facets(oracle);
  }

  // Of a changed body: who took an edge first. Who looked at its lines is a
  // question for the rest; a row without edges has been asked for the method.
  base::Result<void> ask_closely(RowOracle& oracle, std::uint32_t e) {
    const auto& items = out_.edges[e].items;
    RowSet certain(rows_.size());
    for (const bool of_edges : {true, false}) {
      for (std::uint32_t i = 0; i < items.size(); ++i) {
        if ((items[i].size() == 1) != of_edges) continue;
        REJIG_TRY(Verdict verdict, oracle.rows_for(items[i]));
        verdict.yes -= certain;
        verdict.unknown -= certain;
        note_hits(e, i, verdict);
        if (!of_edges) continue;
        verdict.yes -= verdict.unknown;
        certain |= verdict.yes;
      }
    }
    return {};
  }

  // Facets that hit a row become edges behind the others.
  base::Result<void> ask_facets(RowOracle& oracle) {
    for (auto& facet : numbered(std::move(in_.facets))) {
      const auto e = static_cast<std::uint32_t>(out_.edges.size());
      bool hit = false;
      for (std::uint32_t i = 0; i < facet.items.size(); ++i) {
        if (facet.items[i].empty()) continue;
        REJIG_TRY(Verdict verdict, oracle.rows_for(facet.items[i]));
        // Not only static fields are kept.
        if (facet.delta.rule == Rule::kD24) {
          REJIG_TRY_VOID(SharedState::add_meeting(
              *matrix_, facet.delta.subject, verdict.yes));
        }
        // Reading class files as resources without a recorded fact is assumed
        // away: every change would select everybody. So is state that no row
        // speaks of (A6).
        if (facet.delta.rule == Rule::kD20 || facet.delta.rule == Rule::kD24) {
          verdict.yes -= verdict.unknown;
          verdict.unknown = RowSet(rows_.size());
        }
        verdict.yes.each([&](RowId row) {
          hits_[row.index()].push_back({e, i, verdict.unknown.contains(row)});
          hit = true;
        });
      }
      if (hit) out_.edges.push_back(std::move(facet));
    }
    return {};
  }

  // A policy that decides about the edge without asking the rows.
  bool ruled_by_policy(std::uint32_t e) {
    const Delta& delta = out_.edges[e].delta;
    if (delta.rule != Rule::kD20 || delta.subject.empty()) return false;
    const ResourceRule* rule = policy_.resource_rule(delta.subject);
    if (rule == nullptr || rule->verdict == ResourceVerdict::kTests) {
      return false;
    }
    const std::string text = edge_id(e) + " " + delta.subject +
                             ": " +
                             (rule->from.empty() ? "rejig.toml" : rule->from) +
                             " says that '" + rule->files + "' ";
    if (rule->verdict == ResourceVerdict::kInert) {
      inert_.push_back(text + "selects nobody");
    } else {
      out_.broad.push_back({e, 0, false});
      everything(text + "selects all tests");
    }
    return true;
  }

  void note_hits(std::uint32_t e, std::uint32_t i, const Verdict& verdict) {
    if (!rows_.empty() && verdict.unknown.count() == rows_.size()) {
      out_.broad.push_back({e, i, true});
      for (const auto& atom : out_.edges[e].items[i]) {
        unrecorded_[atom.kind].push_back(e);
      }
      return;
    }
    if (!verdict.unknown.empty()) {
      for (const auto& atom : out_.edges[e].items[i]) {
        auto& some = partly_unknown_[atom.kind];
        if (some.room() == 0) some = RowSet(rows_.size());
        some |= verdict.unknown;
      }
    }
    verdict.yes.each([&](RowId row) {
      hits_[row.index()].push_back({e, i, verdict.unknown.contains(row)});
    });
  }

  // Edges that select everybody because no row says enough: a sentence for
  // each kind of fact.
  void say_unrecorded() {
    for (auto& [kind, edges] : unrecorded_) {
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      std::string text =
          edge_id(edges.front()) + " " + out_.edges[edges.front()].delta.entity;
      if (edges.size() > 1) {
        text += " and " + plural(edges.size() - 1, "more edge");
      }
      everything(text + ": no row says " + std::string(unrecorded(kind)));
    }
    for (const auto& [kind, some] : partly_unknown_) {
      out_.widened.push_back({"selected, because the row does not surely say " +
                                  std::string(unrecorded(kind)),
                              plural(some.count(), "row")});
    }
  }

  // No row says yet that changed code lives on what they leave.
  base::Result<void> force_newly_read() {
    for (const auto& read : in_.newly_read) {
      RowSet leaving(rows_.size());
      REJIG_TRY_VOID(SharedState::add_leaving(*matrix_, read.state, leaving));
      leaving.each([&](RowId row) {
        if (gone_[row.index()] != 0) return;
        force(row.index(), TestRule::kProvider,
              "`" + read.cause + "` is new or changed and may read " +
                  in_words(read.state) + ", where it leaves something");
      });
    }
    return {};
  }

  void force_members() {
    std::vector<std::size_t> containers;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_whole_class(rows_[i].test) &&
          (!forced_[i].empty() || !hits_[i].empty())) {
        containers.push_back(i);
      }
    }
    for (const auto c : containers) {
      const auto name = rows_[c].test_class();
      const auto key = std::make_pair(rows_[c].suite, name);
      auto at = std::lower_bound(
          rows_.begin(), rows_.end(), key, [](const Row& row, const auto& k) {
            return std::make_pair(row.suite, row.test) < k;
          });
      for (; at != rows_.end() && at->suite == key.first &&
             at->test.starts_with(name);
           ++at) {
        const auto i = static_cast<std::size_t>(at - rows_.begin());
        const auto rest = at->test.substr(name.size());
        if (i == c || rest.empty() ||
            (rest.front() != '#' && rest.front() != '$')) {
          continue;
        }
        force(i, TestRule::kContainer,
              "its container " + std::string(rows_[c].test) +
                  " must run or has a doubtful row");
      }
    }
  }

  // Does what the test does differ, as far as anybody knows? Not of one that
  // runs because it failed, or because somebody wants it to.
  bool may_leave_something_else(std::size_t row) const {
    return gone_[row] != 0 || !hits_[row].empty() ||
           std::any_of(forced_[row].begin(), forced_[row].end(),
                       [](const Forced& f) {
                         return f.rule != TestRule::kNotPassed &&
                                f.rule != TestRule::kPolicy &&
                                f.rule != TestRule::kProvider;
                       });
  }

  // Itself, and not by way of what others leave.
  bool meets_changed_code(std::size_t row) const {
    return gone_[row] != 0 ||
           std::any_of(hits_[row].begin(), hits_[row].end(),
                       [this](const Hit& hit) {
                         return out_.edges[hit.edge].delta.rule != Rule::kD24;
                       }) ||
           std::any_of(forced_[row].begin(), forced_[row].end(),
                       [](const Forced& f) {
                         return f.rule == TestRule::kForeign ||
                                f.rule == TestRule::kEdited;
                       });
  }

  // Mockito's archive for the boot loader, made by the test that mocks first: it
  // stands for what that test may have mocked for all. Its row is partial (a
  // process was started), which alone says nothing about others.
  bool is_only_partial(std::size_t row) const {
    return gone_[row] == 0 && hits_[row].empty() &&
           std::all_of(forced_[row].begin(), forced_[row].end(),
                       [](const Forced& f) {
                         return f.rule == TestRule::kPartial;
                       });
  }

  // What one test leaves behind, the next one meets.
  base::Result<void> follow_state() {
    if (!out_.broad.empty() || !out_.reasons.empty()) return {};
    REJIG_TRY(auto state, SharedState::read(*matrix_));
    std::size_t i = 0;
    while (i < rows_.size() && !meets_changed_code(i)) ++i;
    if (i < rows_.size()) REJIG_TRY_VOID(state.read_ways(*matrix_, in_.may_leave));
    for (bool more = true; more;) {
      more = false;
      REJIG_TRY_VOID(state.pass_on(
          *matrix_,
          [this](RowId row, std::string_view what) {
            return may_leave_something_else(row.index()) &&
                   !(is_mockitos(what) && is_only_partial(row.index()));
          },
          [this](RowId row) { return meets_changed_code(row.index()); },
          [&](RowId from, RowId to, std::string_view what) {
            if (from == to || may_leave_something_else(to.index())) return;
            force(to.index(), TestRule::kState,
                  "it meets " + in_words(what) + ", where " +
                      std::string(rows_[from.index()].test) +
                      " leaves something");
            more = true;
          }));
      REJIG_TRY_VOID(state.call_for(
          *matrix_,
          [this](RowId row) { return gone_[row.index()] == 0 && selected(row.index()); },
          [&](RowId row, RowId reader, std::string_view what) {
            if (gone_[row.index()] != 0) return;
            force(row.index(), TestRule::kProvider,
                  std::string(rows_[reader.index()].test) + " meets " +
                      in_words(what) + ", where it leaves something");
            more = true;
          }));
    }
    return {};
  }

  void add_new_tests() {
    if (in_.tests.empty()) return;
    base::HashSet<std::pair<std::string_view, std::string_view>> known;
    base::HashSet<std::string_view> known_ids;
    base::HashSet<std::string_view> suites;
    for (const auto& row : rows_) {
      known.insert({row.suite, row.test});
      known_ids.insert(row.test);
      suites.insert(row.suite);
    }
    std::string fallback = in_.default_suite;
    if (suites.size() == 1) fallback = std::string(suites.sorted().front());
    for (const auto& test : in_.tests) {
      const bool has_row =
          test.suite.empty()
              ? known_ids.contains(test.id)
              : known.contains(std::make_pair(std::string_view(test.suite),
                                              std::string_view(test.id)));
      if (has_row) continue;
      fresh_.push_back({test.suite.empty() ? fallback : test.suite, test.id});
    }
    std::sort(fresh_.begin(), fresh_.end());
    fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
  }

  // A suite of which NEW shows nothing is more likely not given than gone.
  void keep_lost_suites() {
    struct Seen {
      std::size_t gone = 0;
      bool left = false;
    };
    std::map<std::string_view, Seen> suites;
    for (const auto& key : fresh_) suites[key.suite].left = true;
    base::HashSet<std::string_view> now;
    for (const auto& test : in_.tests) now.insert(test.id);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& suite = suites[rows_[i].suite];
      if (gone_[i] != 0) ++suite.gone;
      suite.left |= now.contains(rows_[i].test);
    }
    std::erase_if(suites, [](const auto& suite) {
      return suite.second.left || suite.second.gone == 0;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (suites.count(rows_[i].suite) == 0) continue;
      gone_[i] = 0;
      ++kept;
      force(i, TestRule::kEverything, "NEW shows no test of its suite");
    }
    for (const auto& [suite, seen] : suites) {
      std::string text = "NEW shows none of the tests of suite " +
                         std::string(suite) +
                         " (is its class path complete?): all are selected";
      if (kept == rows_.size()) {
        everything(std::move(text));
      } else {
        out_.widened.push_back({std::move(text), ""});
      }
    }
  }

  void assume() {
    auto& list = out_.assumptions;
    list = std::move(in_.assumptions);
    list.push_back("A15 tests are deterministic");
    Facts common = Facts::all();
    bool lower_bound = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!forced_[i].empty()) continue;
      common = common & rows_[i].facts;
      lower_bound |= rows_[i].grade == Grade::kLowerBound;
    }
    if (!rows_.empty()) {
      for (const char* text : assumed_of(common)) list.push_back(text);
      if (!matrix_->has_digests()) {
        list.push_back(
            "the rows carry no class digests: they are taken to be recorded "
            "on OLD");
      } else if (!in_.is_old && !in_.not_old) {
        list.push_back("OLD is taken to be what the rows were recorded on");
      }
    }
    if (lower_bound) {
      list.push_back("allow-lower-bound: rows that are not entry-true count");
    }
    for (const auto& name : policy_.assume) list.push_back("assume " + name);
    for (const auto& text : policy_.narrowing) {
      out_.notes.push_back("narrowed by " + text);
    }
    for (auto& text : inert_) out_.notes.push_back("narrowed: " + text);
    for (const auto& text : out_.notes) list.push_back(text);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  void collect() {
    const bool all = !out_.reasons.empty();
    if (!all) out_.unaffected.reserve(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      TestKey key{std::string(rows_[i].suite), std::string(rows_[i].test)};
      if (gone_[i] != 0) {
        out_.gone.push_back(std::move(key));
      } else if (!selected(i)) {
        out_.unaffected.push_back(std::move(key));
      } else {
        if (all) force(i, TestRule::kEverything, "everything is selected");
        out_.selected.push_back(
            {std::move(key), std::move(forced_[i]), std::move(hits_[i])});
      }
    }
    for (auto& key : fresh_) {
      out_.selected.push_back(
          {std::move(key), {{TestRule::kNew, "it has no row"}}, {}});
    }
    std::sort(out_.selected.begin(), out_.selected.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    for (auto& test : out_.selected)
      std::sort(test.hits.begin(), test.hits.end());
    out_.counts.known = rows_.size();
    out_.counts.selected = out_.selected.size();
    out_.counts.unaffected = out_.unaffected.size();
    out_.counts.fresh = fresh_.size();
    out_.counts.gone = out_.gone.size();
    out_.mode = all                     ? Mode::kAll
                : out_.selected.empty() ? Mode::kNone
                                        : Mode::kSome;
  }

  SelectionInput in_;
  Matrix* matrix_;
  const Policy& policy_;
  Answer out_;
  std::span<const Row> rows_;
  std::vector<std::vector<Forced>> forced_;
  std::vector<std::vector<Hit>> hits_;
  std::vector<char> gone_;
  std::vector<TestKey> fresh_;
  std::vector<std::string> inert_;
  std::map<AtomKind, std::vector<std::uint32_t>> unrecorded_;
  std::map<AtomKind, RowSet> partly_unknown_;
};

}  // namespace

Answer select(SelectionInput input, Matrix* matrix, const Policy& policy) {
  return Selection(std::move(input), matrix, policy).run();
}

}  // namespace rejig::coverage
