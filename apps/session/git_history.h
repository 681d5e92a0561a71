// SPDX-License-Identifier: Apache-2.0
// Which commits are near this one? git is asked, for a while; a clone without
// history still knows the parents of its commit, and a forge says more in its
// variables. A commit is a hint where to look and proves nothing, so a wrong or
// missing one costs a run at most.
#pragma once

#include <string>
#include <vector>

#include "coverage/remote/transport.h"

namespace rejig::app {

struct History {
  std::string head;                  // empty: no repository
  std::string branch;                // as the forge or git says; may be empty
  bool changed = false;              // files that git knows are others now
  std::vector<std::string> near;     // commits, the nearest first, once each
  std::vector<std::string> branches; // whose last commit may be near, too
};

History history_of(const std::string& project, coverage::Deadline deadline);

}  // namespace rejig::app
