// SPDX-License-Identifier: Apache-2.0
// Which questions to other classes does a verifier ask, and are they answered
// otherwise? Of methods of class files since version 51 the exact pairs of
// verifier_checks; of older ones, and of those that cannot be followed, every type
// that may flow somewhere against every type that something may have to be
// (Flows): more than HotSpot asks.
#include "traversal/verify/verification.h"

#include <optional>

#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"
#include "jig/lookup/resolve.h"
#include "traversal/code/frames.h"
#include "traversal/verify/verifier_checks.h"
#include "traversal/verify/verify.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberView;
using classfile::Opcode;

namespace {

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

// Does a method name one of these types anywhere? Asked once of each pool
// entry: most methods name none, and nothing flows in them that is in doubt.
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
    if (itself_ || descriptor(member.descriptor)) return true;
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
bool is_checked_class(const Matching& matching, Name name) {
  if (name == "java/lang/Object") return false;
  const ClassNode* node = matching.worlds.old_world.find(name);
  return node == nullptr || !node->readable() || !node->shell->is_interface();
}

// What the checks of a class come to in both worlds. The class is an old one
// that did not change, or the new one of a pair that did.
class Judge {
 public:
  Judge(const Matching& matching, const VerifierDoubts& doubts,
        VerifiedClass which)
      : matching_(matching),
        doubts_(doubts),
        which_(which),
        changed_(which == VerifiedClass::kChanged) {}

  std::string problem(Name user, const VerifierChecks& checks) const {
    for (const auto& [from, to] : checks.assignments) {
      // Both are loaded for it, unless anything may be assigned.
      const bool checked = !is_interface(to);
      for (const auto& type : {from, to}) {
        if (checked && may_not_load(old_name(type))) {
          return "its verification loads " + classfile::dotted(type);
        }
      }
      if (doubtful(is_assignable(matching_.worlds.old_world, old_name(from),
                                 old_name(to)),
                   is_assignable(matching_.worlds.new_world, new_name(from),
                                 new_name(to)))) {
        return "uses " + classfile::dotted(from) + " as " +
               classfile::dotted(to);
      }
    }
    for (const auto& use : checks.uses) {
      if (doubtful(may_use(matching_.worlds.old_world, old_name(user),
                           named(use, false)),
                   may_use(matching_.worlds.new_world, new_name(user),
                           named(use, true)))) {
        return "uses " + classfile::dotted(use.owner) + "." + use.name +
               " on " + classfile::dotted(use.on);
      }
    }
    return {};
  }

  std::string problem_of_catching(Name type) const {
    const Verdict now =
        is_throwable(matching_.worlds.new_world, new_name(type));
    if (!doubtful(is_throwable(matching_.worlds.old_world, old_name(type)),
                  now)) {
      return {};
    }
    return "catches " + classfile::dotted(type) +
           (now == Verdict::kNo    ? ", which is no Throwable"
            : now == Verdict::kYes ? ", which was no Throwable or not there"
                                   : ", which may be no Throwable");
  }

 private:
  static Verdict is_throwable(const jig::World& world, Name name) {
    constexpr Name kThrowable = "java/lang/Throwable";
    if (world.is_subtype(name, kThrowable)) return Verdict::kYes;
    if (world.find(name) == nullptr) return Verdict::kNobodyKnows;
    return world.supers(name).unknown.empty() ? Verdict::kNo
                                              : Verdict::kNobodyKnows;
  }
  std::string old_name(Name name) const {
    return changed_ ? matching_.renaming.old_class_name(name)
                    : std::string(name);
  }
  std::string new_name(Name name) const {
    return changed_ ? std::string(name) : matching_.renaming.class_name(name);
  }
  MemberUse named(const MemberUse& use, bool now) const {
    MemberUse out = use;
    out.owner = now ? new_name(use.owner) : old_name(use.owner);
    out.on = now ? new_name(use.on) : old_name(use.on);
    if (now != changed_) {
      out.descriptor =
          now ? matching_.renaming.descriptor(use.descriptor) : use.descriptor;
    }
    return out;
  }
  bool is_interface(Name name) const {
    const ClassNode* before = matching_.worlds.old_world.find(old_name(name));
    const ClassNode* now = matching_.worlds.new_world.find(new_name(name));
    const auto is = [](const ClassNode* node) {
      return node != nullptr && node->readable() && node->shell->is_interface();
    };
    return is(before) && is(now);
  }
  // Whoever loads it sees the difference; the old class of a pair only what failed
  // and does no longer.
  bool may_not_load(const std::string& name) const {
    return doubts_.other_linking.contains(name) &&
           (which_ != VerifiedClass::kReplaced ||
            (!jig::link_problem(matching_.worlds.old_world, name).empty() &&
             jig::link_problem(matching_.worlds.new_world,
                               matching_.renaming.class_name(name))
                 .empty()));
  }
  // A changed class that was compiled with the others is fine whatever the old
  // world says, and so is the old one whatever the new world says.
  bool doubtful(Verdict before, Verdict now) const {
    switch (which_) {
      case VerifiedClass::kEqual:
        break;
      case VerifiedClass::kChanged:
        return now == Verdict::kNo ||
               (now == Verdict::kNobodyKnows && before == Verdict::kYes);
      case VerifiedClass::kReplaced:
        return before != Verdict::kYes && now == Verdict::kYes;
    }
    return before != now;
  }

