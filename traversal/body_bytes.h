// SPDX-License-Identifier: Apache-2.0
// Are two bodies the same instructions at the same pcs? The cheapest yes:
// operands of the pool are compared by what they say, nothing is built. A no
// means nothing. Calls that a comparison may look through (accessors, switch
// tables, $values) are always a no.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "classfile/class_view.h"
#include "classfile/code.h"
#include "traversal/constant_compare.h"
#include "traversal/renaming.h"

namespace rejig::traversal {

struct SameBytes {
  const classfile::ClassView& old_class;
  const classfile::ClassView& new_class;
  const Renaming& renaming;
  ConstantCompare& constants;
  // Lambda bodies met at the same place; meaningless after a no.
  std::vector<std::pair<MethodName, MethodName>>& lambdas;

  bool bodies(const classfile::CodeView& a, const classfile::CodeView& b,
              std::uint32_t start);

 private:
  bool operands(const classfile::CodeView& a, const classfile::CodeView& b,
                const classfile::Instruction& x,
                const classfile::Instruction& y);
};

}  // namespace rejig::traversal
