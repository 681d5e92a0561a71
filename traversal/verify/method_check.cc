// SPDX-License-Identifier: Apache-2.0
// The type checker of JVMS §4.10.1, one pass: the frame before each instruction is
// the declared one where there is one (a merge) and what the instruction before
// it left elsewhere. Relations between classes are asked of `relations`. What
// cannot be followed is refused, as what breaks a rule is, with words of its own.
#include "traversal/verify/method_check.h"

#include <algorithm>

#include "classfile/reader/descriptor.h"
#include "traversal/verify/effects.h"

namespace rejig::traversal::verify {

using classfile::OperandKind;

namespace {

// More was not made by a compiler.
constexpr std::size_t kMostCompared = std::size_t{1} << 26;
constexpr std::string_view kThrowable = "java/lang/Throwable";

}  // namespace

bool MethodCheck::refuse(std::string why) {
  if (why_.empty()) why_ = "at " + std::to_string(pc_) + ": " + std::move(why);
  return false;
}

bool MethodCheck::frame_at(std::uint32_t pc, const State*& out) const {
  const auto at = std::lower_bound(
      frames_.begin(), frames_.end(), pc,
      [](const auto& frame, std::uint32_t key) { return frame.first < key; });
  if (at == frames_.end() || at->first != pc) return false;
  out = &at->second;
  return true;
}

std::string MethodCheck::run() {
  auto first = first_state(cls_, method_, code_.max_locals);
  auto frames = stack_maps(cls_, method_, code_);
  if (!first) return "its arguments need more locals than it has";
  if (!frames) return "its stack map frames are not well formed";
  frames_ = std::move(*frames);
  enter(*first);
  classfile::InstructionReader reader(code_.code);
  Instruction ins;
  std::size_t next_frame = 0;
  bool live = true;
  while (reader.next(ins)) {
    pc_ = ins.pc;
    if (next_frame < frames_.size() && frames_[next_frame].first <= ins.pc) {
      const State& frame = frames_[next_frame].second;
      if (frames_[next_frame].first != ins.pc) {
        refuse("a frame stands inside an instruction");
        return why_;
      }
      ++next_frame;
      if (live && !flow_into(frame, unmade_this_)) return why_;
      enter(frame);
    } else if (!live) {
      refuse("nothing leads here, and no frame says what there is");
      return why_;
    }
    if (!handlers(ins.pc) || !step(ins, live)) return why_;
  }
  if (reader.failed()) return "its code cannot be read";
  if (live) return "it runs behind the end of its code";
  if (next_frame != frames_.size()) return "a frame stands behind its code";
  return {};
}

// --- States.

bool MethodCheck::holds_unmade_this(const State& state) {
  return std::ranges::any_of(state.locals, [](const Slot& slot) {
    return slot.kind == Kind::kUnmadeThis;
  });
}

void MethodCheck::enter(const State& state) {
  state_ = state;
  unmade_this_ = holds_unmade_this(state);
  locals_changed_ = true;
}

bool MethodCheck::flow_into(const State& target, bool unmade_this) {
  compared_ += target.locals.size() + target.stack.size() + 1;
  if (compared_ > kMostCompared) return refuse("more than can be followed");
  if (state_.stack.size() != target.stack.size()) {
    return refuse("the stack is not as high as the frame says");
  }
  if (unmade_this && !holds_unmade_this(target)) {
    return refuse("the frame says that the object is made");
  }
  const auto all = [&](const std::vector<Slot>& from,
                       const std::vector<Slot>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!relations_.fits(from[i], to[i])) return false;
    }
    return true;
  };
  if (!all(state_.locals, target.locals)) {
    return refuse("a local is not what the frame says");
  }
  if (!all(state_.stack, target.stack)) {
    return refuse("the stack is not what the frame says");
  }
  return true;
}

bool MethodCheck::jump(std::uint32_t target) {
  const State* frame = nullptr;
  if (!frame_at(target, frame)) return refuse("no frame where it jumps to");
  return flow_into(*frame, unmade_this_);
}

