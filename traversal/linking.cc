// SPDX-License-Identifier: Apache-2.0
// Does a class still link (channel C7)? The hierarchy checks of every doubtful
// class; and for classes that did not change, what their verification relied
// on: handler types that are Throwables, and subtype relations between classes
// that a removed `extends` takes away (interfaces are never checked).
#include <algorithm>

#include "classfile/code.h"
#include "classfile/descriptor.h"
#include "traversal/frames.h"
#include "traversal/session.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Rule;

namespace {

Delta link_delta(Name name, std::string before, std::string after) {
  Delta d;
  d.rule = Rule::kD14;
  d.channel = Channel::kLinking;
  d.entity = classfile::dotted(name);
  d.subject = d.entity;
  d.label = "linking";
  d.old_fact = before.empty() ? "links" : std::move(before);
  d.new_fact = after.empty() ? "links" : std::move(after);
  d.why = "linking `" + d.entity + "`: " + d.old_fact + ", now " + d.new_fact;
  return d;
}

using Relation = std::pair<Name, Name>;  // sub, super

// What the verifier of an unchanged class may trip over.
struct Doubts {
  std::set<Relation> lost;       // subtype relations to a class that are gone
  std::set<Name> other_kind;     // interfaces that became classes
  std::set<Name> other_linking;  // classes that fail to load, or no longer do
  bool empty() const {
    return lost.empty() && other_kind.empty() && other_linking.empty();
  }
};

// Any value may be passed where an interface is asked for, so a type that is no
// interface any more is checked for the first time. The other way round what
// was asked for is asked no more; what its values were used as is lost (below).
std::set<Name> no_more_interfaces(const Session& session) {
  std::set<Name> out;
  for (const Name name : session.structure_changed.sorted()) {
    const ClassNode* a = session.old_world.find(name);
    const ClassNode* b = session.partner(name);
    if (a == nullptr || b == nullptr || !a->readable() || !b->readable()) {
      continue;
    }
    if (a->shell->is_interface() && !b->shell->is_interface()) out.insert(name);
  }
  return out;
}

// Subtype relations between internal classes and classes that are gone.
std::set<Relation> lost_relations(const Session& session) {
  std::set<Relation> out;
  for (const Name name : session.doubtful_sorted) {
    const ClassNode* a = session.old_world.find(name);
    if (a == nullptr || !a->readable()) continue;
    const ClassNode* b = session.partner(name);
    if (b == nullptr) continue;
    for (const Name super : session.old_world.supers(name).names) {
      const ClassNode* above = session.old_world.find(super);
      const ClassNode* now = session.partner(super);
      const bool was_class = above == nullptr || !above->readable() ||
                             !above->shell->is_interface();
      const bool is_class =
          now == nullptr || !now->readable() || !now->shell->is_interface();
      if (super == "java/lang/Object" || (!was_class && !is_class)) continue;
      if (!session.new_world.is_subtype(b->name,
                                        session.renaming.class_name(super))) {
        out.emplace(name, super);
      }
    }
  }
  return out;
}

// Types a method has values of, and types it needs values to be.
struct Flows {
  std::set<Name> sources;
  std::set<Name> sinks;
  std::set<Name> interfaces;  // owners of invokeinterface
  std::set<Name> receivers;   // other owners of instance members

  static void types_of(std::string_view descriptor, bool parameters,
                       std::set<Name>& out) {
    std::string_view part = descriptor;
    if (descriptor.starts_with('(')) {
      const classfile::MethodDescriptor method(descriptor);
      part = parameters ? method.parameters_text() : method.result_text();
    }
    while (true) {
      const auto begin = part.find('L');
      const auto end = part.find(';', begin);
      if (begin == std::string_view::npos || end == std::string_view::npos) {
        return;
      }
      out.insert(part.substr(begin + 1, end - begin - 1));
      part.remove_prefix(end + 1);
    }
  }

