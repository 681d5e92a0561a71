// SPDX-License-Identifier: Apache-2.0
#include "traversal/synthetic.h"

#include <algorithm>

#include "traversal/body_graph.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::MemberView;
using classfile::Opcode;

const MemberView* find_method(const ClassView& cls, std::string_view name,
                              std::string_view descriptor) {
  const auto methods = cls.methods();
  const auto at = std::find_if(methods.begin(), methods.end(),
                               [&](const MemberView& method) {
                                 return method.name == name &&
                                        method.descriptor == descriptor;
                               });
  return at == methods.end() ? nullptr : &*at;
}

std::optional<SwitchMaps> read_switch_maps(const ClassView& cls) {
  if (!cls.is(classfile::kAccSynthetic) || cls.methods().size() != 1 ||
      cls.fields().empty() || cls.methods()[0].name != "<clinit>") {
    return std::nullopt;
  }
  for (const MemberView& field : cls.fields()) {
    if (!is_switch_map_field(field.name)) return std::nullopt;
  }
  const auto code = CodeView::of(cls, cls.methods()[0]);
  BodyGraph body;
  if (!code || !body.build(cls, *code)) return std::nullopt;
  const auto& pool = cls.pool();
  const auto nodes = body.nodes();
  SwitchMaps maps;
  // Each entry: getstatic table; getstatic E.NAME; invokevirtual ordinal;
  // key; iastore; goto; (handler) astore. Anything else is not understood.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BodyNode& node = nodes[i];
    if (node.kind == NodeKind::kField && node.op == Opcode::k_putstatic) {
      maps[std::string(pool.member(node.index).name)];
      continue;
    }
    const bool table = node.kind == NodeKind::kField &&
                       node.op == Opcode::k_getstatic &&
                       is_switch_map_field(pool.member(node.index).name);
    if (table) {
      if (i + 4 >= nodes.size() || nodes[i + 1].op != Opcode::k_getstatic ||
          nodes[i + 2].op != Opcode::k_invokevirtual ||
          nodes[i + 3].kind != NodeKind::kIntConst ||
          nodes[i + 4].op != Opcode::k_iastore) {
        return std::nullopt;
      }
      maps[std::string(pool.member(node.index).name)]
          [std::string(pool.member(nodes[i + 1].index).name)] =
              nodes[i + 3].value;
      i += 4;
      continue;
    }
    switch (node.op) {
      case Opcode::k_invokestatic:    // E.values()
      case Opcode::k_arraylength:
      case Opcode::k_newarray:
      case Opcode::k_goto:
      case Opcode::k_astore:
      case Opcode::k_return:
      case Opcode::k_nop:
        break;
      default:
        return std::nullopt;
    }
  }
  return maps;
}

}  // namespace rejig::traversal
