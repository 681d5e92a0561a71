// SPDX-License-Identifier: Apache-2.0
// How is an instruction shown to a person? As its mnemonic and resolved
// operands, never with pool indexes: "invokevirtual a.b.C.add(II)I".
#pragma once

#include <string>

#include "traversal/code/body_graph.h"

namespace rejig::traversal {

std::string describe(const BodyGraph& body, std::uint32_t node);
// Two nodes that are not the same and have the same text: what differs is shown.
void tell_apart(const BodyGraph& old_body, std::uint32_t old_node,
                const BodyGraph& new_body, std::uint32_t new_node,
                std::string& old_text, std::string& new_text);
// One constant of a pool: 5, "text", a.b.C, …
std::string describe_constant(const classfile::ClassView& cls,
                              std::uint16_t index);

}  // namespace rejig::traversal
