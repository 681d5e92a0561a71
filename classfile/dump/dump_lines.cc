// SPDX-License-Identifier: Apache-2.0
// The lines of one class file but for its shell: the class, its members, and
// every instruction with its symbolic operands.
#include "classfile/dump/dump.h"
#include "classfile/dump/dump_json.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/code.h"

namespace rejig::classfile {
namespace {

constexpr char kPrimitives[] = "ZCFDBSIJ";  // array types 4 to 11

struct MethodCounts {
  std::uint32_t instructions = 0;
  std::uint32_t jumps = 0;
  std::uint64_t targets = 0;
};

// Which form of an instruction fits is a matter of distance or of slots:
// goto_w is goto, iload_1 is iload with the operand 1.
std::string_view plain_mnemonic(Opcode op) {
  if (const auto local = short_local(op)) return mnemonic(local->op);
  switch (op) {
    case Opcode::k_goto_w:
      return mnemonic(Opcode::k_goto);
    case Opcode::k_jsr_w:
      return mnemonic(Opcode::k_jsr);
    default:
      return mnemonic(op);
  }
}

class ClassPrinter {
 public:
  ClassPrinter(std::string& out, const ClassView& cls, std::string_view in,
               const DumpTypes& types)
      : out_(out), cls_(cls), pool_(cls.pool()), types_(types) {
    head_ = ",\"in\":";
    append_quoted_entry(head_, in);
  }

  bool print(bool used) {
    const std::size_t begin = out_.size();
    if (types_.has(DumpType::kClass)) class_line(used);
    if (types_.has(DumpType::kField)) {
      for (const MemberView& f : cls_.fields()) field_line(f);
    }
    limit_ = begin + kLargestClassText;
    for (const MemberView& m : cls_.methods()) {
      method(m);
      if (too_long()) {
        out_.resize(begin);
        return false;
      }
    }
    if (types_.has(DumpType::kShell)) dump_shell(out_, cls_, head_);
    return true;
  }

 private:
  bool too_long() const { return gave_up_ || out_.size() > limit_; }

  void class_line(bool used) {
    JsonLine line(out_, "class", head_);
    line.text("name", cls_.name());
    line.text_or_null("super", cls_.super_name(), !cls_.super_name().empty());
    std::string& list = line.at("interfaces");
    list += '[';
    for (std::size_t i = 0; i < cls_.interfaces().size(); ++i) {
      if (i != 0) list += ',';
      append_quoted(list, cls_.interfaces()[i]);
    }
    list += ']';
    line.number("access", cls_.access());
    line.number("major", cls_.major());
    line.number("minor", cls_.minor());
    const AttributeView* source =
        cls_.attribute(AttributeKind::kSourceFile);
    const bool there = source != nullptr && source->readable;
    line.text_or_null("source", there ? text_of(pool_, *source) : "", there);
    line.flag("used", used);
  }

  void field_line(const MemberView& f) {
    JsonLine line(out_, "field", head_);
    line.text("name", f.name);
    line.text("desc", f.descriptor);
    line.number("access", f.access);
    const AttributeView* value = f.attribute(AttributeKind::kConstantValue);
    if (value == nullptr || !value->readable) {
      line.null("value");
    } else {
      ConstPrinter(line.at("value"), cls_).constant(constant_value(*value));
    }
  }

  void method(const MemberView& m) {
    const std::size_t shared = head_.size();
    head_ += ",\"method\":\"";
    append_json_text(head_, m.name);
    append_json_text(head_, m.descriptor);
    head_ += '"';
    const auto code = CodeView::of(cls_, m);
    MethodCounts counts;
    if (code) {
      InstructionReader reader(code->code);
      Instruction in;
      while (!too_long() && reader.next(in)) {
        instruction(in, counts);
      }
      if (types_.has(DumpType::kHandler)) handlers(*code);
    }
    head_.resize(shared);
    if (types_.has(DumpType::kMethod)) method_line(m, code, counts);
  }

  void method_line(const MemberView& m, const std::optional<CodeView>& code,
                   const MethodCounts& counts) {
    JsonLine line(out_, "method", head_);
    line.text("name", m.name);
    line.text("desc", m.descriptor);
    line.number("access", m.access);
    const auto number = [&](std::string_view key, std::uint64_t n) {
      if (code) {
        line.number(key, static_cast<std::int64_t>(n));
      } else {
        line.null(key);
      }
    };
    number("insns", counts.instructions);
    number("jumps", counts.jumps);
    number("targets", counts.targets);
    number("handlers", code ? code->handler_count : 0);
    unsigned first = 0x10000;
    unsigned last = 0;
    if (code) {
      for (const LineEntry& row : line_numbers(*code)) {
        first = std::min<unsigned>(first, row.line);
        last = std::max<unsigned>(last, row.line);
      }
    }
    if (first > last) {
      line.null("first");
      line.null("last");
    } else {
      line.number("first", first);
      line.number("last", last);
    }
  }

  void handlers(const CodeView& code) {
    for (std::uint32_t i = 0; i < code.handler_count; ++i) {
      const Handler h = code.handler(static_cast<std::uint16_t>(i));
      JsonLine line(out_, "handler", head_);
      line.number("n", i);
      line.number("from", h.start);
      line.number("to", h.end);
      line.number("at", h.at);
      line.text_or_null("catch", pool_.text(h.type), h.type != 0);
    }
  }