// What an instruction throws finds the locals as they are before it.
bool MethodCheck::handlers(std::uint32_t pc) {
  for (std::uint16_t i = 0; i < code_.handler_count; ++i) {
    const auto handler = code_.handler(i);
    if (pc < handler.start || pc >= handler.end ||
        (!locals_changed_ && pc != handler.start)) {
      continue;
    }
    std::vector<Slot> stack = {object_slot(
        handler.type == 0 ? kThrowable : cls_.pool().text(handler.type))};
    state_.stack.swap(stack);
    const bool fits = jump(handler.at);
    state_.stack.swap(stack);
    if (!fits) return false;
  }
  locals_changed_ = false;
  return true;
}

// --- The stack.

bool MethodCheck::push(Slot slot) {
  state_.stack.push_back(slot);
  const Kind end = end_of(slot.kind);
  if (end != Kind::kTop) state_.stack.push_back({end, 0, {}});
  if (state_.stack.size() > code_.max_stack) return refuse("stack overflow");
  return true;
}

bool MethodCheck::push_descriptor(std::string_view descriptor) {
  return descriptor == "V" || push(slot_of(descriptor));
}

bool MethodCheck::pop_any(Slot& out) {
  if (state_.stack.empty()) return refuse("stack underflow");
  out = state_.stack.back();
  state_.stack.pop_back();
  return true;
}

bool MethodCheck::pop(Kind kind) {
  Slot slot;
  const Kind end = end_of(kind);
  if (end != Kind::kTop && (!pop_any(slot) || slot.kind != end)) {
    return refuse("another type on the stack");
  }
  if (!pop_any(slot)) return false;
  return slot.kind == kind || refuse("another type on the stack");
}

bool MethodCheck::pop_made(Slot& out) {
  if (!pop_any(out)) return false;
  return out.made() || refuse("no reference to something made on the stack");
}

bool MethodCheck::pop_as(std::string_view class_or_array, Slot* out) {
  Slot slot;
  if (!pop_made(slot)) return false;
  if (out != nullptr) *out = slot;
  return slot.kind == Kind::kNull ||
         relations_.fits_class(slot.type, class_or_array) ||
         refuse(std::string(slot.type) + " is no " +
                std::string(class_or_array));
}

bool MethodCheck::pop_descriptor(std::string_view descriptor) {
  const Slot wanted = slot_of(descriptor);
  return wanted.kind == Kind::kObject ? pop_as(wanted.type) : pop(wanted.kind);
}

bool MethodCheck::pop_arguments(std::string_view descriptor) {
  std::vector<std::string_view> types;
  classfile::MethodDescriptor parts(descriptor);
  classfile::TypeView one;
  while (parts.next(one)) types.push_back(one.text);
  return std::all_of(types.rbegin(), types.rend(), [&](std::string_view type) {
    return pop_descriptor(type);
  });
}

bool MethodCheck::effect(std::string_view pops_and_pushes) {
  const auto kind = [](char letter) {
    return letter == 'I'   ? Kind::kInt
           : letter == 'J' ? Kind::kLong
           : letter == 'F' ? Kind::kFloat
                           : Kind::kDouble;
  };
  const auto arrow = pops_and_pushes.find('>');
  for (std::size_t i = arrow; i-- > 0;) {
    Slot reference;
    const bool there = pops_and_pushes[i] == 'A' ? pop_made(reference)
                                                 : pop(kind(pops_and_pushes[i]));
    if (!there) return false;
  }
  for (const char letter : pops_and_pushes.substr(arrow + 1)) {
    if (!push({kind(letter), 0, {}})) return false;
  }
  return true;
}

