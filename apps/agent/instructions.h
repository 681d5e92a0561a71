// SPDX-License-Identifier: Apache-2.0
// Where does the next instruction begin (JVMS §6.5)? Of code that is not
// understood the answer is no, and the caller treats it as if it did anything.
#pragma once

#include "apps/agent/memory.h"

namespace rejig::agent {

// The reader stands behind the opcode that is at pc, and then behind its
// operands. False: no such instruction.
bool skip_operands(unsigned op, std::size_t pc, ByteReader& in);

}  // namespace rejig::agent
