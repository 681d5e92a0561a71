// SPDX-License-Identifier: Apache-2.0
// Which options do several commands share? Those that say which programs are
// compared, what is selected from, and how a command is run and recorded.
#pragma once

#include "apps/rejig/cli/command.h"
#include "apps/session/inputs.h"
#include "apps/session/run_session.h"
#include "apps/session/selection.h"
#include "apps/session/several_runs.h"

namespace rejig::app {

void declare_inputs(CommandLine& line, InputOptions& options);
void declare_selection(CommandLine& line, SelectOptions& options,
                       bool with_view = true);
void declare_session_options(CommandLine& line, SessionOptions& options);

// The command's own, but trouble is never 0.
inline int exit_code_of(const RunEnd& end) {
  return end.trouble && end.exit_code == 0 ? kExitTrouble : end.exit_code;
}

// Large pages and few arenas, then the question. `or_last`: without programs, of
// what the next run would select.
base::Result<std::unique_ptr<Selected>> selected_by(
    const SelectOptions& options, Context& context,
    bool or_last = false);
base::Result<ByRuns> selected_by_runs(const SelectOptions& options,
                                      const std::vector<std::string>& proofs,
                                      Context& context);

}  // namespace rejig::app
