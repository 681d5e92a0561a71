// SPDX-License-Identifier: Apache-2.0
// How do coverage data that others recorded become rows? Each format gets the
// grade that it deserves (FORMAT.md): what is not entry-true is `lower-bound`
// and never justifies a skip unless the user says so; what cannot be mapped to
// a method of the old program is counted in the report. A file that is not as
// its format says is an Error that names the place, and nothing of it counts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/row.h"

namespace rejig::coverage {

class OldClasses;

struct ImportOptions {
  std::string suite = "default";
  std::string test;  // of rows whose source names no test
  // Of tests whose source does not say how they ended.
  Outcome result = Outcome::kUnknown;
};

struct ForeignReport {
  std::size_t rows = 0;
  // Left out, because no test can have their names; those tests have no row.
  std::size_t nameless = 0;
  std::vector<std::string> notes;  // what could not be used, a sentence each
};

// JaCoCo .exec, one session a test; session ids are test ids.
base::Result<ForeignReport> import_jacoco(base::Bytes file,
                                          const std::string& name,
                                          const ImportOptions& options,
                                          OldClasses& old_classes,
                                          MatrixBuilder& builder);
// PIT's linecoverage.xml (exportLineCoverage).
base::Result<ForeignReport> import_pit(std::string_view file,
                                       const std::string& name,
                                       const ImportOptions& options,
                                       MatrixBuilder& builder);
// Teamscale's testwise coverage JSON.
base::Result<ForeignReport> import_testwise(std::string_view file,
                                            const std::string& name,
                                            const ImportOptions& options,
                                            OldClasses& old_classes,
                                            MatrixBuilder& builder);
// LCOV, a record a test (TN:), or all of it for options.test.
base::Result<ForeignReport> import_lcov(std::string_view file,
                                        const std::string& name,
                                        const ImportOptions& options,
                                        OldClasses& old_classes,
                                        MatrixBuilder& builder);

// Adds the row, or counts it as nameless.
void add_foreign_row(const Row& row,
                     std::vector<MatrixBuilder::LocalAtom> atoms,
                     MatrixBuilder& builder, ForeignReport& report);

// "a/b/FooTest/one(int)" and "a.b.FooTest.one" as test ids:
// "a.b.FooTest#one()".
std::string test_id_of(std::string_view foreign);

}  // namespace rejig::coverage
