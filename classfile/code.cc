// SPDX-License-Identifier: Apache-2.0
#include "classfile/code.h"

#include <array>

namespace rejig::classfile {
namespace {

struct OpcodeFacts {
  std::string_view name;
  OperandKind kind = OperandKind::k_none;
};

constexpr std::array<OpcodeFacts, kOpcodes> kFacts = {{
#define REJIG_OPCODE(number, name, operand) {#name, OperandKind::k_##operand},
#include "classfile/opcodes.def"
#undef REJIG_OPCODE
}};

constexpr std::array<OperandKind, kOpcodes> kKinds = [] {
  std::array<OperandKind, kOpcodes> kinds{};
  for (std::size_t i = 0; i < kOpcodes; ++i) kinds[i] = kFacts[i].kind;
  return kinds;
}();

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

std::string_view mnemonic(Opcode op) {
  const auto i = static_cast<std::size_t>(op);
  return i < kOpcodes ? kFacts[i].name : std::string_view();
}

OperandKind operand_kind(Opcode op) {
  const auto i = static_cast<std::size_t>(op);
  return i < kOpcodes ? kKinds[i] : OperandKind::k_none;
}

std::optional<ShortLocal> short_local(Opcode op) {
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

bool InstructionReader::next(Instruction& out) {
  if (pos_ >= code_.size() || failed_) return false;
  const std::size_t start = pos_;
  base::ByteReader r(code_);
  r.seek(start);
  std::uint8_t number = r.u1();
  out = Instruction();
  out.pc = static_cast<std::uint32_t>(start);
  const auto give_up = [&] {
    failed_ = true;
    return false;
  };
  if (number >= kOpcodes) return give_up();
  OperandKind kind = kKinds[number];
  if (kind == OperandKind::k_none) {
    out.op = static_cast<Opcode>(number);
    out.length = 1;
    ++pos_;
    return true;
  }
  const auto relative = [&](std::int32_t delta) {
    return out.pc + static_cast<std::uint32_t>(delta);
  };
  switch (kind) {
    case OperandKind::k_none:
      break;
    case OperandKind::k_byte:
      out.value = r.s1();
      break;
    case OperandKind::k_short:
      out.value = r.s2();
      break;
    case OperandKind::k_ldc:
    case OperandKind::k_slot:
      out.index = r.u1();
      break;
    case OperandKind::k_ldc_w:
    case OperandKind::k_field:
    case OperandKind::k_call:
    case OperandKind::k_type:
      out.index = r.u2();
      break;
    case OperandKind::k_iinc:
      out.index = r.u1();
      out.value = r.s1();
      break;
    case OperandKind::k_branch:
      out.target = relative(r.s2());
      break;
    case OperandKind::k_branch_w:
      out.target = relative(r.s4());
      break;
    case OperandKind::k_interface_call:
    case OperandKind::k_dynamic_call:
      out.index = r.u2();
      r.skip(2);
      break;
    case OperandKind::k_primitive:
      out.value = r.u1();
      break;
    case OperandKind::k_dims:
      out.index = r.u2();
      out.value = r.u1();
      break;
    case OperandKind::k_tableswitch: {
      r.skip(3 - start % 4);
      out.target = relative(r.s4());
      out.low = r.s4();
      const std::int32_t high = r.s4();
      const std::int64_t rows = std::int64_t{high} - out.low + 1;
      if (r.failed() || rows < 1 ||
          static_cast<std::uint64_t>(rows) > r.remaining() / 4) {
        return give_up();
      }
      out.cases = static_cast<std::uint32_t>(rows);
      out.rows = r.bytes(std::size_t{4} * out.cases);
      break;
    }
    case OperandKind::k_lookupswitch: {
      r.skip(3 - start % 4);
      out.target = relative(r.s4());
      const std::int32_t pairs = r.s4();
      if (r.failed() || pairs < 0 ||
          static_cast<std::uint32_t>(pairs) > r.remaining() / 8) {
        return give_up();
      }
      out.cases = static_cast<std::uint32_t>(pairs);
      out.rows = r.bytes(std::size_t{8} * out.cases);
      break;
    }
    case OperandKind::k_wide: {
      number = r.u1();
      kind = number < kOpcodes ? kKinds[number] : OperandKind::k_none;
      if (kind != OperandKind::k_slot && kind != OperandKind::k_iinc) {
        return give_up();
      }
      out.index = r.u2();
      if (kind == OperandKind::k_iinc) out.value = r.s2();
      break;
    }
  }
  if (r.failed()) return give_up();
  out.op = static_cast<Opcode>(number);
  out.length = static_cast<std::uint32_t>(r.pos() - start);
  pos_ = r.pos();
  return true;
}

}  // namespace rejig::classfile