// No value of two slots is torn apart.
bool MethodCheck::rearrange(Opcode op) {
  struct Form {
    Opcode op;
    unsigned taken;
    std::string_view result;  // "0" is the deepest
    std::string_view groups;  // sizes, from the deepest
  };
  static constexpr Form kForms[] = {
      {Opcode::k_pop, 1, "", "1"},
      {Opcode::k_pop2, 2, "", "2"},
      {Opcode::k_dup, 1, "00", "1"},
      {Opcode::k_dup_x1, 2, "101", "11"},
      {Opcode::k_dup_x2, 3, "2012", "21"},
      {Opcode::k_dup2, 2, "0101", "2"},
      {Opcode::k_dup2_x1, 3, "12012", "12"},
      {Opcode::k_dup2_x2, 4, "230123", "22"},
      {Opcode::k_swap, 2, "10", "11"}};
  const auto form = std::ranges::find(kForms, op, &Form::op);
  auto& stack = state_.stack;
  if (stack.size() < form->taken) return refuse("stack underflow");
  const std::size_t base = stack.size() - form->taken;
  const std::vector<Slot> slots(stack.begin() + static_cast<std::ptrdiff_t>(base),
                                stack.end());
  const auto is_end = [](const Slot& slot) {
    return slot.kind == Kind::kLongEnd || slot.kind == Kind::kDoubleEnd;
  };
  std::size_t at = 0;
  for (const char size : form->groups) {
    // A group begins with no half, and ends with none that began before it.
    if (is_end(slots[at]) || (size == '1' && end_of(slots[at].kind) != Kind::kTop)) {
      return refuse("half a value on the stack");
    }
    at += static_cast<std::size_t>(size - '0');
    if (end_of(slots[at - 1].kind) != Kind::kTop) {
      return refuse("half a value on the stack");
    }
  }
  stack.resize(base);
  for (const char slot : form->result) {
    stack.push_back(slots[static_cast<std::size_t>(slot - '0')]);
  }
  return stack.size() <= code_.max_stack || refuse("stack overflow");
}

std::string_view MethodCheck::made(std::string text) {
  return made_.emplace_back(std::move(text));
}

// --- Instructions.

bool MethodCheck::local(Opcode op, std::uint16_t slot) {
  const auto n = static_cast<unsigned>(op);
  constexpr Kind kKinds[] = {Kind::kInt, Kind::kLong, Kind::kFloat,
                             Kind::kDouble, Kind::kObject};
  constexpr auto kFirstLoad = static_cast<unsigned>(Opcode::k_iload);
  constexpr auto kFirstStore = static_cast<unsigned>(Opcode::k_istore);
  const bool loads = n >= kFirstLoad && n < kFirstLoad + 5;
  if (!loads && (n < kFirstStore || n >= kFirstStore + 5)) {
    return refuse("a subroutine");  // ret
  }
  const Kind kind = kKinds[n - (loads ? kFirstLoad : kFirstStore)];
  const Kind end = end_of(kind);
  auto& locals = state_.locals;
  if (slot + (end == Kind::kTop ? 0U : 1U) >= locals.size()) {
    return refuse("a local that the method has not");
  }
  if (!loads) {
    if (kind == Kind::kObject) {
      Slot value;
      if (!pop_any(value)) return false;
      if (!value.reference()) return refuse("no reference on the stack");
      return store(value, slot);
    }
    return pop(kind) && store({kind, 0, {}}, slot);
  }
  const Slot value = locals[slot];
  if (kind == Kind::kObject ? !value.reference() : value.kind != kind) {
    return refuse("a local of another type");
  }
  if (end != Kind::kTop && locals[slot + 1U].kind != end) {
    return refuse("half a local");
  }
  return push(value);
}

bool MethodCheck::store(Slot value, std::uint16_t slot) {
  auto& locals = state_.locals;
  const auto put = [&](std::size_t at, Slot what) {
    // Half of what stood there is nothing any more.
    if (end_of(locals[at].kind) != Kind::kTop && at + 1 < locals.size()) {
      locals[at + 1] = {};
    }
    if ((locals[at].kind == Kind::kLongEnd ||
         locals[at].kind == Kind::kDoubleEnd) &&
        at > 0) {
      locals[at - 1] = {};
    }
    locals[at] = what;
  };
  const Kind end = end_of(value.kind);
  if (end != Kind::kTop) put(slot + 1U, {});
  put(slot, {});
  locals[slot] = value;
  if (end != Kind::kTop) locals[slot + 1U] = {end, 0, {}};
  locals_changed_ = true;
  return true;
}

