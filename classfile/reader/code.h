// SPDX-License-Identifier: Apache-2.0
// Which instructions does this method have (JVMS §4.7.3, §6.5)? CodeView reads
// the Code attribute of a method of a parsed ClassView; InstructionReader walks
// its instructions. ClassView::parse has checked every Code attribute, so the
// walk cannot fail on a parsed class. Views live as long as the class's bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/reader/class_view.h"

namespace rejig::classfile {

// Opcodes with their JVMS numbers: Opcode::k_nop = 0 … Opcode::k_jsr_w = 201.
enum class Opcode : std::uint8_t {
#define REJIG_OPCODE(number, name, ...) k_##name = number,
#include "classfile/reader/opcodes.def"
#undef REJIG_OPCODE
};

inline constexpr unsigned kOpcodes = 202;

// What stands behind the opcode (see opcodes.def).
enum class OperandKind : std::uint8_t {
  k_none,
  k_byte,
  k_short,
  k_ldc,
  k_ldc_w,
  k_slot,
  k_iinc,
  k_branch,
  k_branch_w,
  k_tableswitch,
  k_lookupswitch,
  k_field,
  k_call,
  k_type,
  k_interface_call,
  k_dynamic_call,
  k_primitive,
  k_dims,
  k_wide,
};

// "iload_1"
std::string_view mnemonic(Opcode op);
inline constexpr OperandKind kOperandKinds[kOpcodes] = {
#define REJIG_OPCODE(number, name, operand) OperandKind::k_##operand,
#include "classfile/reader/opcodes.def"
#undef REJIG_OPCODE
};
inline OperandKind operand_kind(Opcode op) {
  const auto i = static_cast<std::size_t>(op);
  return i < kOpcodes ? kOperandKinds[i] : OperandKind::k_none;
}
// Does `index` of the instruction name an entry of the pool?
inline constexpr std::array<bool, 256> kNamesConstant = [] {
  std::array<bool, 256> names{};
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    switch (kOperandKinds[i]) {
      case OperandKind::k_ldc:
      case OperandKind::k_ldc_w:
      case OperandKind::k_field:
      case OperandKind::k_call:
      case OperandKind::k_type:
      case OperandKind::k_interface_call:
      case OperandKind::k_dynamic_call:
      case OperandKind::k_dims:
        names[i] = true;
        break;
      default:
        break;
    }
  }
  return names;
}();
inline bool names_constant(Opcode op) {
  return kNamesConstant[static_cast<std::size_t>(op)];
}

// iload_1 is a short form of iload 1.
struct ShortLocal {
  Opcode op = Opcode{};  // k_iload … k_aload, k_istore … k_astore
  std::uint16_t slot = 0;
};
constexpr std::optional<ShortLocal> short_local(Opcode op) {
  const auto form = [op](Opcode first, Opcode base) {
    const unsigned n = static_cast<unsigned>(op) - static_cast<unsigned>(first);
    return ShortLocal{static_cast<Opcode>(static_cast<unsigned>(base) + n / 4),
                      static_cast<std::uint16_t>(n % 4)};
  };
  if (op >= Opcode::k_iload_0 && op <= Opcode::k_aload_3) {
    return form(Opcode::k_iload_0, Opcode::k_iload);
  }
  if (op >= Opcode::k_istore_0 && op <= Opcode::k_astore_3) {
    return form(Opcode::k_istore_0, Opcode::k_istore);
  }
  return std::nullopt;
}

struct Handler {
  std::uint32_t start = 0;  // first pc covered
  std::uint32_t end = 0;    // first pc after
  std::uint32_t at = 0;     // pc of the handler
  std::uint16_t type = 0;   // pool index of a Class; 0 = any
};

struct LineEntry {
  std::uint16_t pc = 0;
  std::uint16_t line = 0;
};

