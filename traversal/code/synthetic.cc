// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/synthetic.h"

#include <algorithm>

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

namespace {

unsigned argument_count(std::string_view descriptor) {
  unsigned count = 0;
  for (std::size_t i = 1; i < descriptor.size() && descriptor[i] != ')'; ++i) {
    while (i < descriptor.size() && descriptor[i] == '[') ++i;
    if (i < descriptor.size() && descriptor[i] == 'L') {
      i = descriptor.find(';', i);
      if (i == std::string_view::npos) return 256;
    }
    ++count;
  }
  return count;
}

}  // namespace

std::optional<std::uint32_t> switch_of_map(const BodyGraph& body,
                                           std::uint32_t node) {
  const auto nodes = body.nodes();
  const auto& pool = body.cls().pool();
  // Values above the table; never below zero, so that the table stays.
  unsigned depth = 0;
  for (std::uint32_t i = node + 1; i + 2 < nodes.size(); ++i) {
    const BodyNode& at = nodes[i];
    switch (at.kind) {
      case NodeKind::kLocal:
        if (at.op < Opcode::k_iload || at.op > Opcode::k_aload) {
          return std::nullopt;
        }
        ++depth;
        continue;
      case NodeKind::kIntConst:
      case NodeKind::kLongConst:
      case NodeKind::kFloatConst:
      case NodeKind::kDoubleConst:
      case NodeKind::kPoolConst:
        ++depth;
        continue;
      case NodeKind::kField:
        if (at.op == Opcode::k_getstatic) {
          ++depth;
        } else if (at.op != Opcode::k_getfield || depth == 0) {
          return std::nullopt;
        }
        continue;
      case NodeKind::kType:
        if (at.op != Opcode::k_checkcast || depth == 0) return std::nullopt;
        continue;
      case NodeKind::kCall: {
        const auto ref = pool.member(at.index);
        const unsigned takes = argument_count(ref.descriptor) +
                               (at.op == Opcode::k_invokestatic ? 0 : 1);
        if (takes > depth || ref.descriptor.ends_with(")V")) {
          return std::nullopt;
        }
        depth = depth - takes + 1;
        const bool ordinal = at.op == Opcode::k_invokevirtual && depth == 1 &&
                             ref.name == "ordinal" && ref.descriptor == "()I";
        if (ordinal && nodes[i + 1].op == Opcode::k_iaload &&
            nodes[i + 2].kind == NodeKind::kSwitch) {
          if (body.entered_between(node, i + 2)) return std::nullopt;
          return i + 2;
        }
        continue;
      }
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::map<std::string, std::uint32_t>> cases_by_name(
    const BodyGraph& body, const BodyNode& at, const SwitchMap& map) {
  std::map<std::string, std::uint32_t> out;
  for (const SwitchCase& one : body.cases(at)) {
    bool known = false;
    for (const auto& [name, key] : map) {
      if (key != one.key) continue;
      known = true;
      out.emplace(name, one.target);
    }
    if (!known) return std::nullopt;
  }
  return out;
}

}  // namespace rejig::traversal
