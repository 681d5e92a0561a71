// SPDX-License-Identifier: Apache-2.0
// Why is the answer what it is? What somebody asks of an answer, and what is
// found in it: the chain from a test to its edges, what an unaffected test
// lacks, the tests of an edge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/session/selection.h"
#include "classfile/base/result.h"
#include "coverage/select/explain.h"

namespace rejig::app {

struct Questions {
  std::vector<std::string> tests;  // ids, classes or patterns
  std::string skipped;             // of what is not selected
  std::string edge;                // "E12"
  bool top = false;                // the edges that select most tests
};

struct Explanation {
  std::vector<coverage::TestExplanation> tests;
  std::vector<coverage::SkipExplanation> skips;
  std::optional<std::uint32_t> edge;
  std::vector<coverage::TestKey> edge_tests;
  std::vector<coverage::EdgeCount> top;
  bool top_asked = false;
};

// kNotFound: no test of the answer, or no edge of it, has this name.
base::Result<Explanation> explanation_of(Selected& selected,
                                         const Questions& asked);

}  // namespace rejig::app