struct CodeView {
  std::uint16_t max_stack = 0;
  std::uint16_t max_locals = 0;
  base::Bytes code;
  std::uint32_t code_offset = 0;  // of the first instruction in the class file
  std::uint16_t handler_count = 0;
  base::Bytes handler_table;                  // 8 bytes a row
  std::span<const AttributeView> attributes;  // owned by the ClassView

  Handler handler(std::uint16_t i) const;
  const AttributeView* attribute(std::string_view name) const;
  const AttributeView* attribute(AttributeKind kind) const;

  // nullopt when the method has no Code.
  static std::optional<CodeView> of(const ClassView& cls,
                                    const MemberView& method);
};

// Rows of all LineNumberTable attributes, in order of appearance.
std::vector<LineEntry> line_numbers(const CodeView& code);

struct Instruction {
  std::uint32_t pc = 0;
  std::uint32_t length = 0;  // with wide prefix, padding and operands
  Opcode op = Opcode{};      // `wide iload` is iload; goto_w stays goto_w
  std::uint16_t index = 0;   // pool index (ldc, fields, calls, types) or slot
  std::int32_t value = 0;    // bipush, sipush, iinc delta, newarray type,
                             // multianewarray dimensions, slot/constant of
                             // the short forms is NOT here but in the opcode
  std::uint32_t target = 0;  // pc of a branch target; a switch's default
  // Switches: raw rows, read through switch_key / switch_target.
  std::int32_t low = 0;     // tableswitch
  std::uint32_t cases = 0;  // rows
  base::Bytes rows;

  bool is_switch() const {
    return op == Opcode::k_tableswitch || op == Opcode::k_lookupswitch;
  }
  std::int32_t switch_key(std::uint32_t i) const;
  std::uint32_t switch_target(std::uint32_t i) const;
};

// How the four bytes behind an opcode are read, the same way for all: without
// a branch that the next instruction's kind would mispredict.
struct OperandForm {
  std::uint8_t length = 0;  // 0: it is in the code, or there is no such opcode
  std::uint8_t index_shift = 0;
  std::uint8_t value_left = 0;
  std::uint8_t value_right = 0;
  std::uint8_t target_shift = 0;
  std::uint16_t index_mask = 0;
  std::uint32_t value_mask = 0;
  std::uint32_t target_mask = 0;
};
extern const std::array<OperandForm, 256> kOperandForms;

class InstructionReader {
 public:
  explicit InstructionReader(base::Bytes code) : code_(code) {}
  // False at the end (or, on unchecked bytes, at the first malformed one:
  // then failed() is true).
  bool next(Instruction& out) {
    if (pos_ + 5 > code_.size()) return next_slowly(out);
    const std::byte* const at = code_.data() + pos_;
    const auto number = std::to_integer<std::uint8_t>(*at);
    const OperandForm& form = kOperandForms[number];
    if (form.length == 0) return next_slowly(out);
    const std::uint32_t word = base::load_u4(at + 1);
    out.pc = static_cast<std::uint32_t>(pos_);
    out.length = form.length;
    out.op = static_cast<Opcode>(number);
    out.index =
        static_cast<std::uint16_t>(word >> form.index_shift & form.index_mask);
    out.value = static_cast<std::int32_t>(
        static_cast<std::uint32_t>(
            static_cast<std::int32_t>(word << form.value_left) >>
            form.value_right) &
        form.value_mask);
    out.target =
        (out.pc + static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >>
                                             form.target_shift)) &
        form.target_mask;
    if (out.cases != 0) {
      out.low = 0;
      out.cases = 0;
      out.rows = {};
    }
    pos_ += form.length;
    return true;
  }
  bool failed() const { return failed_; }
  // Where the next instruction (or the malformed one) begins.
  std::size_t position() const { return pos_; }
  // Goes on at `position`, which must be the beginning of an instruction.
  void seek(std::size_t position) { pos_ = position; }

 private:
  bool next_slowly(Instruction& out);
  bool variable(Instruction& out);

  base::Bytes code_;
  std::size_t pos_ = 0;
  bool failed_ = false;
};

}  // namespace rejig::classfile
