// SPDX-License-Identifier: Apache-2.0
// What did a test see when it read this environment variable? The name alone
// when it is not set, else the name and a digest of the value: rows hold no
// secrets. The empty name stands for all of them at once.
#pragma once

#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

// "NAME=16 bytes in hex", "NAME", or "*=..." for the whole environment. Lives
// as long as the arena.
std::string_view variable_state(std::string_view name, Arena& arena);

}  // namespace rejig::agent