  void method(const ClassView& cls, const MemberView& member) {
    types_of(member.descriptor, true, sources);
    types_of(member.descriptor, false, sinks);
    if (!member.is(classfile::kAccStatic)) sources.insert(cls.name());
    const auto code = CodeView::of(cls, member);
    if (!code) return;
    const auto& pool = cls.pool();
    // What flows into a branch target is checked against its frame, and is
    // what the frame says from there on.
    each_frame_type(cls, member, [&](Name name) {
      sinks.insert(name);
      sources.insert(name);
    });
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      switch (ins.op) {
        case Opcode::k_new:
        case Opcode::k_anewarray:
        case Opcode::k_multianewarray:
        case Opcode::k_checkcast:
          sources.insert(jig::element_class(pool.text(ins.index)));
          break;
        case Opcode::k_getfield:
          sinks.insert(pool.member(ins.index).owner);
          receivers.insert(pool.member(ins.index).owner);
          [[fallthrough]];
        case Opcode::k_getstatic:
          types_of(pool.member(ins.index).descriptor, false, sources);
          break;
        case Opcode::k_putfield:
          sinks.insert(pool.member(ins.index).owner);
          receivers.insert(pool.member(ins.index).owner);
          [[fallthrough]];
        case Opcode::k_putstatic:
          types_of(pool.member(ins.index).descriptor, false, sinks);
          break;
        case Opcode::k_invokevirtual:
        case Opcode::k_invokespecial:
          sinks.insert(pool.member(ins.index).owner);
          receivers.insert(pool.member(ins.index).owner);
          [[fallthrough]];
        case Opcode::k_invokestatic:
        case Opcode::k_invokeinterface:
          if (ins.op == Opcode::k_invokeinterface) {
            interfaces.insert(pool.member(ins.index).owner);
          }
          types_of(pool.member(ins.index).descriptor, true, sinks);
          types_of(pool.member(ins.index).descriptor, false, sources);
          break;
        case Opcode::k_invokedynamic:
          types_of(pool.dynamic(ins.index).descriptor, true, sinks);
          types_of(pool.dynamic(ins.index).descriptor, false, sources);
          break;
        case Opcode::k_athrow:
          sinks.insert("java/lang/Throwable");
          break;
        case Opcode::k_ldc:
        case Opcode::k_ldc_w:
          types_of(pool.dynamic(ins.index).descriptor, false, sources);
          break;
        default:
          break;
      }
    }
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type != 0) sources.insert(pool.text(handler.type));
    }
  }
};

// Does a method name one of these types anywhere? Asked once of each pool entry:
// most methods name none, and nothing flows in them that is in doubt.
class Names {
 public:
  Names(const ClassView& cls, const base::HashSet<Name>& types)
      : cls_(cls),
        types_(types),
        asked_(cls.pool().count(), Answer::kOpen),
        itself_(types.contains(cls.name())) {}

  bool in(const MemberView& member) {
    const auto code = CodeView::of(cls_, member);
    if (!code) return false;
    if ((itself_ && !member.is(classfile::kAccStatic)) ||
        descriptor(member.descriptor)) {
      return true;
    }
    bool in_frames = false;
    each_frame_type(cls_, member, [&](Name name) {
      in_frames = in_frames || types_.contains(name);
    });
    if (in_frames) return true;
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      if (ins.op >= Opcode::k_getstatic && ins.op <= Opcode::k_invokedynamic
              ? entry(ins.index)
              : is_type(ins.op) && entry(ins.index)) {
        return true;
      }
    }
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type != 0 && entry(handler.type)) return true;
    }
    return false;
  }

 private:
  enum class Answer : std::uint8_t { kOpen, kNo, kYes };

  static bool is_type(Opcode op) {
    return op == Opcode::k_new || op == Opcode::k_anewarray ||
           op == Opcode::k_multianewarray || op == Opcode::k_checkcast ||
           op == Opcode::k_ldc || op == Opcode::k_ldc_w;
  }

  bool entry(std::uint16_t index) {
    if (asked_[index] == Answer::kOpen) {
      asked_[index] = ask(index) ? Answer::kYes : Answer::kNo;
    }
    return asked_[index] == Answer::kYes;
  }

  bool ask(std::uint16_t index) const {
    const auto& pool = cls_.pool();
    switch (pool.tag(index)) {
      case classfile::Tag::kClass:
        return types_.contains(jig::element_class(pool.text(index)));
      case classfile::Tag::kFieldref:
      case classfile::Tag::kMethodref:
      case classfile::Tag::kInterfaceMethodref:
        return types_.contains(jig::element_class(pool.member(index).owner)) ||
               descriptor(pool.member(index).descriptor);
      case classfile::Tag::kDynamic:
      case classfile::Tag::kInvokeDynamic:
        return descriptor(pool.dynamic(index).descriptor);
      default:
        return false;
    }
  }

  bool descriptor(std::string_view text) const {
    while (true) {
      const auto begin = text.find('L');
      const auto end = text.find(';', begin);
      if (begin == std::string_view::npos || end == std::string_view::npos) {
        return false;
      }
      if (types_.contains(text.substr(begin + 1, end - begin - 1))) return true;
      text.remove_prefix(end + 1);
    }
  }

  const ClassView& cls_;
  const base::HashSet<Name>& types_;
  std::vector<Answer> asked_;
  bool itself_;
};

// Interfaces and Object are assignable from everything, without a look.
bool is_checked_class(const Session& session, Name name) {
  if (name == "java/lang/Object") return false;
  const ClassNode* node = session.old_world.find(name);
  return node == nullptr || !node->readable() || !node->shell->is_interface();
}

