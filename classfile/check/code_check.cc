// SPDX-License-Identifier: Apache-2.0
// Static constraints on code (JVMS §4.9.1): every instruction is legal in this
// version, its operands are of the kinds it wants, and every jump, handler and
// range meets the beginning of an instruction.
#include <array>

#include "classfile/reader/class_check.h"
#include "classfile/reader/descriptor.h"

namespace rejig::classfile {
namespace {

constexpr unsigned kLargestArrayDimension = 255;

// Of a load or store of a local variable.
constexpr unsigned slots_of(Opcode op) {
  switch (op) {
    case Opcode::k_lload:
    case Opcode::k_dload:
    case Opcode::k_lstore:
    case Opcode::k_dstore:
      return 2;
    default:
      return 1;
  }
}

// What makes an instruction certainly legal, the same few questions for every
// opcode: no branch for the next one to mispredict.
struct Rule {
  std::uint8_t length = 0;     // 0: the operands must be looked at one by one
  std::uint8_t locals = 0;     // max_locals it needs, besides its slot
  std::uint8_t slot_mask = 0;  // 0xff: the byte behind the opcode is a slot
  std::uint8_t jump = 0;       // 1: two bytes say where to
  std::uint8_t index_shift = 0;
  bool any_use = true;
  std::uint16_t index_mask = 0;
  std::uint32_t tags = 1;  // bit tag; without an index the tag is kNone
  std::uint32_t uses = 0;  // of PoolNotes, one of them
};

constexpr std::uint32_t bit(Tag tag) {
  return 1u << static_cast<unsigned>(tag);
}

constexpr Rule rule_of(Opcode op, OperandKind kind) {
  Rule r;
  const auto index = [&](unsigned bits, std::uint32_t tags,
                         std::uint32_t uses = 0) {
    r.index_shift = static_cast<std::uint8_t>(32 - bits);
    r.index_mask = static_cast<std::uint16_t>((1u << bits) - 1);
    r.tags = tags;
    r.uses = uses;
    r.any_use = uses == 0;
    r.length = bits == 8 ? 2 : 3;
  };
  const std::uint32_t one_slot =
      bit(Tag::kInteger) | bit(Tag::kFloat) | bit(Tag::kString);
  switch (kind) {
    case OperandKind::k_none:
      r.length = 1;
      if (const auto form = short_local(op)) {
        r.locals = static_cast<std::uint8_t>(form->slot + slots_of(form->op));
      }
      break;
    case OperandKind::k_byte:
      r.length = 2;
      break;
    case OperandKind::k_short:
      r.length = 3;
      break;
    case OperandKind::k_slot:
      if (op == Opcode::k_ret) break;
      r.length = 2;
      r.locals = static_cast<std::uint8_t>(slots_of(op));
      r.slot_mask = 0xff;
      break;
    case OperandKind::k_iinc:
      r.length = 3;
      r.locals = 1;
      r.slot_mask = 0xff;
      break;
    case OperandKind::k_branch:
      if (op == Opcode::k_jsr) break;
      r.length = 3;
      r.jump = 1;
      break;
    case OperandKind::k_ldc:
      index(8, one_slot);
      break;
    case OperandKind::k_ldc_w:
      index(16, op == Opcode::k_ldc2_w ? bit(Tag::kLong) | bit(Tag::kDouble)
                                       : one_slot);
      break;
    case OperandKind::k_field:
      index(16, bit(Tag::kFieldref));
      break;
    case OperandKind::k_call:
      index(16, bit(Tag::kMethodref),
            op == Opcode::k_invokespecial
                ? PoolNotes::kPlainCall | PoolNotes::kInitCall
                : PoolNotes::kPlainCall);
      break;
    case OperandKind::k_type:
      index(16, bit(Tag::kClass),
            op == Opcode::k_new || op == Opcode::k_anewarray
                ? PoolNotes::kPlainClass
                : 0);
      break;
    default:
      break;
  }
  return r;
}

constexpr std::array<Rule, 256> kRules = [] {
  std::array<Rule, 256> rules{};
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    rules[i] = rule_of(static_cast<Opcode>(i), kOperandKinds[i]);
  }
  return rules;
}();

class CodeChecker {
 public:
  CodeChecker(const CheckContext& c, const CodeView& code)
      : c_(c), code_(code), scratch_(c.scratch) {}

