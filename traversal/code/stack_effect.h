// SPDX-License-Identifier: Apache-2.0
// What does an instruction of straight-line code do to the operand stack? In
// slots; nullopt for whatever leaves the straight line.
#pragma once

#include <optional>

#include "traversal/code/body_graph.h"

namespace rejig::traversal {

struct StackEffect {
  int looks_at = 0;  // slots below the top that it reads or removes
  int change = 0;
};

std::optional<StackEffect> stack_effect(const classfile::ClassView& cls,
                                        const BodyNode& node);

// The same for an instruction without operands that computes; nullopt for others.
std::optional<StackEffect> plain_effect(classfile::Opcode op);

}  // namespace rejig::traversal