  void instruction(const Instruction& in, MethodCounts& counts) {
    ++counts.instructions;
    switch (operand_kind(in.op)) {
      case OperandKind::k_branch:
      case OperandKind::k_branch_w:
        ++counts.jumps;
        ++counts.targets;
        break;
      case OperandKind::k_tableswitch:
      case OperandKind::k_lookupswitch:
        ++counts.jumps;
        counts.targets += std::uint64_t{in.cases} + 1;
        break;
      case OperandKind::k_field:
        if (types_.has(DumpType::kAccess)) access(in);
        return;
      case OperandKind::k_call:
      case OperandKind::k_interface_call:
        if (types_.has(DumpType::kCall)) call(in);
        return;
      case OperandKind::k_dynamic_call:
        if (types_.has(DumpType::kIndy)) indy(in);
        return;
      case OperandKind::k_ldc:
      case OperandKind::k_ldc_w:
        if (types_.has(DumpType::kConst)) {
          JsonLine line(out_, "const", head_);
          line.number("pc", in.pc);
          ConstPrinter printer(line.at("value"), cls_);
          printer.constant(in.index);
          gave_up_ = gave_up_ || printer.gave_up();
        }
        return;
      case OperandKind::k_type:
        if (types_.has(DumpType::kUse)) {
          use(in, pool_.text(in.index), in.op == Opcode::k_anewarray ? 1 : 0);
        }
        return;
      case OperandKind::k_dims:
        if (types_.has(DumpType::kUse)) {
          use(in, pool_.text(in.index), in.value);
        }
        return;
      case OperandKind::k_primitive:
        if (types_.has(DumpType::kUse)) {
          use(in, std::string_view(&kPrimitives[in.value - 4], 1), 1);
        }
        return;
      default:
        break;
    }
    if (types_.has(DumpType::kInsn)) other(in);
  }

  void access(const Instruction& in) {
    const MemberRef ref = pool_.member(in.index);
    JsonLine line(out_, "access", head_);
    line.number("pc", in.pc);
    line.text("op", mnemonic(in.op));
    line.text("owner", ref.owner);
    line.text("name", ref.name);
    line.text("desc", ref.descriptor);
  }

  void call(const Instruction& in) {
    const MemberRef ref = pool_.member(in.index);
    JsonLine line(out_, "call", head_);
    line.number("pc", in.pc);
    line.text("op", mnemonic(in.op));
    line.text("owner", ref.owner);
    line.text("name", ref.name);
    line.text("desc", ref.descriptor);
    line.flag("itf", ref.interface);
  }

  void indy(const Instruction& in) {
    const DynamicRef d = pool_.dynamic(in.index);
    const BootstrapMethod& b = cls_.bootstrap_methods()[d.bootstrap];
    JsonLine line(out_, "indy", head_);
    line.number("pc", in.pc);
    line.text("name", d.name);
    line.text("desc", d.descriptor);
    ConstPrinter printer(out_, cls_);
    line.at("bsm");
    printer.handle(b.handle);
    line.at("args");
    printer.list(b.arguments);
    gave_up_ = gave_up_ || printer.gave_up();
  }

  void use(const Instruction& in, std::string_view of, int dims) {
    JsonLine line(out_, "use", head_);
    line.number("pc", in.pc);
    line.text("op", mnemonic(in.op));
    line.text("of", of);
    line.number("dims", dims);
  }

  void other(const Instruction& in) {
    JsonLine line(out_, "insn", head_);
    line.number("pc", in.pc);
    line.text("op", plain_mnemonic(in.op));
    std::string& args = line.at("args");
    args += '[';
    bool first = true;
    const auto add = [&](std::int64_t n) {
      if (!first) args += ',';
      first = false;
      append_number(args, n);
    };
    if (const auto local = short_local(in.op)) add(local->slot);
    switch (operand_kind(in.op)) {
      case OperandKind::k_slot:
        add(in.index);
        break;
      case OperandKind::k_iinc:
        add(in.index);
        add(in.value);
        break;
      case OperandKind::k_byte:
      case OperandKind::k_short:
        add(in.value);
        break;
      case OperandKind::k_branch:
      case OperandKind::k_branch_w:
        add(in.target);
        break;
      case OperandKind::k_tableswitch:
        add(in.low);
        add(in.switch_key(in.cases - 1));
        add(in.target);
        for (std::uint32_t i = 0; i < in.cases; ++i) add(in.switch_target(i));
        break;
      case OperandKind::k_lookupswitch:
        add(in.target);
        for (std::uint32_t i = 0; i < in.cases; ++i) {
          add(in.switch_key(i));
          add(in.switch_target(i));
        }
        break;
      default:
        break;
    }
    args += ']';
  }

  std::string& out_;
  const ClassView& cls_;
  const ConstantPool& pool_;
  const DumpTypes& types_;
  std::size_t limit_ = 0;  // of out_
  bool gave_up_ = false;   // a line of constants was too long
  std::string head_;
};

}  // namespace

bool dump_class(std::string& out, const ClassView& cls, std::string_view in,
                bool used, const DumpTypes& types) {
  return ClassPrinter(out, cls, in, types).print(used);
}

}  // namespace rejig::classfile
