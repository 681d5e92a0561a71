// SPDX-License-Identifier: Apache-2.0
// What would the next `rejig run` select, as the program lies there now? OLD is
// the baseline of each suite, NEW the same class path: whoever asks need not know
// either. Only a run sees whether the class path, the libraries or the options
// of its JVMs are others; the answer says that it does not. What can be seen to be
// another one (a library, a root that is gone) selects everything.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/session/run_baseline.h"
#include "apps/session/selection.h"

namespace rejig::app {

struct LastProgram {
  std::string suite;
  std::string problem;  // why it cannot be compared with; empty: it can
  Snapshot snapshot;
};
// Of each suite of the store that has a baseline, sorted.
base::Result<std::vector<LastProgram>> last_programs(const std::string& store);

// The programs of the options or of the settings; without any, as above.
base::Result<std::unique_ptr<Selected>> select_given_or_last(
    SelectOptions options, Work& work);
// `options` without programs. An Error where there was no run.
base::Result<std::unique_ptr<Selected>> select_since_last_run(
    SelectOptions options, Work& work);

}  // namespace rejig::app
