// SPDX-License-Identifier: Apache-2.0
// How does a command run with the recorder in every JVM that it starts? By
// environment variables and nothing else. While it runs, `idle` is called when
// a file is made in a folder, and now and then. Interrupts go to the command;
// rejig outlives it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::app {

using Variables = std::vector<std::pair<std::string, std::string>>;

// A closed pipe is no reason to die, and the status of a child must be told,
// whatever the parent of rejig ignores. Commands get both as rejig got them.
void set_signals();

// The exit code, 128 + N for signal N, 127 when it cannot be started; an
// error when the system does not tell.
base::Result<int> run_process(const std::vector<std::string>& words,
                              const Variables& variables,
                              const std::function<void()>& idle,
                              const std::string& folder = "");

// REJIG_OFF: everything is as without rejig.
bool switched_off();

}  // namespace rejig::app
