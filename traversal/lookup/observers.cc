// SPDX-License-Identifier: Apache-2.0
#include "traversal/lookup/observers.h"

#include <algorithm>
#include <optional>

#include "classfile/reader/code.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

// Of constants that are made of constants; deeper ones may be anything.
constexpr unsigned kDeepest = 8;

struct Scan {
  const ClassView& cls;
  const std::set<Name>& types;
  const std::set<Name>& elements;
  std::string entity;
  Observers out;

  void observe(Name class_or_array) {
    const Name element = jig::element_class(class_or_array);
    const auto at = types.find(element);
    if (at != types.end()) add(out.of_type[*at]);
  }
  void make(Name element_or_array) {
    const auto at = elements.find(jig::element_class(element_or_array));
    if (at != elements.end()) add(out.makers_of[*at]);
  }
  void add(std::vector<std::string>& list) const {
    if (list.empty() || list.back() != entity) list.push_back(entity);
  }
  void descriptor(std::string_view d) {
    while (true) {
      const auto begin = d.find('L');
      const auto end = d.find(';', begin);
      if (begin == std::string_view::npos || end == std::string_view::npos) {
        return;
      }
      observe(d.substr(begin + 1, end - begin - 1));
      d.remove_prefix(end + 1);
    }
  }
  void constant(std::uint16_t index, unsigned depth) {
    const auto& pool = cls.pool();
    switch (pool.tag(index)) {
      case Tag::kClass:
        observe(pool.text(index));
        return;
      case Tag::kMethodType:
        descriptor(pool.text(index));
        return;
      case Tag::kMethodHandle:
        observe(pool.handle(index).ref.owner);
        descriptor(pool.handle(index).ref.descriptor);
        return;
      case Tag::kDynamic:
        descriptor(pool.dynamic(index).descriptor);
        if (depth < kDeepest) {
          bootstrap(pool.dynamic(index).bootstrap, depth + 1);
        } else {
          for (const Name type : types) add(out.of_type[type]);
        }
        return;
      default:
        return;
    }
  }
  void bootstrap(std::uint16_t entry, unsigned depth) {
    if (entry >= cls.bootstrap_methods().size()) return;
    for (const auto argument : cls.bootstrap_methods()[entry].arguments) {
      constant(argument, depth);
    }
  }
  void instruction(const Instruction& ins) {
    const auto& pool = cls.pool();
    switch (ins.op) {
      case Opcode::k_instanceof:
      case Opcode::k_checkcast:
        observe(pool.text(ins.index));
        return;
      case Opcode::k_anewarray:
      case Opcode::k_multianewarray:
        observe(pool.text(ins.index));
        make(pool.text(ins.index));
        return;
      case Opcode::k_invokeinterface:
        observe(pool.member(ins.index).owner);
        return;
      case Opcode::k_invokevirtual: {
        const auto ref = pool.member(ins.index);
        if (ref.owner.starts_with("java/lang/invoke/")) {
          descriptor(ref.descriptor);
        }
        return;
      }
      case Opcode::k_invokedynamic:
        descriptor(pool.dynamic(ins.index).descriptor);
        bootstrap(pool.dynamic(ins.index).bootstrap, 0);
        return;
      case Opcode::k_ldc:
      case Opcode::k_ldc_w:
      case Opcode::k_ldc2_w:
        constant(ins.index, 0);
        return;
      default:
        return;
    }
  }
  void method(const MemberView& member) {
    const auto code = CodeView::of(cls, member);
    if (!code) return;
    entity =
        classfile::method_entity(cls.name(), member.name, member.descriptor);
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) instruction(ins);
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type != 0) observe(cls.pool().text(handler.type));
    }
  }
};

}  // namespace

Observers find_observers(const Matching& matching, const std::set<Name>& types,
                         const std::set<Name>& elements, Findings& findings) {
  const auto classes = matching.worlds.inputs.old_internal->classes();
  std::vector<Observers> found(classes.size());
  std::vector<std::optional<base::Error>> unreadable(classes.size());
  jig::MentionSet wanted;
  for (const auto* names : {&types, &elements}) {
    for (const Name name : *names) wanted.insert(jig::mention_of(name));
  }
  matching.worlds.pool.for_ranges(
      classes.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Name name = classes[i].name;
          if (!may_mention(matching.worlds.old_world.glance_of_place(
                               static_cast<std::uint32_t>(i)),
                           wanted)) {
            continue;
          }
          const auto scan_all = [&](const ClassView& cls) {
            Scan scan{cls, types, elements, {}, {}};
            for (const auto& method : cls.methods()) scan.method(method);
            found[i] = std::move(scan.out);
          };
          if (const ClassView* cls = matching.changed_view(name)) {
            scan_all(*cls);
            continue;
          }
          const auto loaded =
              matching.untouched(name)
                  ? matching.worlds.old_world.load_equal(name)
                  : matching.worlds.old_world.load_internal(name);
          if (loaded.ok()) {
            scan_all(*loaded.value().view);
          } else {
            unreadable[i] = loaded.error();
          }
        }
      });
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (unreadable[i]) {
      report_unreadable(findings, classes[i].name, *unreadable[i]);
    }
  }
  Observers out;
  for (auto& one : found) {
    for (auto& [type, methods] : one.of_type) {
      auto& all = out.of_type[type];
      all.insert(all.end(), methods.begin(), methods.end());
    }
    for (auto& [element, methods] : one.makers_of) {
      auto& all = out.makers_of[element];
      all.insert(all.end(), methods.begin(), methods.end());
    }
  }
  return out;
}

}  // namespace rejig::traversal
