// SPDX-License-Identifier: Apache-2.0
// Which initializers run now, and in which order (channel C6)?
#include "jig/lookup/resolve.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;

namespace {

std::string sequence_text(const std::vector<std::string>& sequence) {
  std::string out;
  for (const auto& name : sequence) {
    if (!out.empty()) out += ", ";
    out += classfile::dotted(name);
  }
  return "[" + out + "]";
}

}  // namespace

void compare_initialization(const Structure& structure,
                            Findings& findings) {
  for (const Name name : structure.doubtful_sorted) {
    const ClassNode* a = structure.worlds.old_world.find(name);
    const ClassNode* b = structure.matching.partner(name);
    if (a == nullptr || b == nullptr || !a->internal) continue;
    auto before = jig::init_procedure(structure.worlds.old_world, name);
    const auto after = jig::init_procedure(structure.worlds.new_world, b->name);
    auto renamed = before;
    for (auto& one : renamed) {
      one = one.starts_with('?') ? one
                                 : structure.matching.renaming.class_name(one);
    }
    if (renamed == after) continue;
    Delta d;
    d.rule = Rule::kD13;
    d.channel = Channel::kInitialization;
    d.entity = classfile::dotted(name);
    d.subject = d.entity;
    d.label = "initialization";
    d.old_fact = sequence_text(before);
    d.new_fact = sequence_text(after);
    d.why = "initializing `" + d.entity + "` ran " + d.old_fact +
            " and runs " + d.new_fact;
    findings.edges.push_back(std::move(d));
  }
}

}  // namespace rejig::traversal
