// SPDX-License-Identifier: Apache-2.0
// What does an accessor do? Up to release 10 javac reaches private members of
// other classes of a nest through synthetic methods (access$NNN, constructors
// with a dummy parameter); later releases go there directly (N14). Only bodies
// that hand all their arguments to one instruction are understood.
#pragma once

#include <optional>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"

namespace rejig::traversal {

struct AccessorBody {
  classfile::Opcode op = classfile::Opcode{};
  classfile::MemberRef ref;
  bool returns_what_it_stores = false;  // a setter: the value stays
};

// Who calls one that may be called by others now, or in another way, is not told
// by what it does.
inline bool same_to_callers(const classfile::MemberView& a,
                            const classfile::MemberView& b) {
  constexpr unsigned kSeen =
      classfile::kAccPublic | classfile::kAccPrivate |
      classfile::kAccProtected | classfile::kAccStatic |
      classfile::kAccSynchronized | classfile::kAccNative |
      classfile::kAccAbstract;
  return ((a.access ^ b.access) & kSeen) == 0;
}

// A static access$NNN with the arguments of its instruction, in order.
std::optional<AccessorBody> accessor_body(const classfile::ClassView& cls,
                                          const classfile::MemberView& method);

// A synthetic constructor that calls another one of its class with all its
// parameters but the last one.
std::optional<AccessorBody> constructor_body(
    const classfile::ClassView& cls, const classfile::MemberView& method);

}  // namespace rejig::traversal