std::string verification_problem(const Session& session, const ClassView& cls,
                                 const Doubts& doubts,
                                 const base::HashSet<Name>& suspicious) {
  Names suspicious_names(cls, suspicious);
  for (const auto& member : cls.methods()) {
    const auto code = CodeView::of(cls, member);
    if (!code || !suspicious_names.in(member)) continue;
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type == 0) continue;
      const Name type = cls.pool().text(handler.type);
      if (!session.is_doubtful(type)) continue;
      const bool before =
          session.old_world.is_subtype(type, "java/lang/Throwable");
      const bool after = session.new_world.is_subtype(
          session.renaming.class_name(type), "java/lang/Throwable");
      if (before != after) {
        return "catches " + classfile::dotted(type) + ", which is no Throwable";
      }
    }
    if (doubts.empty()) continue;
    Flows flows;
    flows.method(cls, member);
    // The receiver of a protected member that a superclass in another package
    // declares has to be one of the class itself.
    for (const Name owner : flows.receivers) {
      if (owner != cls.name() &&
          session.old_world.is_subtype(cls.name(), owner)) {
        flows.sinks.insert(cls.name());
      }
    }
    for (const Name type : doubts.other_kind) {
      if (flows.sinks.contains(type) || flows.interfaces.contains(type)) {
        return "needs " + classfile::dotted(type) +
               ", which is no interface any more";
      }
    }
    // A value is checked against another class by loading its own.
    for (const Name type : doubts.other_linking) {
      if (!flows.sources.contains(type)) continue;
      for (const Name sink : flows.sinks) {
        if (sink != type && is_checked_class(session, sink) &&
            (session.old_world.is_subtype(type, sink) ||
             session.new_world.is_subtype(session.renaming.class_name(type),
                                          sink))) {
          return "its verification loads " + classfile::dotted(type);
        }
      }
    }
    for (const auto& [sub, super] : doubts.lost) {
      if (flows.sources.contains(sub) && flows.sinks.contains(super)) {
        return "uses " + classfile::dotted(sub) + " as " +
               classfile::dotted(super);
      }
    }
  }
  return {};
}

// The types without which verification_problem() finds nothing.
base::HashSet<Name> suspicious_types(const Session& session,
                                     const Doubts& doubts) {
  base::HashSet<Name> out;
  for (const auto& [sub, super] : doubts.lost) out.insert(sub);
  for (const Name name : doubts.other_kind) out.insert(name);
  for (const Name name : doubts.other_linking) out.insert(name);
  for (const Name name : session.doubtful_sorted) {
    if (session.old_world.is_subtype(name, "java/lang/Throwable") !=
        session.new_world.is_subtype(session.renaming.class_name(name),
                                     "java/lang/Throwable")) {
      out.insert(name);
    }
  }
  return out;
}

}  // namespace

void compare_linking(Session& session) {
  const auto& names = session.doubtful_sorted;
  std::vector<std::optional<Delta>> found(names.size());
  session.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    const ClassNode* a = session.old_world.find(names[i]);
    const ClassNode* b = session.partner(names[i]);
    if (a == nullptr || b == nullptr || !a->internal) return;
    auto before = jig::link_problem(session.old_world, names[i]);
    auto after = jig::link_problem(session.new_world, b->name);
    if (before != after) {
      found[i] = link_delta(names[i], std::move(before), std::move(after));
    }
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!found[i]) continue;
    session.links_otherwise.insert(names[i]);
    session.edges.push_back(std::move(*found[i]));
  }
}

void compare_verification(Session& session) {
  if (session.structure_equal()) return;
  Doubts doubts;
  for (const Name name : session.links_otherwise.sorted()) {
    doubts.other_linking.insert(name);
  }
  doubts.lost = lost_relations(session);
  doubts.other_kind = no_more_interfaces(session);
  const auto suspicious = suspicious_types(session, doubts);
  jig::MentionSet wanted;
  for (const Name name : suspicious.sorted()) {
    wanted.insert(jig::mention_of(name));
  }
  const auto equal = session.equal_sorted;
  std::vector<std::string> problems(equal.size());
  session.pool.for_ranges(
      equal.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!session.may_mention(equal[i], wanted)) continue;
          const auto loaded = session.old_world.load_equal(equal[i]);
          if (!loaded.ok()) continue;  // reported with its references
          problems[i] =
              verification_problem(session, *loaded.value().view, doubts,
                                   suspicious);
        }
      });
  // A changed class that was compiled against the old hierarchy all the same.
  std::vector<std::string> of_changed(session.changed.size());
  session.pool.for_each(of_changed.size(), [&](unsigned, std::size_t i) {
    const ClassPair& pair = session.changed[i];
    if (pair.forced || !pair.old_class.view || !pair.new_class.view ||
        (session.only_internal_doubts() &&
         !may_mention(session.new_world.glance(pair.new_name), wanted))) {
      return;
    }
    of_changed[i] =
        verification_problem(session, *pair.new_class.view, doubts, suspicious);
  });
  for (std::size_t i = 0; i < of_changed.size(); ++i) {
    if (of_changed[i].empty()) continue;
    session.edges.push_back(
        link_delta(session.changed[i].old_name, {}, std::move(of_changed[i])));
  }
  for (std::size_t i = 0; i < equal.size(); ++i) {
    if (!problems[i].empty()) {
      session.edges.push_back(link_delta(equal[i], {}, problems[i]));
    }
  }
}

}  // namespace rejig::traversal
