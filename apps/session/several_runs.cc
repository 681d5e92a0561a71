// SPDX-License-Identifier: Apache-2.0
#include "apps/session/several_runs.h"

#include <set>
#include <utility>

#include "coverage/select/proofs.h"

namespace rejig::app {

using base::Errc;
using base::Error;

namespace {

// What a further run's comparison widens is said by the tests that it does not
// prove.
class Silent : public Listener {
 public:
  void error(std::string_view) override {}
  void warning(std::string_view) override {}
  void note(std::string_view) override {}
  void begin_progress() override {}
  void progress(std::string_view, std::uint64_t, std::uint64_t) override {}
  void end_progress() override {}
};

// Tests that the run's program has and its rows do not.
base::Result<std::vector<std::string>> unrecorded(const Selected& selected) {
  std::vector<std::string> out;
  REJIG_TRY(const auto rows, selected.matrix->rows());
  std::set<std::string_view> known;
  for (const auto& row : rows) known.insert(row.test);
  for (const auto& test : selected.compared->comparison.old_tests) {
    if (known.count(test.id) == 0) out.push_back(test.id);
  }
  return out;
}

// Its own program as OLD; NEW and what goes with it as they are.
SelectOptions asked_of(const SelectOptions& o, const RunStore& run) {
  SelectOptions out = o;
  if (o.only_path_is_new && out.inputs.new_path.empty()) {
    out.inputs.new_path = out.inputs.old_path;
  }
  out.inputs.old_path.clear();
  out.inputs.old_lib.clear();
  out.coverage = run.store;
  out.counts = false;
  out.rehash = true;  // no stamps beside a file of the cache
  return out;
}

}  // namespace

base::Result<RunStore> parse_run_store(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{Errc::kUsage, "--proof is RUN=STORE, not '" + text + "'", ""};
  }
  return RunStore{text.substr(0, equals), text.substr(equals + 1)};
}

base::Result<coverage::Plan> ByRuns::plan(
    const coverage::PlanOptions& options) const {
  std::vector<coverage::Matrix*> matrices;
  if (selected->matrix) matrices.push_back(selected->matrix.get());
  for (const auto& other : others) {
    if (other->matrix) matrices.push_back(other->matrix.get());
  }
  return coverage::make_plan(selected->answer, matrices, options);
}

base::Result<ByRuns> select_by_runs(
    const SelectOptions& o, const std::vector<RunStore>& more, Work& work) {
  Silent silent;
  Work aside(more.empty() ? work.listener : static_cast<Listener&>(silent));
  aside.jobs = work.jobs;
  aside.config = work.config;
  ByRuns out;
  if (more.empty()) {
    REJIG_TRY(out.selected, run_selection(o, work));
    return out;
  }
  REJIG_TRY(out.selected, run_selection(o, aside));
  auto& first = out.selected;
  std::vector<coverage::ProofView> views;
  views.push_back({"", first->answer, first->matrix.get(), {},
                   first->input.newly_read});
  for (const auto& run : more) {
    auto one = run_selection(asked_of(o, run), aside);
    if (!one.ok()) {
      work.listener.warning("run " + run.run + " proves nothing: " +
                            one.error().message());
      continue;
    }
    if (!(*one)->matrix || !(*one)->compared || !(*one)->compared->stored ||
        !(*one)->answer.reasons.empty()) {
      const auto& reasons = (*one)->answer.reasons;
      work.listener.note("run " + run.run + " proves nothing" +
                         (reasons.empty() ? "" : ": " + reasons.front()));
      if (!(*one)->matrix) continue;
    }
    auto missing = unrecorded(**one);
    if (!missing.ok()) continue;
    views.push_back({run.run, (*one)->answer, (*one)->matrix.get(),
                     std::move(*missing), (*one)->input.newly_read});
    out.others.push_back(std::move(*one));
  }
  REJIG_TRY(first->answer, coverage::united_proofs(std::move(views)));
  if (!first->matrix && !first->answer.reasons.empty()) {
    first->answer.reasons = {"there is no baseline here, and no run of others proves a test"};
  }
  for (const auto& reason : first->answer.reasons) {
    work.listener.warning("all tests, because " + reason);
  }
  for (const auto& note : first->answer.notes) work.listener.note(note);
  return out;
}

std::string proofs_text(const coverage::Answer& answer) {
  std::string out;
  std::size_t n = 0;
  for (std::size_t i = 0; i < answer.proved_by.size(); ++i) {
    const auto& key = answer.unaffected[i];
    const std::string line = answer.runs[answer.proved_by[i]] + "\t" +
                             key.suite + "\t" + key.test;
    // A name that would be two lines is no proof of anything.
    if (line.find('\n') != std::string::npos) continue;
    out += line + "\n";
    ++n;
  }
  return out + "end " + std::to_string(n) + "\n";
}

}  // namespace rejig::app
