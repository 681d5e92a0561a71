// SPDX-License-Identifier: Apache-2.0
// Are two bodies the same instructions at the same pcs? The cheapest yes:
// operands of the pool are compared by what they say, accessors and switch
// tables by what they do, nothing is built. A no means nothing. $values() is
// always a no.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "traversal/body/constant_compare.h"
#include "traversal/code/renaming.h"

namespace rejig::traversal {

// Pool entries of two classes that were found to be the same operand. Asked of
// most of them at many places.
class PoolPairs {
 public:
  PoolPairs(const classfile::ClassView& old_class,
            const classfile::ClassView& new_class)
      : old_(&old_class),
        new_(&new_class),
        partner_(old_class.pool().count(), 0) {}
  bool are_of(const classfile::ClassView& old_class,
              const classfile::ClassView& new_class) const {
    return old_ == &old_class && new_ == &new_class;
  }
  bool known(std::uint16_t old_index, std::uint16_t new_index) const {
    return partner_[old_index] == new_index;
  }
  void note(std::uint16_t old_index, std::uint16_t new_index) {
    partner_[old_index] = new_index;
  }

 private:
  const classfile::ClassView* old_;
  const classfile::ClassView* new_;
  std::vector<std::uint16_t> partner_;
};

struct SameBytes {
  const classfile::ClassView& old_class;
  const classfile::ClassView& new_class;
  const Renaming& renaming;
  ConstantCompare& constants;
  // Lambda bodies met at the same place; meaningless after a no.
  std::vector<std::pair<MethodName, MethodName>>& lambdas;
  PoolPairs* pairs;  // of the two classes, or null
  BodyContext& context;

  bool bodies(const classfile::CodeView& a, const classfile::CodeView& b,
              std::uint32_t start);
  // Of the instruction at that pc in both.
  bool operands_at(const classfile::CodeView& a, const classfile::CodeView& b,
                   std::uint32_t pc);

 private:
  bool same_call(const classfile::MemberRef& a, const classfile::MemberRef& b);
  bool same_field(classfile::Opcode op, const classfile::MemberRef& a,
                  const classfile::MemberRef& b);
  bool operands(const classfile::CodeView& a, const classfile::CodeView& b,
                const classfile::Instruction& x,
                const classfile::Instruction& y);
  bool pool_operands(const classfile::CodeView& a,
                     const classfile::CodeView& b,
                     const classfile::Instruction& x,
                     const classfile::Instruction& y);
};

}  // namespace rejig::traversal