  base::Result<void> check() {
    scratch_.starts.assign(code_.code.size() / 64 + 1, 0);
    // An instruction that jumps has three bytes, a row of a switch four.
    const std::size_t most_jumps = code_.code.size() / 2 + 8;
    if (scratch_.jumps.size() < most_jumps) scratch_.jumps.resize(most_jumps);
    InstructionReader reader(code_.code);
    Instruction in;
    while (true) {
      reader.seek(skip_legal(reader.position()));
      if (!reader.next(in)) break;
      scratch_.starts[in.pc / 64] |= std::uint64_t{1} << in.pc % 64;
      if (!check_operands(in)) return bad(in);
    }
    if (reader.failed()) return unreadable(reader.position());
    for (std::size_t i = 0; i < jumps_; ++i) {
      const CodeScratch::Jump jump = scratch_.jumps[i];
      if (!starts_at(jump.target)) {
        return fail(jump.pc,
                    "jump to " +
                        std::to_string(static_cast<std::int32_t>(jump.target)) +
                        ", expected the beginning of an instruction");
      }
    }
    return check_handlers();
  }

 private:
  // Marks instructions whose operands are certainly legal; the pc of the first
  // other one, or of one so close to the end that it must be looked at alone.
  std::size_t skip_legal(std::size_t pc) {
    const std::size_t size = code_.code.size();
    const std::byte* const code = code_.code.data();
    const ConstantPool& pool = c_.pool();
    const auto u1 = [code](std::size_t i) {
      return std::to_integer<std::uint32_t>(code[i]);
    };
    while (pc + 5 <= size) {
      const Rule& rule = kRules[u1(pc)];
      const std::uint32_t word =
          u1(pc + 1) << 24 | u1(pc + 2) << 16 | u1(pc + 3) << 8 | u1(pc + 4);
      const auto index = static_cast<std::uint16_t>(word >> rule.index_shift &
                                                    rule.index_mask);
      const unsigned tag = static_cast<unsigned>(pool.tag(index));
      const std::uint32_t locals = rule.locals + (word >> 24 & rule.slot_mask);
      const bool legal =
          (rule.length != 0) & ((rule.tags >> tag & 1) != 0) &
          (rule.any_use | ((c_.notes.use(index) & rule.uses) != 0)) &
          (locals <= code_.max_locals);
      if (!legal) break;
      const auto at = static_cast<std::uint32_t>(pc);
      scratch_.starts[pc / 64] |= std::uint64_t{1} << pc % 64;
      scratch_.jumps[jumps_] = {
          at, at + static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >>
                                              16)};
      jumps_ += rule.jump;
      pc += rule.length;
    }
    return pc;
  }
  void jump(std::uint32_t pc, std::uint32_t target) {
    scratch_.jumps[jumps_++] = {pc, target};
  }

  base::Error fail(std::size_t pc, std::string what) const {
    return c_.error(code_.code_offset + pc,
                    "pc " + std::to_string(pc) + ": " + std::move(what));
  }

  bool starts_at(std::uint32_t pc) const {
    return pc < code_.code.size() &&
           (scratch_.starts[pc / 64] >> pc % 64 & 1) != 0;
  }

  base::Error unreadable(std::size_t pc) const {
    const auto op = std::to_integer<unsigned>(code_.code[pc]);
    if (op >= kOpcodes) {
      return fail(pc, "opcode " + std::to_string(op) + ", allowed 0 to 201");
    }
    return fail(pc, std::string(mnemonic(static_cast<Opcode>(op))) +
                        " with operands that are not legal or reach behind "
                        "the code (length " +
                        std::to_string(code_.code.size()) + ")");
  }

  base::Error bad(const Instruction& in) const {
    return fail(in.pc, std::string(mnemonic(in.op)) + ": " + reason_);
  }
  bool no(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }
  bool no_tag(std::uint16_t index, std::string_view expected) {
    return no("refers to entry " + std::to_string(index) + " (constant tag " +
              std::to_string(static_cast<unsigned>(c_.pool().tag(index))) +
              "), expected " + std::string(expected));
  }

