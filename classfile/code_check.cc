// SPDX-License-Identifier: Apache-2.0
// Static constraints on code (JVMS §4.9.1): every instruction is legal in this
// version, its operands are of the kinds it wants, and every jump, handler and
// range meets the beginning of an instruction.
#include <array>

#include "classfile/class_check.h"
#include "classfile/descriptor.h"

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

struct SimpleLength {
  std::uint8_t length = 0;  // 0: the operands must be looked at
  std::uint8_t locals = 0;  // max_locals that a short load or store needs
};
constexpr std::array<SimpleLength, 256> kSimple = [] {
  std::array<SimpleLength, 256> table{};
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    const OperandKind kind = kOperandKinds[i];
    if (kind == OperandKind::k_none) {
      table[i].length = 1;
      if (const auto form = short_local(static_cast<Opcode>(i))) {
        table[i].locals =
            static_cast<std::uint8_t>(form->slot + slots_of(form->op));
      }
    } else if (kind == OperandKind::k_byte) {
      table[i].length = 2;
    } else if (kind == OperandKind::k_short) {
      table[i].length = 3;
    }
  }
  return table;
}();

class CodeChecker {
 public:
  CodeChecker(const CheckContext& c, const CodeView& code)
      : c_(c), code_(code), scratch_(c.scratch) {}

  base::Result<void> check() {
    scratch_.starts.assign(code_.code.size() / 64 + 1, 0);
    scratch_.jumps.clear();
    InstructionReader reader(code_.code);
    Instruction in;
    while (true) {
      reader.seek(skip_simple(reader.position()));
      if (!reader.next(in)) break;
      scratch_.starts[in.pc / 64] |= std::uint64_t{1} << in.pc % 64;
      if (!check_operands(in)) return bad(in);
    }
    if (reader.failed()) return unreadable(reader.position());
    for (const CodeScratch::Jump& jump : scratch_.jumps) {
      if (!starts_at(jump.target)) {
        return fail(jump.pc, "jump to " +
                                 std::to_string(static_cast<std::int32_t>(
                                     jump.target)) +
                                 ", expected the beginning of an instruction");
      }
    }
    return check_handlers();
  }

 private:
  // Marks instructions whose operands cannot be wrong; the pc of the next other
  // one, or of the end.
  std::size_t skip_simple(std::size_t pc) {
    const std::size_t size = code_.code.size();
    while (pc < size) {
      const SimpleLength simple =
          kSimple[std::to_integer<std::uint8_t>(code_.code[pc])];
      if (simple.length == 0 || size - pc < simple.length ||
          simple.locals > code_.max_locals) {
        break;
      }
      scratch_.starts[pc / 64] |= std::uint64_t{1} << pc % 64;
      pc += simple.length;
    }
    return pc;
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
        scratch_.jumps.push_back({in.pc, in.target});
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
        return !c_.notes.call(in.index).special_name ||
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
        const auto has = type_of_class_constant(c_.pool().text(in.index))
                             .dimensions;
        return (in.value >= 1 && static_cast<unsigned>(in.value) <= has) ||
               no(std::to_string(in.value) +
                  " dimensions, allowed 1 to those of the type (" +
                  std::to_string(has) + ")");
      }
    }
    return true;
  }

  bool old_only() {
    return c_.major() < kJava7 || no("in version " + std::to_string(c_.major()) +
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
        if (c_.major() < kJava5) return no("of a Class, allowed from version 49");
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
    scratch_.jumps.push_back({in.pc, in.target});
    for (std::uint32_t i = 0; i < in.cases; ++i) {
      scratch_.jumps.push_back({in.pc, in.switch_target(i)});
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
    if (c_.notes.call(in.index).special_name &&
        (in.op != Opcode::k_invokespecial ||
         c_.pool().member(in.index).name != "<init>")) {
      return no("calls a method whose name begins with '<'");
    }
    return true;
  }

  bool interface_call(const Instruction& in) {
    if (c_.pool().tag(in.index) != Tag::kInterfaceMethodref) {
      return no_tag(in.index, "an InterfaceMethodref");
    }
    const PoolNotes::Call call = c_.notes.call(in.index);
    if (call.special_name) {
      return no("calls a method whose name begins with '<'");
    }
    const unsigned count = byte_at(in.pc + 3);
    if (count != call.argument_slots + 1) {
      return no("count " + std::to_string(count) + ", expected " +
                std::to_string(call.argument_slots + 1));
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
        return c_.error(code_.code_offset + length + 2 + std::size_t{8} * i,
                        "handler " + std::to_string(i) + ": " +
                            std::move(what));
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
  std::string reason_;
};

}  // namespace

base::Result<void> check_code(const CheckContext& c, const MemberView& method,
                              const CodeView& code) {
  const unsigned arguments = argument_slots(method.descriptor) +
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
