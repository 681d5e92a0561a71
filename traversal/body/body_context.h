// SPDX-License-Identifier: Apache-2.0
// What does a body comparison ask about other methods and classes? Answers from
// the two worlds of a matching, which must outlive them. For one thread.
#pragma once

#include <memory>

#include "traversal/body/body_compare.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

// Remembers nothing: for the bodies of any classes.
std::unique_ptr<BodyContext> make_body_context(const Matching& matching);
// For the bodies of these two, remembering what was answered.
std::unique_ptr<BodyContext> make_body_context(
    const Matching& matching, const classfile::ClassView& old_class,
    const classfile::ClassView& new_class);

}  // namespace rejig::traversal