  bool local(std::uint32_t slot, unsigned slots) {
    if (slot + slots <= code_.max_locals) return true;
    return no("local variable " + std::to_string(slot) + ", max_locals is " +
              std::to_string(code_.max_locals));
  }

  bool check_operands(const Instruction& in) {
    switch (operand_kind(in.op)) {
      case OperandKind::k_none:
        if (const auto form = short_local(in.op)) {
          return local(form->slot, slots_of(form->op));
        }
        return true;
      case OperandKind::k_byte:
      case OperandKind::k_short:
      case OperandKind::k_wide:
        return true;
      case OperandKind::k_slot:
        if (in.op == Opcode::k_ret) return old_only() && local(in.index, 1);
        return local(in.index, slots_of(in.op));
      case OperandKind::k_iinc:
        return local(in.index, 1);
      case OperandKind::k_ldc:
      case OperandKind::k_ldc_w:
        return loadable(in.index, in.op == Opcode::k_ldc2_w);
      case OperandKind::k_branch:
      case OperandKind::k_branch_w:
        jump(in.pc, in.target);
        if (in.op == Opcode::k_jsr || in.op == Opcode::k_jsr_w) {
          return old_only();
        }
        return true;
      case OperandKind::k_tableswitch:
      case OperandKind::k_lookupswitch:
        return switch_rows(in);
      case OperandKind::k_field:
        return c_.pool().tag(in.index) == Tag::kFieldref ||
               no_tag(in.index, "a Fieldref");
      case OperandKind::k_call:
        return call(in);
      case OperandKind::k_interface_call:
        return interface_call(in);
      case OperandKind::k_dynamic_call:
        if (c_.pool().tag(in.index) != Tag::kInvokeDynamic) {
          return no_tag(in.index, "an InvokeDynamic");
        }
        if (byte_at(in.pc + 3) != 0 || byte_at(in.pc + 4) != 0) {
          return no("operand bytes 3 and 4 are not 0");
        }
        return c_.notes.use(in.index) == PoolNotes::kPlainCall ||
               no("calls a method whose name begins with '<'");
      case OperandKind::k_type:
        return type(in);
      case OperandKind::k_primitive:
        return (in.value >= 4 && in.value <= 11) ||
               no("array type " + std::to_string(in.value) +
                  ", allowed 4 to 11");
      case OperandKind::k_dims: {
        if (c_.pool().tag(in.index) != Tag::kClass) {
          return no_tag(in.index, "a Class");
        }
        const auto has =
            type_of_class_constant(c_.pool().text(in.index)).dimensions;
        return (in.value >= 1 && static_cast<unsigned>(in.value) <= has) ||
               no(std::to_string(in.value) +
                  " dimensions, allowed 1 to those of the type (" +
                  std::to_string(has) + ")");
      }
    }
    return true;
  }

  bool old_only() {
    return c_.major() < kJava7 ||
           no("in version " + std::to_string(c_.major()) +
              ", allowed up to 50");
  }

  bool loadable(std::uint16_t index, bool two_slots) {
    const Tag tag = c_.pool().tag(index);
    bool wide = false;
    switch (tag) {
      case Tag::kInteger:
      case Tag::kFloat:
      case Tag::kString:
      case Tag::kMethodHandle:
      case Tag::kMethodType:
        break;
      case Tag::kClass:
        if (c_.major() < kJava5)
          return no("of a Class, allowed from version 49");
        break;
      case Tag::kLong:
      case Tag::kDouble:
        wide = true;
        break;
      case Tag::kDynamic: {
        const std::string_view d = c_.pool().dynamic(index).descriptor;
        wide = d == "J" || d == "D";
        break;
      }
      default:
        return no_tag(index, "a loadable constant");
    }
    return wide == two_slots ||
           no_tag(index, two_slots ? "a loadable constant of two slots"
                                   : "a loadable constant of one slot");
  }

  bool switch_rows(const Instruction& in) {
    if (c_.major() < kJava7) {
      for (std::uint32_t at = in.pc + 1; at % 4 != 0; ++at) {
        if (byte_at(at) != 0) return no("padding is not 0");
      }
    }
    jump(in.pc, in.target);
    for (std::uint32_t i = 0; i < in.cases; ++i) {
      jump(in.pc, in.switch_target(i));
      if (in.op == Opcode::k_lookupswitch && i != 0 &&
          in.switch_key(i - 1) >= in.switch_key(i)) {
        return no("keys are not in ascending order");
      }
    }
    return true;
  }

