// SPDX-License-Identifier: Apache-2.0
// How does the agent speak? One line to stderr, `rejig-agent: …`, and never
// more than once for one cause.
#pragma once

#include <string_view>

namespace rejig::agent {

void say(std::string_view a, std::string_view b = {}, std::string_view c = {},
         std::string_view d = {});

}  // namespace rejig::agent