  const Matching& matching_;
  const VerifierDoubts& doubts_;
  VerifiedClass which_;
  bool changed_;  // its names are new ones
};

// Of a method whose frames nobody can follow: every type that it has values of
// is taken for every one that it needs.
std::string problem_of_flows(const Matching& matching, const ClassView& cls,
                             const MemberView& member,
                             const VerifierDoubts& doubts) {
  Flows flows;
  flows.method(cls, member);
  // The receiver of a protected member that a superclass in another package
  // declares has to be one of the class itself.
  for (const Name owner : flows.receivers) {
    if (owner == cls.name() ||
        !matching.worlds.old_world.is_subtype(cls.name(), owner)) {
      continue;
    }
    flows.sinks.insert(cls.name());
    if (doubts.other_access.contains(owner)) {
      return "uses members of " + classfile::dotted(owner) +
             " that are protected in one version only";
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
      if (sink != type && is_checked_class(matching, sink) &&
          (matching.worlds.old_world.is_subtype(type, sink) ||
           matching.worlds.new_world.is_subtype(
               matching.renaming.class_name(type), sink))) {
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
  return {};
}

// The same as checks: of pairs with a suspicious type.
VerifierChecks all_flows(const ClassView& cls, const MemberView& member,
                         const base::HashSet<Name>* suspicious) {
  Flows flows;
  flows.method(cls, member);
  const auto counts = [&](Name type) {
    return suspicious == nullptr || suspicious->contains(type);
  };
  VerifierChecks out;
  for (const Name from : flows.sources) {
    for (const Name to : flows.sinks) {
      if (counts(from) || counts(to)) out.assignments.emplace(from, to);
    }
  }
  return out;
}

std::string first_problem(const Matching& matching, const ClassView& cls,
                          const VerifierDoubts& doubts, VerifiedClass which,
                          const base::HashSet<Name>* suspicious) {
  const Judge judge(matching, doubts, which);
  std::optional<Names> suspicious_names;
  if (suspicious != nullptr) suspicious_names.emplace(cls, *suspicious);
  for (const auto& member : cls.methods()) {
    const auto code = CodeView::of(cls, member);
    if (!code || (suspicious_names && !suspicious_names->in(member))) continue;
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type == 0) continue;
      auto problem = judge.problem_of_catching(cls.pool().text(handler.type));
      if (!problem.empty()) return problem;
    }
    if (suspicious != nullptr && doubts.empty()) continue;
    VerifierChecks checks;
    const bool followed = add_verifier_checks(cls, member, checks);
    if (!followed && which == VerifiedClass::kReplaced) {
      // Both versions are type-checked (changed_verification.h).
      if (cls.major() >= verify::kFirstVerified) continue;
      checks = all_flows(cls, member, suspicious);
    }
    auto problem = followed || which == VerifiedClass::kReplaced
                       ? judge.problem(cls.name(), checks)
                       : problem_of_flows(matching, cls, member, doubts);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace

std::string verification_problem(const Matching& matching, const ClassView& cls,
                                 const VerifierDoubts& doubts,
                                 VerifiedClass which,
                                 const base::HashSet<Name>* suspicious) {
  auto problem = first_problem(matching, cls, doubts, which, suspicious);
  if (!problem.empty() && which == VerifiedClass::kReplaced) {
    return "passes; before: " + problem;
  }
  return problem;
}

}  // namespace rejig::traversal
