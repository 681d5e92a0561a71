// SPDX-License-Identifier: Apache-2.0
// Which small shapes of instructions does the comparison of bodies know?
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "traversal/body_graph.h"
#include "traversal/body_ops.h"

namespace rejig::traversal {

// `x.getClass()` and `Objects.requireNonNull(x)`, the result dropped (N12).
inline bool is_null_check(const BodyGraph& body, std::uint32_t at) {
  const BodyNode& node = body.nodes()[at];
  if (node.kind != NodeKind::kCall || at + 1 >= body.nodes().size() ||
      body.nodes()[at + 1].op != classfile::Opcode::k_pop) {
    return false;
  }
  const auto ref = body.cls().pool().member(node.index);
  return (node.op == classfile::Opcode::k_invokevirtual &&
          ref.name == "getClass" && ref.descriptor == "()Ljava/lang/Class;") ||
         (node.op == classfile::Opcode::k_invokestatic &&
          ref.owner == "java/util/Objects" && ref.name == "requireNonNull" &&
          ref.descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;");
}

// An int branch that is entered by a jump may compare a float's result.
inline bool jumped_to(const BodyGraph& body, std::uint32_t node) {
  if (body.nodes()[node].op > classfile::Opcode::k_ifle) return false;
  for (const BodyNode& other : body.nodes()) {
    if ((other.kind == NodeKind::kBranch || other.kind == NodeKind::kGoto) &&
        other.target == node) {
      return std::any_of(
          body.nodes().begin(), body.nodes().end(),
          [](const BodyNode& n) { return compares_floats(n.op); });
    }
  }
  return false;
}

inline std::string handlers_text(std::span<const HandlerEdge> list) {
  std::string out = " caught by [";
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k != 0) out += ", ";
    out += list[k].type.empty() ? "any" : std::string(list[k].type);
  }
  return out + "]";
}

}  // namespace rejig::traversal
