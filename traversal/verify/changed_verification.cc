// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/changed_verification.h"

#include <algorithm>

#include "classfile/reader/code.h"
#include "traversal/body/body_context.h"
#include "traversal/code/synthetic.h"
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

// A class that code of this one names, or one above such a class, that is not
// there. Without a platform only others can be said to be absent.
class AbsentClass {
 public:
  AbsentClass(const jig::World& world, bool platform_known)
      : world_(world), platform_known_(platform_known) {}

  std::string named_by(const ClassView& cls) {
    const auto& pool = cls.pool();
    for (std::uint16_t i = 1; i < pool.count() && found_.empty(); ++i) {
      switch (pool.tag(i)) {
        case classfile::Tag::kClass:
          pool.text(i).starts_with('[') ? descriptor(pool.text(i))
                                        : type(pool.text(i));
          break;
        case classfile::Tag::kNameAndType:
          descriptor(pool.utf8(pool.part(i, 2)));
          break;
        default:
          break;
      }
    }
    for (const auto& method : cls.methods()) descriptor(method.descriptor);
    return std::move(found_);
  }

 private:
  void descriptor(std::string_view text) {
    for (auto at = text.find('L'); at != std::string_view::npos;
         at = text.find('L', at)) {
      const auto end = text.find(';', at);
      if (end == std::string_view::npos) return;
      type(text.substr(at + 1, end - at - 1));
      at = end;
    }
  }
  void type(std::string_view name) {
    if (!found_.empty() || name.empty()) return;
    const auto* node = world_.find(name);
    if (node == nullptr) {
      absent(name);
      return;
    }
    if (!node->readable()) return;
    for (const auto above : world_.supers(*node).unknown) absent(above);
  }
  void absent(std::string_view name) {
    if (found_.empty() && (platform_known_ || !name.starts_with("java/"))) {
      found_ = name;
    }
  }

  const jig::World& world_;
  bool platform_known_;
  std::string found_;
};

// Method by method the same instructions.
bool same_code(const Matching& matching, const ClassPair& pair) {
  const ClassView& olds = *pair.old_class.view;
  const ClassView& news = *pair.new_class.view;
  if (olds.methods().size() != news.methods().size()) return false;
  const auto context = make_body_context(matching, olds, news);
  return std::ranges::all_of(olds.methods(), [&](const auto& method) {
    const auto* other =
        find_method(news, method.name,
                    matching.renaming.descriptor(method.descriptor));
    if (other == nullptr) return false;
    const bool code = method.attribute("Code") != nullptr;
    if (code != (other->attribute("Code") != nullptr)) return false;
    return !code || compare_bodies(olds, method, news, *other,
                                   matching.renaming, *context)
                        .same_pcs;
  });
}

// The verifier before version 51 infers types, and loads what it meets on the
// way; other code may meet other classes.
std::string inference_of(const Matching& matching, const ClassPair& pair) {
  constexpr std::uint16_t kChecked = 51;
  const auto infers = [&](const jig::World& world, const ClassView& cls) {
    const auto& inputs = matching.worlds.inputs;
    const bool known = inputs.old_platform != nullptr &&
                       inputs.new_platform != nullptr;
    return cls.major() < kChecked ? AbsentClass(world, known).named_by(cls)
                                  : std::string();
  };
  const auto before = infers(matching.worlds.old_world, *pair.old_class.view);
  const auto now = infers(matching.worlds.new_world, *pair.new_class.view);
  if (before.empty() && now.empty()) return {};
  if (pair.old_class.view->major() < kChecked &&
      pair.new_class.view->major() < kChecked && same_code(matching, pair)) {
    return {};
  }
  return "its verification by inference may load " +
         classfile::dotted(now.empty() ? before : now) +
         ", which is not there";
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
  const auto same = [&](const auto& was, const auto& is) {
    return matching.renaming.class_name(was.first) == is.first &&
           matching.renaming.class_name(was.second) == is.second;
  };
  const auto text = [](const char* asks, const auto& question) {
    return std::string(asks) + classfile::dotted(question.first) + " is a " +
           classfile::dotted(question.second) + ", which nobody knows";
  };
  for (const auto& is : now.unknown) {
    if (std::ranges::none_of(before.unknown,
                             [&](const auto& was) { return same(was, is); })) {
      return text("its verification asks whether ", is);
    }
  }
  for (const auto& was : before.unknown) {
    if (std::ranges::none_of(now.unknown,
                             [&](const auto& is) { return same(was, is); })) {
      return text("its verification no longer asks whether ", was);
    }
  }
  return inference_of(matching, pair);
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
