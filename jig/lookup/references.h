// SPDX-License-Identifier: Apache-2.0
// Which members do the instructions of a class name? Every field or method
// reference of an instruction and every method handle that one of them can
// reach (ldc, invokedynamic, condy, bootstrap methods and their arguments), once
// for each kind of access. Names view the class's bytes.
#pragma once

#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"

namespace rejig::jig {

struct Reference {
  classfile::Opcode op;  // getstatic … invokeinterface
  classfile::MemberRef ref;
  bool from_caller = false;  // who asks matters: invokespecial
};

// The instruction that a handle of this kind (1..9) stands for.
classfile::Opcode handle_op(std::uint8_t kind);

// The handles behind a pool constant: itself, or those of a condy.
// `seen_bootstraps` has a flag for each bootstrap method and is kept between
// calls, so that shared condys are walked once.
void handles_behind(const classfile::ClassView& cls, std::uint16_t constant,
                    std::vector<bool>& seen_bootstraps,
                    std::vector<std::uint16_t>& handles);
// Of an invokedynamic or condy: its bootstrap method and arguments.
void handles_of_bootstrap(const classfile::ClassView& cls,
                          std::uint16_t bootstrap,
                          std::vector<bool>& seen_bootstraps,
                          std::vector<std::uint16_t>& handles);

std::vector<Reference> references_of(const classfile::ClassView& cls);

}  // namespace rejig::jig
