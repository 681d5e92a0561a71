// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/changed_verification.h"

#include <algorithm>

#include "classfile/reader/code.h"
#include "traversal/verify/verify.h"

namespace rejig::traversal {

namespace {

using classfile::ClassView;

// Does it jump anywhere? Then it needs frames, and may have lost them.
bool jumps(const ClassView& cls, const classfile::MemberView& method) {
  const auto code = classfile::CodeView::of(cls, method);
  if (!code) return false;
  if (code->handler_count != 0) return true;
  classfile::InstructionReader in(code->code);
  classfile::Instruction at;
  while (in.next(at)) {
    const auto kind = classfile::operand_kind(at.op);
    if (at.is_switch() || kind == classfile::OperandKind::k_branch ||
        kind == classfile::OperandKind::k_branch_w) {
      return true;
    }
  }
  return in.failed();
}

// Of methods with the same instructions that neither have nor need frames both
// versions ask the same, and only other classes can answer otherwise
// (verification.h).
std::vector<std::uint8_t> skipped(const ClassView& cls,
                                  const std::vector<std::uint8_t>& same_code) {
  const auto methods = cls.methods();
  std::vector<std::uint8_t> out(methods.size(), 0);
  for (std::size_t i = 0; i < methods.size() && i < same_code.size(); ++i) {
    const bool frames = std::ranges::any_of(
        methods[i].code_attributes, [](const auto& one) {
          return one.kind == classfile::AttributeKind::kStackMapTable;
        });
    out[i] = same_code[i] != 0 && !frames && !jumps(cls, methods[i]) ? 1 : 0;
  }
  return out;
}

std::string problem_of(const Matching& matching, const ClassPair& pair) {
  const ClassView& olds = *pair.old_class.view;
  const ClassView& news = *pair.new_class.view;
  const auto now =
      verify::verify_class(matching.worlds.new_world, news,
                           skipped(news, pair.same_code.of_new));
  const auto before =
      verify::verify_class(matching.worlds.old_world, olds,
                           skipped(olds, pair.same_code.of_old));
  if (now.refused.empty() != before.refused.empty()) {
    return now.refused.empty() ? "passes; before: " + before.refused
                               : "its verification fails in " + now.refused;
  }
  for (const auto& pair_now : now.unknown) {
    const bool asked_before = std::ranges::any_of(
        before.unknown, [&](const auto& one) {
          return matching.renaming.class_name(one.first) == pair_now.first &&
                 matching.renaming.class_name(one.second) == pair_now.second;
        });
    if (asked_before) continue;
    return "its verification asks whether " + classfile::dotted(pair_now.first) +
           " is a " + classfile::dotted(pair_now.second) +
           ", which nobody knows";
  }
  return {};
}

}  // namespace

std::vector<Refused> refused_changes(const Matching& matching) {
  std::vector<std::string> problems(matching.changed.size());
  matching.worlds.pool.for_each(problems.size(), [&](unsigned, std::size_t i) {
    const ClassPair& pair = matching.changed[i];
    if (pair.forced || !pair.old_class.view || !pair.new_class.view) return;
    problems[i] = problem_of(matching, pair);
  });
  std::vector<Refused> out;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].empty()) continue;
    out.push_back({matching.changed[i].old_name, std::move(problems[i])});
  }
  return out;
}

}  // namespace rejig::traversal
