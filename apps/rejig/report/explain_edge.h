// SPDX-License-Identifier: Apache-2.0
// rejig explain D16 and rejig explain E12: a rule, and an edge of a comparison
// without any test.
#pragma once

#include <string>
#include <string_view>

#include "apps/rejig/cli/command.h"
#include "apps/session/inputs.h"

namespace rejig::app {

// "D16", "rules"; "E12".
bool names_rule(std::string_view word);
bool names_edge(std::string_view word);

int explain_rule(const std::string& word, Context& context);
// Of OLD and NEW, else of the last `rejig diff`.
int explain_edge(const std::string& id, InputOptions inputs, Context& context);

}  // namespace rejig::app
