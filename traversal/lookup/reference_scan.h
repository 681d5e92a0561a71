// SPDX-License-Identifier: Apache-2.0
// Which references of one old class mean something else now (C3, C5, C6, C7)?
// Every instruction of the given methods is asked in both worlds, handlers too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "traversal/session/structure.h"

namespace rejig::traversal {

struct MethodPart {
  const classfile::MemberView* method = nullptr;
  std::span<const std::uint32_t> pcs;  // sorted; left out, or
  bool only_these = false;             // all that is asked
};

// `caller_doubtful`: being this class can mean something else, so nothing that
// it refers to is left out.
std::vector<classfile::Delta> reference_edges(
    const Structure& structure, const classfile::ClassView& cls,
    std::string new_name, bool caller_doubtful,
    std::span<const MethodPart> methods);

}  // namespace rejig::traversal