bool MethodCheck::array(Opcode op) {
  constexpr std::string_view kElements = "IJFDABCS";
  constexpr auto kFirstLoad = static_cast<unsigned>(Opcode::k_iaload);
  constexpr auto kFirstStore = static_cast<unsigned>(Opcode::k_iastore);
  const auto n = static_cast<unsigned>(op);
  const bool loads = n < kFirstStore;
  const char element = kElements[n - (loads ? kFirstLoad : kFirstStore)];
  const std::string_view on_stack =
      element == 'B' || element == 'C' || element == 'S'
          ? std::string_view("I")
          : kElements.substr(kElements.find(element), 1);
  Slot value;
  if (!loads && !(element == 'A' ? pop_made(value)
                                 : effect(std::string(on_stack) + ">"))) {
    return false;
  }
  Slot holder;
  if (!pop(Kind::kInt) || !pop_any(holder)) return false;
  if (holder.kind == Kind::kNull) {
    if (!loads) return true;
    return element == 'A' ? push(holder) : effect(">" + std::string(on_stack));
  }
  if (!holder.array()) return refuse("no array on the stack");
  const std::string_view inside = holder.type.substr(1);
  if (element == 'A') {
    if (!inside.starts_with('[') && !inside.starts_with('L')) {
      return refuse("an array of another type");
    }
    return !loads || push_descriptor(inside);
  }
  const bool fits = inside.size() == 1 &&
                    (inside[0] == element || (element == 'B' && inside == "Z"));
  if (!fits) return refuse("an array of another type");
  return !loads || effect(">" + std::string(on_stack));
}

bool MethodCheck::constant(const Instruction& ins) {
  using classfile::Tag;
  const auto& pool = cls_.pool();
  const bool wide = ins.op == Opcode::k_ldc2_w;
  const Tag tag = pool.tag(ins.index);
  if (tag == Tag::kDynamic) {
    const Slot slot = slot_of(pool.dynamic(ins.index).descriptor);
    if (wide != (end_of(slot.kind) != Kind::kTop)) {
      return refuse("a constant of another size");
    }
    return push(slot);
  }
  if (wide != (tag == Tag::kLong || tag == Tag::kDouble)) {
    return refuse("a constant of another size");
  }
  switch (tag) {
    case Tag::kInteger:
      return push({Kind::kInt, 0, {}});
    case Tag::kFloat:
      return push({Kind::kFloat, 0, {}});
    case Tag::kLong:
      return push({Kind::kLong, 0, {}});
    case Tag::kDouble:
      return push({Kind::kDouble, 0, {}});
    case Tag::kString:
      return push(object_slot("java/lang/String"));
    case Tag::kClass:
      return push(object_slot("java/lang/Class"));
    case Tag::kMethodType:
      return push(object_slot("java/lang/invoke/MethodType"));
    case Tag::kMethodHandle:
      return push(object_slot("java/lang/invoke/MethodHandle"));
    default:
      return refuse("no loadable constant");
  }
}

bool MethodCheck::type(const Instruction& ins) {
  Slot any;
  if (ins.op == Opcode::k_newarray) {
    constexpr std::string_view kOf = "ZCFDBSIJ";
    constexpr int kFirst = 4;
    const auto at = static_cast<std::size_t>(ins.value - kFirst);
    if (!pop(Kind::kInt)) return false;
    if (ins.value < kFirst || at >= kOf.size()) return refuse("no such array");
    return push(object_slot(made("[" + std::string(1, kOf[at]))));
  }
  const std::string_view text = cls_.pool().text(ins.index);
  switch (ins.op) {
    case Opcode::k_new:
      if (text.starts_with('[')) return refuse("a new array");
      return push({Kind::kUnmade, ins.pc, {}});
    case Opcode::k_anewarray:
      return pop(Kind::kInt) &&
             push(object_slot(made(text.starts_with('[')
                                       ? "[" + std::string(text)
                                       : "[L" + std::string(text) + ";")));
    case Opcode::k_multianewarray:
      for (int i = 0; i < ins.value; ++i) {
        if (!pop(Kind::kInt)) return false;
      }
      return push(object_slot(text));
    case Opcode::k_checkcast:
      return pop_made(any) && push(object_slot(text));
    case Opcode::k_instanceof:
      return effect("A>I");
    default:
      return refuse("an unknown instruction");
  }
}