  bool call(const Instruction& in) {
    const Tag tag = c_.pool().tag(in.index);
    const bool interface_too =
        in.op != Opcode::k_invokevirtual && c_.major() >= kJava8;
    if (tag != Tag::kMethodref &&
        !(interface_too && tag == Tag::kInterfaceMethodref)) {
      return no_tag(in.index, interface_too
                                  ? "a Methodref or InterfaceMethodref"
                                  : "a Methodref");
    }
    const std::uint32_t use = c_.notes.use(in.index);
    if (use != PoolNotes::kPlainCall &&
        (in.op != Opcode::k_invokespecial || use != PoolNotes::kInitCall)) {
      return no("calls a method whose name begins with '<'");
    }
    return true;
  }

  bool interface_call(const Instruction& in) {
    if (c_.pool().tag(in.index) != Tag::kInterfaceMethodref) {
      return no_tag(in.index, "an InterfaceMethodref");
    }
    if (c_.notes.use(in.index) != PoolNotes::kPlainCall) {
      return no("calls a method whose name begins with '<'");
    }
    const unsigned count = byte_at(in.pc + 3);
    const unsigned slots =
        c_.notes.argument_slots(c_.pool().member_descriptor(in.index));
    if (count != slots + 1) {
      return no("count " + std::to_string(count) + ", expected " +
                std::to_string(slots + 1));
    }
    return byte_at(in.pc + 4) == 0 || no("operand byte 4 is not 0");
  }

  bool type(const Instruction& in) {
    if (c_.pool().tag(in.index) != Tag::kClass) {
      return no_tag(in.index, "a Class");
    }
    if (in.op == Opcode::k_new) {
      return !c_.pool().text(in.index).starts_with('[') || no("of an array");
    }
    if (in.op == Opcode::k_anewarray &&
        type_of_class_constant(c_.pool().text(in.index)).dimensions >=
            kLargestArrayDimension) {
      return no("of an array of 255 dimensions");
    }
    return true;
  }

  unsigned byte_at(std::size_t pc) const {
    return std::to_integer<unsigned>(code_.code[pc]);
  }

  base::Result<void> check_handlers() const {
    const auto length = static_cast<std::uint32_t>(code_.code.size());
    for (std::uint32_t i = 0; i < code_.handler_count; ++i) {
      const Handler h = code_.handler(static_cast<std::uint16_t>(i));
      const auto bad_handler = [&](std::string what) {
        return c_.error(
            code_.code_offset + length + 2 + std::size_t{8} * i,
            "handler " + std::to_string(i) + ": " + std::move(what));
      };
      if (h.start >= h.end || h.end > length || !starts_at(h.start) ||
          (h.end != length && !starts_at(h.end))) {
        return bad_handler("range " + std::to_string(h.start) + " to " +
                           std::to_string(h.end) +
                           ", expected instructions within 0 to " +
                           std::to_string(length));
      }
      if (!starts_at(h.at)) {
        return bad_handler("begins at " + std::to_string(h.at) +
                           ", expected the beginning of an instruction");
      }
      if (h.type != 0 && c_.pool().tag(h.type) != Tag::kClass) {
        return bad_handler("catches entry " + std::to_string(h.type) +
                           ", expected 0 or a Class");
      }
    }
    return {};
  }

  const CheckContext& c_;
  const CodeView& code_;
  CodeScratch& scratch_;
  std::size_t jumps_ = 0;
  std::string reason_;
};

}  // namespace

base::Result<void> check_code(const CheckContext& c, const MemberView& method,
                              const CodeView& code) {
  const unsigned arguments =
      c.notes.argument_slots(member_index(c, method, 4)) +
      (method.is(kAccStatic) ? 0u : 1u);
  if (arguments > code.max_locals) {
    return c.error(method.offset, "max_locals " +
                                      std::to_string(code.max_locals) +
                                      " for arguments of " +
                                      std::to_string(arguments) + " slots");
  }
  return CodeChecker(c, code).check();
}

}  // namespace rejig::classfile
