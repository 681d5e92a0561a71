// SPDX-License-Identifier: Apache-2.0
// Which tests need not run, when several runs were recorded? The question of
// selection.h, put to each run's store with the program that it keeps as OLD, and
// the answers as one (coverage/select/proofs.h). A store that cannot be used
// proves nothing, and is named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/session/selection.h"
#include "coverage/plan/plan.h"

namespace rejig::app {

struct RunStore {
  std::string run;    // its name in the answer
  std::string store;  // a file
};
// What select_by_runs() has besides: the stores of further runs, open.
struct ByRuns {
  std::unique_ptr<Selected> selected;
  std::vector<std::unique_ptr<Selected>> others;

  base::Result<coverage::Plan> plan(const coverage::PlanOptions& options) const;
};
// "NAME=FILE"; kUsage: it is not.
base::Result<RunStore> parse_run_store(const std::string& text);

// What the options ask, as always, and what more stores prove.
base::Result<ByRuns> select_by_runs(
    const SelectOptions& options, const std::vector<RunStore>& more,
    Work& work);

// "run TAB suite TAB test" of each test that is proved, "end N" as last line.
std::string proofs_text(const coverage::Answer& answer);

}  // namespace rejig::app