bool MethodCheck::returns(Opcode op) {
  const auto result =
      classfile::MethodDescriptor(method_.descriptor).result_text();
  const Slot wanted = slot_of(result);
  if (op == Opcode::k_return) {
    if (result != "V") return refuse("returns nothing");
    return !unmade_this_ || refuse("returns before another constructor is called");
  }
  constexpr Kind kKinds[] = {Kind::kInt, Kind::kLong, Kind::kFloat,
                             Kind::kDouble, Kind::kObject};
  const auto n = static_cast<unsigned>(op) -
                 static_cast<unsigned>(Opcode::k_ireturn);
  if (result == "V" || wanted.kind != kKinds[n]) {
    return refuse("returns another type");
  }
  return pop_descriptor(result);
}

bool MethodCheck::step(const Instruction& ins, bool& falls_through) {
  falls_through = true;
  if (const auto one = classfile::short_local(ins.op)) {
    return local(one->op, one->slot);
  }
  const auto n = static_cast<unsigned>(ins.op);
  switch (classfile::operand_kind(ins.op)) {
    case OperandKind::k_slot:
      return local(ins.op, ins.index);
    case OperandKind::k_iinc:
      if (ins.index >= state_.locals.size() ||
          state_.locals[ins.index].kind != Kind::kInt) {
        return refuse("counts a local that is no int");
      }
      return true;
    case OperandKind::k_branch:
    case OperandKind::k_branch_w: {
      const bool always =
          ins.op == Opcode::k_goto || ins.op == Opcode::k_goto_w;
      const auto what = effect_of(ins.op);
      if (what.empty()) return refuse("a subroutine");
      falls_through = !always;
      return effect(what) && jump(ins.target);
    }
    case OperandKind::k_tableswitch:
    case OperandKind::k_lookupswitch: {
      falls_through = false;
      if (!pop(Kind::kInt) || !jump(ins.target)) return false;
      for (std::uint32_t i = 0; i < ins.cases; ++i) {
        if (!jump(ins.switch_target(i))) return false;
      }
      return true;
    }
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
      return pop_arguments(site.descriptor) &&
             push_descriptor(
                 classfile::MethodDescriptor(site.descriptor).result_text());
    }
    case OperandKind::k_type:
    case OperandKind::k_dims:
    case OperandKind::k_primitive:
      return type(ins);
    default:
      break;
  }
  Slot slot;
  switch (ins.op) {
    case Opcode::k_aconst_null:
      return push({Kind::kNull, 0, {}});
    case Opcode::k_arraylength:
      if (!pop_any(slot)) return false;
      if (slot.kind != Kind::kNull && !slot.array()) return refuse("no array");
      return push({Kind::kInt, 0, {}});
    case Opcode::k_athrow:
      falls_through = false;
      return pop_as(kThrowable);
    case Opcode::k_monitorenter:
    case Opcode::k_monitorexit:
      if (!pop_any(slot)) return false;
      return slot.reference() || refuse("no reference on the stack");
    default:
      break;
  }
  if (ins.op >= Opcode::k_ireturn && ins.op <= Opcode::k_return) {
    falls_through = false;
    return returns(ins.op);
  }
  if ((n >= static_cast<unsigned>(Opcode::k_iaload) &&
       n <= static_cast<unsigned>(Opcode::k_saload)) ||
      (n >= static_cast<unsigned>(Opcode::k_iastore) &&
       n <= static_cast<unsigned>(Opcode::k_sastore))) {
    return array(ins.op);
  }
  if (ins.op >= Opcode::k_pop && ins.op <= Opcode::k_swap) {
    return rearrange(ins.op);
  }
  const auto what = effect_of(ins.op);
  return what.empty() ? refuse("an unknown instruction") : effect(what);
}

}  // namespace rejig::traversal::verify
