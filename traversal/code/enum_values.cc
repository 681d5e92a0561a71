// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/enum_values.h"

#include <algorithm>

#include "classfile/reader/code.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

bool means(const MemberRef& ref, const ClassView& cls,
           const MemberView& method) {
  return ref.owner == cls.name() && ref.name == method.name &&
         ref.descriptor == method.descriptor;
}

// Handles could lead anywhere.
bool has_handle(const ClassView& cls, const MemberView& method) {
  const auto& pool = cls.pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    if (pool.tag(i) == Tag::kMethodHandle &&
        means(pool.handle(i).ref, cls, method)) {
      return true;
    }
  }
  return false;
}

bool only_clinit_calls(const ClassView& cls, const MemberView& method) {
  const auto& pool = cls.pool();
  for (const MemberView& caller : cls.methods()) {
    if (caller.name == "<clinit>") continue;
    const auto code = CodeView::of(cls, caller);
    if (!code) continue;
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      const bool calls = ins.op >= Opcode::k_invokevirtual &&
                         ins.op <= Opcode::k_invokeinterface;
      if (calls && means(pool.member(ins.index), cls, method)) return false;
    }
    if (reader.failed()) return false;
  }
  return !has_handle(cls, method);
}

// Constants, an array, static fields of the class: nothing that could jump,
// store, or see who called.
bool is_array_of_constants(const ClassView& cls, const BodyGraph& body) {
  const auto nodes = body.nodes();
  if (nodes.size() < 3 || nodes.back().op != Opcode::k_areturn) return false;
  return std::all_of(nodes.begin(), nodes.end() - 1, [&](const BodyNode& node) {
    switch (node.kind) {
      case NodeKind::kIntConst:
        return true;
      case NodeKind::kType:
        return node.op == Opcode::k_anewarray;
      case NodeKind::kField:
        return node.op == Opcode::k_getstatic &&
               cls.pool().member(node.index).owner == cls.name();
      default:
        return node.op == Opcode::k_dup || node.op == Opcode::k_aastore;
    }
  });
}

bool straight_body(const ClassView& cls, const MemberView& method,
                   BodyGraph& body) {
  const auto code = CodeView::of(cls, method);
  return code && code->handler_count == 0 && body.build(cls, *code) &&
         is_array_of_constants(cls, body);
}

}  // namespace

const MemberView* values_helper(const ClassView& cls) {
  for (const MemberView& method : cls.methods()) {
    if (method.name != kValuesHelper) continue;
    constexpr std::uint16_t kFlags = classfile::kAccPrivate |
                                     classfile::kAccStatic |
                                     classfile::kAccSynthetic;
    const std::string descriptor = "()[L" + std::string(cls.name()) + ";";
    if (method.descriptor != descriptor ||
        (method.access & ~classfile::kAccFinal) != kFlags) {
      continue;
    }
    BodyGraph body;
    return straight_body(cls, method, body) && only_clinit_calls(cls, method)
               ? &method
               : nullptr;
  }
  return nullptr;
}

void inline_values(BodyGraph& clinit) {
  const ClassView& cls = clinit.cls();
  const MemberView* helper = values_helper(cls);
  if (helper == nullptr) return;
  BodyGraph body;
  if (!straight_body(cls, *helper, body)) return;
  for (std::uint32_t i = 0; i < clinit.nodes().size(); ++i) {
    const BodyNode& node = clinit.nodes()[i];
    if (node.kind == NodeKind::kCall && node.op == Opcode::k_invokestatic &&
        means(cls.pool().member(node.index), cls, *helper)) {
      clinit.splice(i, body.nodes().first(body.nodes().size() - 1));
      i += static_cast<std::uint32_t>(body.nodes().size()) - 2;
    }
  }
}

}  // namespace rejig::traversal
