// SPDX-License-Identifier: Apache-2.0
// Why does a receiver run another method now? The change that decided it, in a
// clause, and where it can be read. For people: nothing is selected by it.
#pragma once

#include <string>

#include "jig/lookup/resolve.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

struct DispatchCause {
  std::string because;  // "`Square` gained the method"; empty: not one change
  std::string file;     // of a class that is in memory
  unsigned line = 0;
};

// `before` is in old words and `after` in new ones, the signature in old words.
DispatchCause dispatch_cause(const Matching& matching,
                             const ClassNode& receiver,
                             const jig::MethodAnswer& before,
                             const jig::MethodAnswer& after, Name name,
                             Name descriptor);

}  // namespace rejig::traversal
