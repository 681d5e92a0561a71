// SPDX-License-Identifier: Apache-2.0
// Several runs, one question: which tests need not run, because some run proves
// it? Each comparison of a run's own program with NEW says what its rows prove,
// with the state that tests of that run shared (T10): that such a test passes in
// NEW as it passed then. That holds for NEW, whatever else is known, so proofs of
// several runs stand beside each other.
//
// What must run with whom (T11) is another matter: who runs needs what skipped
// tests leave, and the one may be known to one run only, the other to another. So
// all rows of all runs are asked together: whoever left a state in any of them
// runs if somebody who runs met it in any of them, or may meet it now by code that
// the run did not have.
//
// Errs towards running: a run in which the very code that NEW has did not pass
// overrules every proof; a run without rows of all its tests proves nothing
// about tests that meet state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/select/answer.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

struct ProofView {
  std::string run;  // what people know it by; empty: the store's own baseline
  Answer answer;
  Matrix* matrix = nullptr;  // null: not usable, then it proves nothing
  // Tests of the run's own program that left no row.
  std::vector<std::string> unrecorded;
  // What code that the run did not have may read of what others leave.
  std::vector<classfile::NewlyRead> newly_read;
};

// The first view that compared something gives the words: edges, notes. An Error:
// nobody knows.
base::Result<Answer> united_proofs(std::vector<ProofView> views);

}  // namespace rejig::coverage
