// SPDX-License-Identifier: Apache-2.0
// With how coarse an eye is the selection asked? The views of the one engine:
//   method  the dangerous edges of the comparison, as they are (the default)
//   edge    the same, asked of the rows' control-flow edges where both a row
//   and
//           a dangerous edge name them
//   class   classes touched: a test is selected when a class that it touched
//           has other bytes, debug tables aside
//   hybrid  the dangerous edges, asked of the methods that can be reached in
//   the
//           static graph inside the classes that the row touched
//   static  the dangerous edges, asked of everything that each test can reach
//   in
//           the static graph; needs no rows
// All share what has no class to touch: resources, libraries, test shells,
// new tests, doubtful rows, and everything that cannot be attributed.
// `class` is what a coarse and simple selector would do with the same rows: a
// yardstick for `method`, and a second opinion.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/reader/class_view.h"
#include "coverage/select/select.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

enum class View : std::uint8_t { kMethod, kEdge, kClass, kHybrid, kStatic };
std::string_view name_of(View view);
std::optional<View> view_of(std::string_view name);
std::span<const View> all_views();

// Makes the input ask for classes touched. `changed`: old names of the classes
// that differ (same_but_for_debug), sorted. A touched class is one that the row
// says was loaded (every collection point of a classes-touched selector loads
// the class), or that any other atom of the row speaks about; where loads were
// not recorded, the methods that imply one. `matrix` may be null.
base::Result<void> as_class_view(SelectionInput& input,
                                 const std::vector<std::string>& changed,
                                 Matrix* matrix);

// Are the files equal, apart from the contents of LineNumberTable,
// LocalVariableTable, LocalVariableTypeTable, SourceFile and
// SourceDebugExtension? Constant pools are compared byte for byte, so a renamed
// local variable counts as a difference.
bool same_but_for_debug(const classfile::ClassView& a,
                        const classfile::ClassView& b);

}  // namespace rejig::coverage
