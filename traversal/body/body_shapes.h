// SPDX-License-Identifier: Apache-2.0
// Which small shapes of instructions does the comparison of bodies know?
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "classfile/reader/descriptor.h"
#include "traversal/body/body_ops.h"
#include "traversal/code/body_graph.h"
#include "traversal/code/renaming.h"
#include "traversal/code/slot_relation.h"

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

// Row by row over the same nodes.
inline bool same_handler_tables(const BodyGraph& old_body,
                                const classfile::CodeView& a,
                                const BodyGraph& new_body,
                                const classfile::CodeView& b,
                                const Renaming& renaming) {
  if (a.handler_count != b.handler_count) return false;
  const auto& old_pool = old_body.cls().pool();
  const auto& new_pool = new_body.cls().pool();
  for (std::uint16_t i = 0; i < a.handler_count; ++i) {
    const auto x = a.handler(i);
    const auto y = b.handler(i);
    if (old_body.node_at(x.start) != new_body.node_at(y.start) ||
        old_body.node_at(x.end) != new_body.node_at(y.end) ||
        old_body.node_at(x.at) != new_body.node_at(y.at) ||
        (x.type == 0) != (y.type == 0) ||
        (x.type != 0 && !renaming.same_class(old_pool.text(x.type),
                                             new_pool.text(y.type)))) {
      return false;
    }
  }
  return true;
}

// An accessor's call at `at`; behind a null that begins at `first`, that of a
// synthetic constructor.
inline bool calls_accessor(const BodyGraph& body, std::uint32_t at,
                           std::uint32_t first) {
  using classfile::Opcode;
  const BodyNode& node = body.nodes()[at];
  if (node.kind != NodeKind::kCall) return false;
  const auto name = body.cls().pool().member(node.index).name;
  return at == first
             ? node.op == Opcode::k_invokestatic && name.starts_with("access$")
             : node.op == Opcode::k_invokespecial && name == "<init>";
}

inline bool drops(const BodyGraph& body, std::uint32_t at) {
  using classfile::Opcode;
  return at < body.nodes().size() &&
         (body.nodes()[at].op == Opcode::k_pop ||
          body.nodes()[at].op == Opcode::k_pop2);
}

// Does a branch that compares an int with zero jump?
inline bool jumps(classfile::Opcode op, std::int32_t value) {
  using classfile::Opcode;
  switch (op) {
    case Opcode::k_ifeq:
      return value == 0;
    case Opcode::k_ifne:
      return value != 0;
    case Opcode::k_iflt:
      return value < 0;
    case Opcode::k_ifge:
      return value >= 0;
    case Opcode::k_ifgt:
      return value > 0;
    default:
      return value <= 0;
  }
}

// `int 1`, copies of it, `ifeq`: where that goes on, which is always the same;
// kNowhere: something else, or a way back. The stores are added.
inline std::uint32_t way_of_constant(const BodyGraph& body, std::uint32_t at,
                                     std::vector<const BodyNode*>& stores) {
  using classfile::Opcode;
  const auto nodes = body.nodes();
  if (nodes[at].kind != NodeKind::kIntConst) return BodyGraph::kNowhere;
  std::uint32_t next = body.settle(at + 1);
  while (next != BodyGraph::kNowhere && next > at) {
    const BodyNode& node = nodes[next];
    if (node.kind == NodeKind::kBranch && node.op >= Opcode::k_ifeq &&
        node.op <= Opcode::k_ifle) {
      const std::uint32_t way = body.settle(
          jumps(node.op, nodes[at].value) ? node.target : next + 1);
      return way == BodyGraph::kNowhere || way <= at ? BodyGraph::kNowhere
                                                     : way;
    }
    const std::uint32_t behind = behind_copy(body, next);
    if (behind == BodyGraph::kNowhere) break;
    stores.push_back(&node);
    next = behind;
  }
  return BodyGraph::kNowhere;
}

// What stands before a store whose value is used afterwards.
inline bool keeps_stored(classfile::Opcode op, classfile::Opcode store,
                         std::string_view descriptor) {
  using classfile::Opcode;
  const bool wide = classfile::type_of_descriptor(descriptor).slots() == 2;
  if (store == Opcode::k_putfield) {
    return op == (wide ? Opcode::k_dup2_x1 : Opcode::k_dup_x1);
  }
  return op == (wide ? Opcode::k_dup2 : Opcode::k_dup);
}

// `String.valueOf(Object)`, or an append(Object) in its place.
inline bool is_string_of(const BodyGraph& body, const BodyNode& node) {
  if (node.kind == NodeKind::kStringOf) return true;
  if (node.kind != NodeKind::kCall ||
      node.op != classfile::Opcode::k_invokestatic) {
    return false;
  }
  const auto ref = body.cls().pool().member(node.index);
  return ref.owner == "java/lang/String" && ref.name == "valueOf" &&
         ref.descriptor == "(Ljava/lang/Object;)Ljava/lang/String;";
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
