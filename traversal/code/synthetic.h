// SPDX-License-Identifier: Apache-2.0
// Which members did the compiler invent, so that their names mean nothing?
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "classfile/reader/class_view.h"
#include "traversal/code/body_graph.h"

namespace rejig::traversal {

inline bool is_lambda_name(const classfile::MemberView& method) {
  return method.is(classfile::kAccSynthetic) &&
         method.name.starts_with("lambda$");
}
inline bool is_accessor(const classfile::MemberView& method) {
  return method.is(classfile::kAccSynthetic) &&
         method.is(classfile::kAccStatic) && method.name.starts_with("access$");
}
inline bool is_switch_map_field(std::string_view name) {
  return name.starts_with("$SwitchMap$");
}

const classfile::MemberView* find_method(const classfile::ClassView& cls,
                                         std::string_view name,
                                         std::string_view descriptor);

// javac's synthetic class O$1 that holds only $SwitchMap$ tables: for each
// table, constant name -> case key. nullopt when the class is anything else.
using SwitchMap = std::map<std::string, int>;
using SwitchMaps = std::map<std::string, SwitchMap>;
std::optional<SwitchMaps> read_switch_maps(const classfile::ClassView& cls);

// The switch that a read of such a table at `node` is for: what javac writes,
// in one straight line: table, an enum value, ordinal(), iaload, switch.
// Anything else: nullopt.
std::optional<std::uint32_t> switch_of_map(const BodyGraph& body,
                                           std::uint32_t node);
// What the switch does for each constant: name -> node. nullopt when a case is
// for no constant of the table.
std::optional<std::map<std::string, std::uint32_t>> cases_by_name(
    const BodyGraph& body, const BodyNode& at, const SwitchMap& map);

}  // namespace rejig::traversal
