// SPDX-License-Identifier: Apache-2.0
// One pair of a study: the selection in every view, held against what the tests
// of the new version did.
#include <chrono>
#include <set>

#include "apps/rejig/audit/audit_judge.h"
#include "apps/rejig/audit/audit_results.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/study/study.h"
#include "apps/session/selection.h"
#include "coverage/select/view.h"

namespace rejig::app {

using base::Errc;
using base::Error;

namespace {

std::uint64_t ms_since(std::chrono::steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start)
          .count());
}

coverage::TestKey key_of(const coverage::Row& row) {
  return {std::string(row.suite), std::string(row.test)};
}

class PairJudge {
 public:
  PairJudge(const PairInputs& inputs, Context& context, PairFigures& figures,
            std::string& misses)
      : inputs_(inputs), context_(context), out_(figures), misses_(misses) {}

  base::Result<void> run() {
    SelectOptions options;
    options.inputs.old_path = inputs_.old_jars;
    options.inputs.new_path = inputs_.new_jars;
    options.inputs.lib = inputs_.lib;
    options.coverage = inputs_.store;
    const auto start = std::chrono::steady_clock::now();
    REJIG_TRY(selected_, selected_by(options, context_));
    out_.analysis_ms = ms_since(start);
    if (!selected_->matrix) {
      return Error{Errc::kNotFound, "no test of it was recorded",
                   inputs_.store};
    }
    std::vector<std::string> ids;
    REJIG_TRY(const auto old_rows, selected_->matrix->rows());
    for (const auto& row : old_rows) {
      ids.emplace_back(row.test);
      had_.insert(key_of(row));
    }
    const coverage::JunitIds known(std::move(ids));
    const std::string& suite = selected_->input.default_suite;
    REJIG_TRY(const Results results,
              read_results(inputs_.results, known, suite));
    Results again;
    if (!inputs_.again.empty()) {
      REJIG_TRY(again, read_results(inputs_.again, known, suite));
    }
    std::vector<Selector> selectors;
    for (const auto view : coverage::all_views()) {
      selectors.push_back(selector_of(std::string(name_of(view)),
                                      answer_in_view(*selected_, view, context_.pool())));
    }
    REJIG_TRY(const Audit audit,
              judge(*selected_, results,
                    inputs_.again.empty() ? nullptr : &again, selectors));
    out_.changed = audit.changed;
    // A variant is judged by what its tests did before: they are the same.
    if (out_.variant) {
      count(old_rows, audit, selectors);
      return {};
    }
    if (!results.matrix) {
      return Error{Errc::kNotFound, "no test of it was recorded",
                   inputs_.results.empty() ? "" : inputs_.results.front()};
    }
    REJIG_TRY(const auto rows, results.matrix->rows());
    count(rows, audit, selectors);
    return {};
  }

 private:
  template <class Rows>
  void count(const Rows& rows, const Audit& audit,
             const std::vector<Selector>& selectors) {
    std::set<std::string> classes;
    for (const auto& row : rows) {
      out_.tests += 1;
      out_.tests_ms += row.ms;
      classes.emplace(coverage::class_of_test(row.test));
    }
    out_.classes = classes.size();
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      ViewFigures view;
      view.view = selectors[i].name;
      std::set<std::string> chosen;
      for (const auto& row : rows) {
        const auto key = key_of(row);
        if (!selectors[i].selects(key) && had_.count(key) != 0) continue;
        view.selected += 1;
        view.selected_ms += row.ms;
        chosen.emplace(coverage::class_of_test(row.test));
      }
      view.selected_classes = chosen.size();
      view.affected = audit.affected;
      count_misses(audit.selectors[i], view);
      out_.views.push_back(view);
    }
  }

  // Between releases a test without an old row is never skipped; whatever fails
  // in a variant is a test that had one.
  void count_misses(const AuditOf& audit, ViewFigures& view) {
    for (const auto& miss : audit.hard) {
      if (!out_.variant && had_.count(miss.key) == 0) continue;
      view.hard += 1;
      misses_ += "hard\t" + view.view + '\t' + miss.key.test + '\t' +
                 miss.old_outcome + '\t' + miss.new_outcome + '\n';
    }
    for (const auto& [key, code] : audit.missed) {
      if (had_.count(key) == 0) continue;
      view.missed += 1;
      misses_ += "lr\t" + view.view + '\t' + key.test + '\t' + code + '\n';
    }
    view.unobserved = audit.unobserved.size();
  }

  const PairInputs& inputs_;
  Context& context_;
  PairFigures& out_;
  std::string& misses_;
  std::unique_ptr<Selected> selected_;
  std::set<coverage::TestKey> had_;
};

}  // namespace

base::Result<void> judge_pair(const PairInputs& inputs, Context& context,
                              PairFigures& figures, std::string& misses) {
  return PairJudge(inputs, context, figures, misses).run();
}

}  // namespace rejig::app
