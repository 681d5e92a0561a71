// SPDX-License-Identifier: Apache-2.0
// One pass over the code, as the type checker makes it: the state at each
// instruction is what the one before left, or the frame that stands there; only
// references matter. HotSpot's rules (verifier.cpp) where they ask more than
// JVMS §4.10.1 says: a receiver of invokespecial is the class itself, which is
// the class that is named or below it.
#include "traversal/verify/verifier_checks.h"

#include <deque>

#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"
#include "jig/lookup/resolve.h"
#include "jig/lookup/superinterfaces.h"
#include "traversal/code/frames.h"
#include "traversal/code/stack_effect.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;
using classfile::OperandKind;
using classfile::Tag;
using jig::Name;
using Kind = FrameValue::Kind;

namespace {

constexpr Name kObject = "java/lang/Object";
constexpr Name kThrowable = "java/lang/Throwable";
// Class files of version 50 may be verified without frames as well.
constexpr std::uint16_t kFirstTypeChecked = 51;
// A method that asks for more was not made by a compiler.
constexpr std::size_t kMostSlots = 1U << 26U;

class TypeChecker {
 public:
  TypeChecker(const ClassView& cls, const MemberView& method, CodeView code,
              VerifierChecks& out)
      : cls_(cls), method_(method), code_(code), out_(out) {}

  bool run() {
    if (cls_.major() < kFirstTypeChecked) return false;
    auto frames = frames_of(cls_, method_);
    if (!frames) return false;
    frames_ = std::move(*frames);
    if (!begin(first_frame(cls_, method_))) return false;
    InstructionReader reader(code_.code);
    Instruction ins;
    bool live = true;
    while (exact_ && reader.next(ins)) {
      const auto frame = frames_.find(ins.pc);
      if (frame != frames_.end()) {
        if (live) flow_into(frame->second);
        if (!begin(frame->second)) return false;
      } else if (!live) {
        return false;  // nobody says how it is reached
      }
      handlers(ins.pc);
      live = step(ins);
    }
    return exact_ && !reader.failed();
  }

 private:
  bool fail() {
    exact_ = false;
    return false;
  }

  bool begin(const Frame& frame) {
    if (frame.locals.size() > code_.max_locals) return false;
    state_ = frame;
    state_.locals.resize(code_.max_locals);
    return true;
  }

  // --- What is asked.

  void assign(Name from, Name to) {
    while (from.starts_with('[') && to.starts_with('[')) {
      from.remove_prefix(1);
      to.remove_prefix(1);
      from = component(from);
      to = component(to);
    }
    if (from.empty() || to.empty() || from == to || to == kObject) return;
    if (from.starts_with('[') || to.starts_with('[')) return;  // never changes
    out_.assignments.emplace(from, to);
  }
  // Of an array's descriptor without its first bracket; empty: primitive.
  static Name component(Name descriptor) {
    if (descriptor.starts_with('[')) return descriptor;
    return classfile::type_of_descriptor(descriptor).class_name;
  }

  void assign(const FrameValue& value, Name to) {
    if (value.kind == Kind::kNull) return;
    if (value.kind != Kind::kObject) {
      fail();
    } else {
      assign(value.type, to);
    }
  }
  // A value of a field's or parameter's type; primitives are of no matter.
  void assign_to_descriptor(const FrameValue& value, Name descriptor) {
    const auto type = classfile::type_of_descriptor(descriptor);
    if (type.dimensions != 0) {
      assign(value, descriptor);
    } else if (type.element == 'L') {
      assign(value, type.class_name);
    }
  }

