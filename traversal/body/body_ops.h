// SPDX-License-Identifier: Apache-2.0
// What does the comparison of bodies need to know about single opcodes and
// about the slots that a method starts with?
#pragma once

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"

namespace rejig::traversal {

// Local slots that hold the receiver and the arguments at entry.
inline unsigned parameter_slots(const classfile::MemberView& method) {
  return classfile::argument_slots(method.descriptor) +
         (method.is(classfile::kAccStatic) ? 0u : 1u);
}

// The conditional that jumps exactly when `op` does not.
inline classfile::Opcode inverse(classfile::Opcode op) {
  using classfile::Opcode;
  switch (op) {
    case Opcode::k_ifnull:
      return Opcode::k_ifnonnull;
    case Opcode::k_ifnonnull:
      return Opcode::k_ifnull;
    default: {
      // ifeq/ifne, iflt/ifge, ifgt/ifle, … lie side by side from ifeq on.
      const unsigned k =
          static_cast<unsigned>(op) - static_cast<unsigned>(Opcode::k_ifeq);
      return static_cast<Opcode>(static_cast<unsigned>(Opcode::k_ifeq) +
                                 (k ^ 1u));
    }
  }
}

inline bool compares_floats(classfile::Opcode op) {
  return op >= classfile::Opcode::k_fcmpl && op <= classfile::Opcode::k_dcmpg;
}

}  // namespace rejig::traversal
