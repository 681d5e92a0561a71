// SPDX-License-Identifier: Apache-2.0
// Is this initializer only javac's `assert` switch? javac puts
//   $assertionsDisabled = !C.class.desiredAssertionStatus();
// in front of <clinit>. Its value is the command line's, not the program's, so
// equivalence strips it and a <clinit> of nothing else counts as absent
// (semantics rule N9).
#pragma once

#include <cstdint>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"

namespace rejig::jig {

// The pc behind the prelude; 0 when the code does not begin with one.
std::uint32_t assert_prelude_end(const classfile::ClassView& cls,
                                 const classfile::CodeView& code);

bool is_only_assert_prelude(const classfile::ClassView& cls,
                            const classfile::MemberView& clinit);

}  // namespace rejig::jig
