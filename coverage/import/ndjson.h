// SPDX-License-Identifier: Apache-2.0
// How do matrices travel between programs? As NDJSON: an optional header line,
// then one line a row (FORMAT.md). Both directions stream by line; export needs
// the matrix by row and builds that in memory.
// Import is strict: the first line that is not as documented is an Error with
// line and column, and nothing of the stream counts. Which kinds of atoms a row
// without a `facts` list has recorded is decided on the safe side (FORMAT.md).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "classfile/base/result.h"
#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

// Fills the buffer as far as it can; 0 is the end.
using ReadBytes =
    std::function<base::Result<std::size_t>(char* buffer, std::size_t size)>;
using WriteText = std::function<void(std::string_view)>;

struct ImportReport {
  std::size_t rows = 0;
  // False: nobody can check that the rows belong to the old program's bytes.
  bool header = false;
};

// `name` stands in messages: "m.ndjson:3:17". Rows without a suite get `suite`.
base::Result<ImportReport> import_ndjson(const ReadBytes& read,
                                         const std::string& name,
                                         const std::string& suite,
                                         MatrixBuilder& builder);

base::Result<void> export_ndjson(Matrix& matrix, const WriteText& write);

}  // namespace rejig::coverage
