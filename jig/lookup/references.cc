// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/references.h"

#include <algorithm>

namespace rejig::jig {

using classfile::ClassView;
using classfile::Opcode;
using classfile::Tag;

Opcode handle_op(std::uint8_t kind) {
  static constexpr Opcode kOps[] = {
      Opcode::k_nop,           Opcode::k_getfield,
      Opcode::k_getstatic,     Opcode::k_putfield,
      Opcode::k_putstatic,     Opcode::k_invokevirtual,
      Opcode::k_invokestatic,  Opcode::k_invokespecial,
      Opcode::k_invokespecial, Opcode::k_invokeinterface};
  return kind < std::size(kOps) ? kOps[kind] : Opcode::k_nop;
}

void handles_behind(const ClassView& cls, std::uint16_t constant,
                    std::vector<bool>& seen_bootstraps,
                    std::vector<std::uint16_t>& handles) {
  std::vector<std::uint16_t> todo = {constant};
  while (!todo.empty()) {
    const std::uint16_t at = todo.back();
    todo.pop_back();
    if (cls.pool().tag(at) == Tag::kMethodHandle) handles.push_back(at);
    if (cls.pool().tag(at) != Tag::kDynamic) continue;
    const std::uint16_t row = cls.pool().dynamic(at).bootstrap;
    if (row >= seen_bootstraps.size() || seen_bootstraps[row]) continue;
    seen_bootstraps[row] = true;
    const auto& bootstrap = cls.bootstrap_methods()[row];
    todo.push_back(bootstrap.handle);
    todo.insert(todo.end(), bootstrap.arguments.begin(),
                bootstrap.arguments.end());
  }
}

void handles_of_bootstrap(const ClassView& cls, std::uint16_t bootstrap,
                          std::vector<bool>& seen_bootstraps,
                          std::vector<std::uint16_t>& handles) {
  if (bootstrap >= seen_bootstraps.size() || seen_bootstraps[bootstrap]) {
    return;
  }
  seen_bootstraps[bootstrap] = true;
  const auto& row = cls.bootstrap_methods()[bootstrap];
  handles_behind(cls, row.handle, seen_bootstraps, handles);
  for (const std::uint16_t argument : row.arguments) {
    handles_behind(cls, argument, seen_bootstraps, handles);
  }
}

std::vector<Reference> references_of(const ClassView& cls) {
  const auto& pool = cls.pool();
  std::vector<std::uint8_t> asked(pool.count(), 0);  // a bit for each opcode
  std::vector<bool> bootstraps(cls.bootstrap_methods().size(), false);
  std::vector<std::uint16_t> handles;
  for (const auto& method : cls.methods()) {
    const auto code = classfile::CodeView::of(cls, method);
    if (!code) continue;
    classfile::InstructionReader reader(code->code);
    classfile::Instruction ins;
    while (reader.next(ins)) {
      if (ins.op >= Opcode::k_getstatic &&
          ins.op <= Opcode::k_invokeinterface) {
        asked[ins.index] |= static_cast<std::uint8_t>(
            1u << (static_cast<unsigned>(ins.op) -
                   static_cast<unsigned>(Opcode::k_getstatic)));
      } else if (ins.op == Opcode::k_invokedynamic) {
        handles_of_bootstrap(cls, pool.dynamic(ins.index).bootstrap,
                             bootstraps, handles);
      } else if (ins.op == Opcode::k_ldc || ins.op == Opcode::k_ldc_w ||
                 ins.op == Opcode::k_ldc2_w) {
        handles_behind(cls, ins.index, bootstraps, handles);
      }
    }
  }
  std::vector<Reference> out;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((asked[i] >> bit & 1) == 0) continue;
      const auto op = static_cast<Opcode>(
          static_cast<unsigned>(Opcode::k_getstatic) + bit);
      out.push_back({op, pool.member(static_cast<std::uint16_t>(i)),
                     op == Opcode::k_invokespecial});
    }
  }
  std::sort(handles.begin(), handles.end());
  handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
  for (const std::uint16_t at : handles) {
    const auto handle = pool.handle(at);
    constexpr std::uint8_t kInvokeSpecial = 7;
    out.push_back(
        {handle_op(handle.kind), handle.ref, handle.kind == kInvokeSpecial});
  }
  return out;
}

}  // namespace rejig::jig