  void flow_into(const Frame& frame) {
    compared_ += frame.locals.size() + frame.stack.size() + 1;
    if (frame.stack.size() != state_.stack.size() ||
        frame.locals.size() > state_.locals.size() || compared_ > kMostSlots) {
      fail();
      return;
    }
    const auto all = [&](const std::vector<FrameValue>& from,
                         const std::vector<FrameValue>& to) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].kind == Kind::kObject) {
          assign(from[i], to[i].type);
        } else if (to[i].kind != Kind::kOther && !(from[i] == to[i])) {
          fail();
        }
      }
    };
    all(state_.locals, frame.locals);
    all(state_.stack, frame.stack);
  }

  void jump(std::uint32_t target) {
    const auto frame = frames_.find(target);
    if (frame == frames_.end()) {
      fail();
    } else {
      flow_into(frame->second);
    }
  }

  void handlers(std::uint32_t pc) {
    for (std::uint16_t i = 0; i < code_.handler_count; ++i) {
      const auto handler = code_.handler(i);
      if (pc < handler.start || pc >= handler.end) continue;
      const Name type =
          handler.type == 0 ? kThrowable : cls_.pool().text(handler.type);
      assign(type, kThrowable);
      std::vector<FrameValue> stack = {{Kind::kObject, 0, type}};
      state_.stack.swap(stack);
      jump(handler.at);
      state_.stack.swap(stack);
    }
  }

  void use(const MemberRef& member, const FrameValue& on) {
    if (on.kind != Kind::kObject || on.type == cls_.name() ||
        member.owner.starts_with('[') || on.type.starts_with('[')) {
      return;
    }
    out_.uses.insert({std::string(member.owner), std::string(member.name),
                      std::string(member.descriptor), std::string(on.type),
                      member.field});
  }

  // --- The stack.

  FrameValue pop() {
    if (state_.stack.empty()) {
      fail();
      return {};
    }
    const FrameValue value = state_.stack.back();
    state_.stack.pop_back();
    return value;
  }
  void pop(unsigned slots) {
    for (; slots != 0 && exact_; --slots) pop();
  }
  void push(FrameValue value) { state_.stack.push_back(value); }
  void push_others(unsigned slots) {
    for (; slots != 0; --slots) push({});
  }
  void push_object(Name type) { push({Kind::kObject, 0, type}); }
  void push_descriptor(Name descriptor) {
    const auto type = classfile::type_of_descriptor(descriptor);
    if (type.dimensions != 0) {
      push_object(descriptor);
    } else if (type.element == 'L') {
      push_object(type.class_name);
    } else {
      push_others(type.slots());
    }
  }
  // The top `taken` slots, and what comes in their place: "0" is the deepest.
  void rearrange(unsigned taken, std::string_view result) {
    std::vector<FrameValue> slots(taken);
    for (unsigned i = taken; i != 0; --i) slots[i - 1] = pop();
    for (const char slot : result) {
      push(slots[static_cast<std::size_t>(slot - '0')]);
    }
  }
  Name made(std::string text) { return made_.emplace_back(std::move(text)); }

  // --- Instructions. False: the next one is not reached from here.

  bool step(const Instruction& ins) {
    if (const auto local = classfile::short_local(ins.op)) {
      return local_variable(local->op, local->slot);
    }
    switch (classfile::operand_kind(ins.op)) {
      case OperandKind::k_slot:
        return local_variable(ins.op, ins.index);
      case OperandKind::k_branch:
      case OperandKind::k_branch_w:
        return branch(ins);
      case OperandKind::k_tableswitch:
      case OperandKind::k_lookupswitch:
        pop();
        jump(ins.target);
        for (std::uint32_t i = 0; i < ins.cases; ++i) {
          jump(ins.switch_target(i));
        }
        return false;
      case OperandKind::k_ldc:
      case OperandKind::k_ldc_w:
        return constant(ins);
      case OperandKind::k_field:
        return field(ins);
      case OperandKind::k_call:
      case OperandKind::k_interface_call:
        return call(ins);
      case OperandKind::k_dynamic_call: {
        const auto site = cls_.pool().dynamic(ins.index);
        arguments(site.descriptor);
        push_descriptor(
            classfile::MethodDescriptor(site.descriptor).result_text());
        return true;
      }
      case OperandKind::k_type:
      case OperandKind::k_dims:
      case OperandKind::k_primitive:
        return type(ins);
      case OperandKind::k_byte:
      case OperandKind::k_short:
        push_others(1);
        return true;
      case OperandKind::k_iinc:
        return true;
      case OperandKind::k_none:
        return plain(ins.op);
      default:
        return fail();
    }
  }

  bool local_variable(Opcode op, std::uint16_t slot) {
    const bool wide = op == Opcode::k_lload || op == Opcode::k_dload ||
                      op == Opcode::k_lstore || op == Opcode::k_dstore;
    if (slot + (wide ? 1U : 0U) >= state_.locals.size()) return fail();
    switch (op) {
      case Opcode::k_aload:
        push(state_.locals[slot]);
        return true;
      case Opcode::k_astore:
        state_.locals[slot] = pop();
        return true;
      case Opcode::k_iload:
      case Opcode::k_fload:
      case Opcode::k_lload:
      case Opcode::k_dload:
        push_others(wide ? 2 : 1);
        return true;
      case Opcode::k_istore:
      case Opcode::k_fstore:
      case Opcode::k_lstore:
      case Opcode::k_dstore:
        pop(wide ? 2 : 1);
        state_.locals[slot] = {};
        if (wide) state_.locals[slot + 1U] = {};
        return true;
      default:
        return fail();  // ret
    }
  }

  bool branch(const Instruction& ins) {
    switch (ins.op) {
      case Opcode::k_goto:
      case Opcode::k_goto_w:
        jump(ins.target);
        return false;
      case Opcode::k_jsr:
      case Opcode::k_jsr_w:
        return fail();
      default:
        break;
    }
    const bool two =
        ins.op >= Opcode::k_if_icmpeq && ins.op <= Opcode::k_if_acmpne;
    pop(two ? 2 : 1);
    jump(ins.target);
    return true;
  }

  bool constant(const Instruction& ins) {
    const auto& pool = cls_.pool();
    switch (pool.tag(ins.index)) {
      case Tag::kString:
        push_object("java/lang/String");
        break;
      case Tag::kClass:
        push_object("java/lang/Class");
        break;
      case Tag::kMethodType:
        push_object("java/lang/invoke/MethodType");
        break;
      case Tag::kMethodHandle:
        push_object("java/lang/invoke/MethodHandle");
        break;
      case Tag::kDynamic:
        push_descriptor(pool.dynamic(ins.index).descriptor);
        break;
      default:
        push_others(ins.op == Opcode::k_ldc2_w ? 2 : 1);
    }
    return true;
  }

  bool field(const Instruction& ins) {
    const auto member = cls_.pool().member(ins.index);
    const bool get =
        ins.op == Opcode::k_getfield || ins.op == Opcode::k_getstatic;
    if (!get) {
      const auto type = classfile::type_of_descriptor(member.descriptor);
      const FrameValue value = pop();
      if (type.slots() == 2) pop();
      assign_to_descriptor(value, member.descriptor);
    }
    if (ins.op == Opcode::k_getfield || ins.op == Opcode::k_putfield) {
      const FrameValue on = pop();
      // A constructor may write its own fields before it calls another one.
      if (on.kind != Kind::kUnmadeThis || get) {
        assign(on, member.owner);
        use(member, on);
      }
    }
    if (get) push_descriptor(member.descriptor);
    return true;
  }

  void arguments(std::string_view descriptor) {
    std::vector<classfile::TypeView> parameters;
    classfile::MethodDescriptor parts(descriptor);
    classfile::TypeView one;
    while (parts.next(one)) parameters.push_back(one);
    for (auto it = parameters.rbegin(); it != parameters.rend(); ++it) {
      const FrameValue value = pop();
      if (it->slots() == 2) pop();
      assign_to_descriptor(value, it->text);
    }
  }

  bool call(const Instruction& ins) {
    const auto member = cls_.pool().member(ins.index);
    arguments(member.descriptor);
    if (ins.op != Opcode::k_invokestatic) {
      const FrameValue on = pop();
      if (member.name == "<init>") {
        constructed(member, on);
      } else if (ins.op == Opcode::k_invokespecial) {
        assign(on, cls_.name());
        assign(cls_.name(), member.owner);
      } else {
        assign(on, member.owner);
        if (ins.op == Opcode::k_invokevirtual) use(member, on);
      }
    }
    push_descriptor(
        classfile::MethodDescriptor(member.descriptor).result_text());
    return true;
  }

  void constructed(const MemberRef& member, const FrameValue& on) {
    FrameValue now{Kind::kObject, 0, member.owner};
    if (on.kind == Kind::kUnmadeThis) {
      now.type = cls_.name();
    } else if (on.kind == Kind::kUnmade) {
      use(member, now);
    } else {
      fail();
      return;
    }
    for (auto* slots : {&state_.locals, &state_.stack}) {
      for (auto& slot : *slots) {
        if (slot == on) slot = now;
      }
    }
  }

  bool type(const Instruction& ins) {
    const Name text = cls_.pool().text(ins.index);
    switch (ins.op) {
      case Opcode::k_new:
        push({Kind::kUnmade, ins.pc, {}});
        return true;
      case Opcode::k_newarray:
        pop();
        push_object("[I");  // of any primitive
        return true;
      case Opcode::k_anewarray:
        pop();
        push_object(made(text.starts_with('[')
                             ? "[" + std::string(text)
                             : "[L" + std::string(text) + ";"));
        return true;
      case Opcode::k_multianewarray:
        pop(static_cast<unsigned>(ins.value));
        push_object(text);
        return true;
      case Opcode::k_checkcast:
        pop();
        push_object(text);
        return true;
      case Opcode::k_instanceof:
        pop();
        push_others(1);
        return true;
      default:
        return fail();
    }
  }

  bool plain(Opcode op) {
    switch (op) {
      case Opcode::k_nop:
        return true;
      case Opcode::k_aconst_null:
        push({Kind::kNull, 0, {}});
        return true;
      case Opcode::k_aaload:
        pop();
        return element_of(pop());
      case Opcode::k_areturn:
        assign_to_descriptor(
            pop(),
            classfile::MethodDescriptor(method_.descriptor).result_text());
        return false;
      case Opcode::k_athrow:
        assign(pop(), kThrowable);
        return false;
      case Opcode::k_return:
      case Opcode::k_ireturn:
      case Opcode::k_freturn:
      case Opcode::k_lreturn:
      case Opcode::k_dreturn:
        return false;
      case Opcode::k_monitorenter:
      case Opcode::k_monitorexit:
        pop();
        return true;
      case Opcode::k_dup:
        rearrange(1, "00");
        return true;
      case Opcode::k_dup_x1:
        rearrange(2, "101");
        return true;
      case Opcode::k_dup_x2:
        rearrange(3, "2012");
        return true;
      case Opcode::k_dup2:
        rearrange(2, "0101");
        return true;
      case Opcode::k_dup2_x1:
        rearrange(3, "12012");
        return true;
      case Opcode::k_dup2_x2:
        rearrange(4, "230123");
        return true;
      case Opcode::k_swap:
        rearrange(2, "10");
        return true;
      default:
        break;
    }
    if (op >= Opcode::k_iconst_m1 && op <= Opcode::k_dconst_1) {
      const bool wide = op == Opcode::k_lconst_0 || op == Opcode::k_lconst_1 ||
                        op == Opcode::k_dconst_0 || op == Opcode::k_dconst_1;
      push_others(wide ? 2 : 1);
      return true;
    }
    const auto effect = plain_effect(op);
    if (!effect) return fail();
    pop(static_cast<unsigned>(effect->looks_at));
    push_others(static_cast<unsigned>(effect->looks_at + effect->change));
    return true;
  }

  bool element_of(const FrameValue& array) {
    if (array.kind == Kind::kNull) {
      push(array);
    } else if (array.kind == Kind::kObject && array.type.starts_with('[')) {
      push_descriptor(array.type.substr(1));
    } else {
      return fail();
    }
    return true;
  }

  const ClassView& cls_;
  const MemberView& method_;
  CodeView code_;
  VerifierChecks& out_;
  std::map<std::uint32_t, Frame> frames_;
  Frame state_;
  std::deque<std::string> made_;
  std::size_t compared_ = 0;
  bool exact_ = true;
};

}  // namespace

