// SPDX-License-Identifier: Apache-2.0
// How does the agent work on something beside the program, without being seen?
// On a thread that is none of Java's: programs count those and look at them.
#pragma once

namespace rejig::agent {

// Runs body(of) on a thread of its own, for as long as the process lives. False
// when there is none to be had.
bool run_beside(void (*body)(void*), void* of);

}  // namespace rejig::agent
