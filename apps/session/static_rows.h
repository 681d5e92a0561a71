// SPDX-License-Identifier: Apache-2.0
// What could each test reach? Rows for the views that ask the Java Interclass
// Graph of the old program instead of a recorder:
//   static  every test of OLD, with all methods that can be reached from it
//   hybrid  the rows of the matrix, whose methods are those that can be reached
//           inside the classes that the row touched, and what it entered
// What can be reached is reach.h's. Errs towards reaching: who can reach a
// reflective call may reach every method; a row whose recorder did not see
// reflection, likewise inside its classes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/session/reach.h"
#include "classfile/base/parallel.h"
#include "classfile/base/result.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

// `recorded` may be null. Rows there give the suites and the last results.
base::Result<std::unique_ptr<coverage::Matrix>> static_rows(
    const OldWorld& old, coverage::Matrix* recorded,
    const std::string& default_suite, base::ThreadPool& pool);

base::Result<std::unique_ptr<coverage::Matrix>> hybrid_rows(
    const OldWorld& old, coverage::Matrix& recorded, base::ThreadPool& pool);

}  // namespace rejig::app
