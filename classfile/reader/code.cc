// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/code.h"

#include <array>

namespace rejig::classfile {
namespace {

struct OpcodeFacts {
  std::string_view name;
  OperandKind kind = OperandKind::k_none;
};

constexpr std::array<OpcodeFacts, kOpcodes> kFacts = {{
#define REJIG_OPCODE(number, name, operand) {#name, OperandKind::k_##operand},
#include "classfile/reader/opcodes.def"
#undef REJIG_OPCODE
}};

// Of instructions whose length is in the code: the smallest.
constexpr std::array<std::uint8_t, kOpcodes> kLengths = [] {
  std::array<std::uint8_t, kOpcodes> lengths{};
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    switch (kFacts[i].kind) {
      case OperandKind::k_none:
        lengths[i] = 1;
        break;
      case OperandKind::k_byte:
      case OperandKind::k_ldc:
      case OperandKind::k_slot:
      case OperandKind::k_primitive:
        lengths[i] = 2;
        break;
      case OperandKind::k_dims:
      case OperandKind::k_wide:
        lengths[i] = 4;
        break;
      case OperandKind::k_branch_w:
      case OperandKind::k_interface_call:
      case OperandKind::k_dynamic_call:
        lengths[i] = 5;
        break;
      case OperandKind::k_tableswitch:
        lengths[i] = 17;
        break;
      case OperandKind::k_lookupswitch:
        lengths[i] = 9;
        break;
      default:
        lengths[i] = 3;
        break;
    }
  }
  return lengths;
}();

constexpr OperandForm form_of(std::size_t number) {
  OperandForm f;
  if (number >= kOpcodes) return f;
  f.length = kLengths[number];
  const auto index = [&](unsigned bits) {
    f.index_shift = static_cast<std::uint8_t>(32 - bits);
    f.index_mask = static_cast<std::uint16_t>((1u << bits) - 1);
  };
  // The value is byte `at` (0 is the one behind the opcode) and the bits
  // behind it.
  const auto value = [&](unsigned at, unsigned bits, bool sign) {
    f.value_left = static_cast<std::uint8_t>(8 * at);
    f.value_right = static_cast<std::uint8_t>(32 - bits);
    f.value_mask = sign ? ~0u : (1u << bits) - 1;
  };
  switch (kFacts[number].kind) {
    case OperandKind::k_none:
      break;
    case OperandKind::k_byte:
      value(0, 8, true);
      break;
    case OperandKind::k_short:
      value(0, 16, true);
      break;
    case OperandKind::k_ldc:
    case OperandKind::k_slot:
      index(8);
      break;
    case OperandKind::k_ldc_w:
    case OperandKind::k_field:
    case OperandKind::k_call:
    case OperandKind::k_type:
    case OperandKind::k_interface_call:
    case OperandKind::k_dynamic_call:
      index(16);
      break;
    case OperandKind::k_iinc:
      index(8);
      value(1, 8, true);
      break;
    case OperandKind::k_branch:
      f.target_shift = 16;
      f.target_mask = ~0u;
      break;
    case OperandKind::k_branch_w:
      f.target_mask = ~0u;
      break;
    case OperandKind::k_primitive:
      value(0, 8, false);
      break;
    case OperandKind::k_dims:
      index(16);
      value(2, 8, false);
      break;
    case OperandKind::k_tableswitch:
    case OperandKind::k_lookupswitch:
    case OperandKind::k_wide:
      f.length = 0;
      break;
  }
  return f;
}

std::int32_t s4_at(base::Bytes b, std::size_t i) {
  base::ByteReader r(b.subspan(i, 4));
  return r.s4();
}

template <class Rows, class Match>
const AttributeView* find_attribute(const Rows& rows, Match&& match) {
  for (const AttributeView& a : rows) {
    if (match(a)) return &a;
  }
  return nullptr;
}

}  // namespace

constexpr std::array<OperandForm, 256> kOperandForms = [] {
  std::array<OperandForm, 256> forms{};
  for (std::size_t i = 0; i < forms.size(); ++i) forms[i] = form_of(i);
  return forms;
}();

std::string_view mnemonic(Opcode op) {
  const auto i = static_cast<std::size_t>(op);
  return i < kOpcodes ? kFacts[i].name : std::string_view();
}

Handler CodeView::handler(std::uint16_t i) const {
  base::ByteReader r(handler_table.subspan(std::size_t{8} * i, 8));
  Handler h;
  h.start = r.u2();
  h.end = r.u2();
  h.at = r.u2();
  h.type = r.u2();
  return h;
}

const AttributeView* CodeView::attribute(std::string_view name) const {
  return find_attribute(attributes,
                        [&](const auto& a) { return a.name == name; });
}

const AttributeView* CodeView::attribute(AttributeKind kind) const {
  return find_attribute(attributes,
                        [&](const auto& a) { return a.kind == kind; });
}

std::optional<CodeView> CodeView::of(const ClassView&,
                                     const MemberView& method) {
  const AttributeView* attribute = method.attribute(AttributeKind::kCode);
  if (attribute == nullptr) return std::nullopt;
  base::ByteReader r(attribute->content, attribute->offset);
  CodeView view;
  view.max_stack = r.u2();
  view.max_locals = r.u2();
  const std::uint32_t length = r.u4();
  view.code_offset = static_cast<std::uint32_t>(r.offset());
  view.code = r.bytes(length);
  view.handler_count = r.u2();
  view.handler_table = r.bytes(std::size_t{8} * view.handler_count);
  view.attributes = method.code_attributes;
  if (r.failed()) return std::nullopt;
  return view;
}

