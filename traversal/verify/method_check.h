// SPDX-License-Identifier: Apache-2.0
// Does one method type-check? One pass over its code: the state at each
// instruction is what the one before left, or the frame that stands there. Where
// HotSpot (verifier.cpp) asks more or less than JVMS §4.10.1.9, its answer counts.
// Private to this folder.
#pragma once

#include <deque>
#include <string>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "traversal/verify/relations.h"
#include "traversal/verify/stack_maps.h"

namespace rejig::traversal::verify {

class MethodCheck {
 public:
  MethodCheck(const classfile::ClassView& cls,
              const classfile::MemberView& method, classfile::CodeView code,
              const Relations& relations)
      : cls_(cls), method_(method), code_(code), relations_(relations) {}

  // Empty: it does, as far as the relations are known.
  std::string run();

 private:
  using Instruction = classfile::Instruction;
  using Opcode = classfile::Opcode;

  bool refuse(std::string why);
  bool frame_at(std::uint32_t pc, const State*& out) const;

  // States.
  bool flow_into(const State& target, bool unmade_this);
  bool jump(std::uint32_t target);
  bool handlers(std::uint32_t pc);
  static bool holds_unmade_this(const State& state);
  void enter(const State& state);

  // The stack.
  bool push(Slot slot);
  bool push_descriptor(std::string_view descriptor);
  bool pop_any(Slot& out);
  bool pop(Kind kind);
  bool pop_made(Slot& out);
  bool pop_as(std::string_view class_or_array, Slot* out = nullptr);
  bool pop_descriptor(std::string_view descriptor);
  bool pop_arguments(std::string_view descriptor);
  bool effect(std::string_view pops_and_pushes);
  bool rearrange(Opcode op);
  std::string_view made(std::string text);

  // Instructions.
  bool step(const Instruction& ins, bool& falls_through);
  bool local(Opcode op, std::uint16_t slot);
  bool store(Slot value, std::uint16_t slot);
  bool array(Opcode op);
  bool constant(const Instruction& ins);
  bool field(const Instruction& ins);
  bool call(const Instruction& ins);
  bool special(const classfile::MemberRef& member);
  bool construct(const classfile::MemberRef& member);
  bool type(const Instruction& ins);
  bool returns(Opcode op);
  bool may_use(const classfile::MemberRef& member, const Slot& on);

  const classfile::ClassView& cls_;
  const classfile::MemberView& method_;
  classfile::CodeView code_;
  const Relations& relations_;
  StackMaps frames_;
  State state_;
  bool unmade_this_ = false;
  bool locals_changed_ = true;
  std::size_t compared_ = 0;
  std::uint32_t pc_ = 0;
  std::string why_;
  std::deque<std::string> made_;
};

}  // namespace rejig::traversal::verify
