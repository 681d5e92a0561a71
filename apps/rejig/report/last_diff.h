// SPDX-License-Identifier: Apache-2.0
// Which two versions were compared last? `rejig diff` notes its inputs, so that
// `rejig explain E12` can be asked about the edge that somebody just saw: in the
// project's .rejig folder if there is one, else in $XDG_STATE_HOME/rejig. Only
// paths are kept. Where nothing can be written, nothing is.
#pragma once

#include <optional>

#include "apps/session/inputs.h"

namespace rejig::app {

void note_diff(const InputOptions& inputs);
std::optional<InputOptions> last_diff();

}  // namespace rejig::app