std::vector<LineEntry> line_numbers(const CodeView& code) {
  std::vector<LineEntry> rows;
  for (const AttributeView& a : code.attributes) {
    if (a.kind != AttributeKind::kLineNumberTable) continue;
    base::ByteReader r(a.content);
    const std::uint16_t n = r.u2();
    rows.reserve(rows.size() + n);
    for (unsigned i = 0; i < n && r.remaining() >= 4; ++i) {
      LineEntry row;
      row.pc = r.u2();
      row.line = r.u2();
      rows.push_back(row);
    }
  }
  return rows;
}

std::int32_t Instruction::switch_key(std::uint32_t i) const {
  if (op == Opcode::k_lookupswitch) return s4_at(rows, std::size_t{8} * i);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + i);
}

std::uint32_t Instruction::switch_target(std::uint32_t i) const {
  const std::size_t at = op == Opcode::k_lookupswitch ? std::size_t{8} * i + 4
                                                      : std::size_t{4} * i;
  return pc + static_cast<std::uint32_t>(s4_at(rows, at));
}

// Any instruction, also close to the end or malformed.
bool InstructionReader::next_slowly(Instruction& out) {
  const std::size_t start = pos_;
  if (start >= code_.size() || failed_) return false;
  const auto number = std::to_integer<std::uint8_t>(code_[start]);
  if (number >= kOpcodes) {
    failed_ = true;
    return false;
  }
  const std::size_t length = kLengths[number];
  if (code_.size() - start < length) {
    failed_ = true;
    return false;
  }
  out = Instruction();
  out.pc = static_cast<std::uint32_t>(start);
  out.op = static_cast<Opcode>(number);
  out.length = static_cast<std::uint32_t>(length);
  // `length` bytes are there.
  const auto u1 = [&](std::size_t i) {
    return std::to_integer<unsigned>(code_[start + i]);
  };
  const auto u2 = [&](std::size_t i) {
    return static_cast<std::uint16_t>(u1(i) << 8 | u1(i + 1));
  };
  switch (kOperandKinds[number]) {
    case OperandKind::k_none:
      break;
    case OperandKind::k_byte:
      out.value = static_cast<std::int8_t>(u1(1));
      break;
    case OperandKind::k_short:
      out.value = static_cast<std::int16_t>(u2(1));
      break;
    case OperandKind::k_ldc:
    case OperandKind::k_slot:
      out.index = static_cast<std::uint16_t>(u1(1));
      break;
    case OperandKind::k_ldc_w:
    case OperandKind::k_field:
    case OperandKind::k_call:
    case OperandKind::k_type:
    case OperandKind::k_interface_call:
    case OperandKind::k_dynamic_call:
      out.index = u2(1);
      break;
    case OperandKind::k_iinc:
      out.index = static_cast<std::uint16_t>(u1(1));
      out.value = static_cast<std::int8_t>(u1(2));
      break;
    case OperandKind::k_branch:
      out.target =
          out.pc + static_cast<std::uint32_t>(static_cast<std::int16_t>(u2(1)));
      break;
    case OperandKind::k_branch_w:
      out.target = out.pc + (std::uint32_t{u2(1)} << 16 | u2(3));
      break;
    case OperandKind::k_primitive:
      out.value = static_cast<std::int32_t>(u1(1));
      break;
    case OperandKind::k_dims:
      out.index = u2(1);
      out.value = static_cast<std::int32_t>(u1(3));
      break;
    case OperandKind::k_tableswitch:
    case OperandKind::k_lookupswitch:
    case OperandKind::k_wide:
      if (!variable(out)) {
        failed_ = true;
        return false;
      }
      break;
  }
  pos_ = start + out.length;
  return true;
}

// The instructions whose length is in the code: switches and wide.
bool InstructionReader::variable(Instruction& out) {
  const std::size_t start = out.pc;
  base::ByteReader r(code_);
  r.seek(start + 1);
  if (out.op == Opcode::k_wide) {
    const std::uint8_t number = r.u1();
    const OperandKind kind =
        number < kOpcodes ? kOperandKinds[number] : OperandKind::k_none;
    if (kind != OperandKind::k_slot && kind != OperandKind::k_iinc) {
      return false;
    }
    out.op = static_cast<Opcode>(number);
    out.index = r.u2();
    if (kind == OperandKind::k_iinc) out.value = r.s2();
  } else {
    r.skip(3 - start % 4);
    out.target = out.pc + r.u4();
    std::int64_t rows = 0;
    std::size_t row_size = 4;
    if (out.op == Opcode::k_tableswitch) {
      out.low = r.s4();
      rows = std::int64_t{r.s4()} - out.low + 1;
      if (rows < 1) return false;
    } else {
      rows = r.s4();
      row_size = 8;
      if (rows < 0) return false;
    }
    if (static_cast<std::uint64_t>(rows) > r.remaining() / row_size) {
      return false;
    }
    out.cases = static_cast<std::uint32_t>(rows);
    out.rows = r.bytes(row_size * out.cases);
  }
  out.length = static_cast<std::uint32_t>(r.pos() - start);
  return !r.failed();
}

}  // namespace rejig::classfile
