// SPDX-License-Identifier: Apache-2.0
// System properties by which a build tool is told which tests to run, and what
// else to do: `-Dtest=X`, `-DskipITs`, `-Dmaven.javadoc.skip`. Another value is
// no other setting for who never asks. Who asks has it in the row as a variable
// "-DNAME" (file_state.h), and whoever gets all properties has "-D*". Errs
// towards "changed": what a JVM had that nobody knows is equal to nothing.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "coverage/row/file_state.h"
#include "coverage/row/row_file.h"

namespace rejig::coverage {

class RecordedClasses;

bool chooses_tests(std::string_view property);

// "NAME=VALUE" of a JVM's properties: its variables "-DNAME=VALUE".
Environment choices_of(const Environment& properties);

// The class path, which the build makes, too: as such a variable.
std::string class_path_told(std::string_view list);

// Who met that ("property test", "kept properties"): which variable is in the
// row, as the recorder would say it? Empty: none. null: nobody knows what it
// was.
std::string choice_seen(std::string_view met, const Environment* choices);

// What was asked while no test ran, by a runner's listener or an initializer
// that it came upon, is everybody's: it may decide about any test.
std::set<std::string> choices_of_everybody(const RowFile& file,
                                           RecordedClasses& classes,
                                           const Environment* choices);

}  // namespace rejig::coverage