bool add_verifier_checks(const ClassView& cls, const MemberView& method,
                         VerifierChecks& out) {
  auto code = CodeView::of(cls, method);
  if (!code) return true;
  return TypeChecker(cls, method, *code, out).run();
}

Verdict is_assignable(const jig::World& world, Name from, Name to) {
  if (from == to || to == kObject) return Verdict::kYes;
  const jig::ClassNode* target = world.find(to);
  if (target == nullptr || !target->readable()) return Verdict::kNobodyKnows;
  if (target->shell->is_interface()) return Verdict::kYes;
  if (world.find(from) == nullptr) return Verdict::kNobodyKnows;
  if (world.is_subtype(from, to)) return Verdict::kYes;
  return world.supers(from).unknown.empty() ? Verdict::kNo
                                            : Verdict::kNobodyKnows;
}

Verdict may_use(const jig::World& world, Name user, const MemberUse& use) {
  if (user == use.owner) return Verdict::kYes;
  if (!world.is_subtype(user, use.owner)) {
    return world.supers(user).unknown.empty() ? Verdict::kYes
                                              : Verdict::kNobodyKnows;
  }
  const jig::ClassNode* holder = nullptr;
  std::uint16_t access = 0;
  if (use.field) {
    const auto found =
        jig::resolve_field(world, use.owner, use.name, use.descriptor);
    if (!found.unknown.empty()) return Verdict::kNobodyKnows;
    if (!found.found()) return Verdict::kYes;
    holder = found.holder;
    access = found.field->access;
  } else {
    const auto found = jig::resolve_method(
        world, {use.owner, use.name, use.descriptor, false});
    if (!found.unknown.empty()) return Verdict::kNobodyKnows;
    if (!found.found()) return Verdict::kYes;
    holder = found.holder;
    access = found.method->access;
  }
  if ((access & classfile::kAccProtected) == 0 ||
      jig::package_of(holder->name) == jig::package_of(user)) {
    return Verdict::kYes;
  }
  return is_assignable(world, use.on, user);
}

}  // namespace rejig::traversal
