// SPDX-License-Identifier: Apache-2.0
// A dump for people: in the order of the specification, attributes in a fixed
// order, names instead of pool indices, labels instead of offsets. Classes of
// equal meaning have equal text.
#include <algorithm>
#include <map>

#include "classfile/dump/dump.h"
#include "classfile/dump/dump_json.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"
#include "classfile/words/entity.h"

namespace rejig::classfile {
namespace {

struct FlagName {
  std::uint16_t bit;
  const char* name;
};
constexpr FlagName kClassFlags[] = {
    {0x0001, "public"},    {0x0010, "final"},      {0x0020, "super"},
    {0x0200, "interface"}, {0x0400, "abstract"},   {0x1000, "synthetic"},
    {0x2000, "annotation"}, {0x4000, "enum"},      {0x8000, "module"},
};
constexpr FlagName kFieldFlags[] = {
    {0x0001, "public"},   {0x0002, "private"},   {0x0004, "protected"},
    {0x0008, "static"},   {0x0010, "final"},     {0x0040, "volatile"},
    {0x0080, "transient"}, {0x1000, "synthetic"}, {0x4000, "enum"},
};
constexpr FlagName kMethodFlags[] = {
    {0x0001, "public"},    {0x0002, "private"},      {0x0004, "protected"},
    {0x0008, "static"},    {0x0010, "final"},        {0x0020, "synchronized"},
    {0x0040, "bridge"},    {0x0080, "varargs"},      {0x0100, "native"},
    {0x0400, "abstract"},  {0x0800, "strict"},       {0x1000, "synthetic"},
};

class TextPrinter {
 public:
  TextPrinter(std::string& out, const ClassView& cls)
      : out_(out), cls_(cls), pool_(cls.pool()) {}

  bool print(std::string_view in, bool used) {
    const std::size_t begin = out_.size();
    limit_ = begin + kLargestClassText;
    out_ += "class " + name(cls_.name());
    if (!cls_.super_name().empty()) {
      out_ += " extends " + name(cls_.super_name());
    }
    for (std::size_t i = 0; i < cls_.interfaces().size(); ++i) {
      out_ += i == 0 ? " implements " : ", ";
      out_ += name(cls_.interfaces()[i]);
    }
    out_ += "\n  file ";
    append_quoted_entry(out_, in);
    out_ += used ? "\n" : " (not used)\n";
    out_ += "  version " + std::to_string(cls_.major()) + "." +
            std::to_string(cls_.minor()) + "\n  flags";
    flags(cls_.access(), kClassFlags);
    out_ += '\n';
    attributes(cls_.attributes(), "  ");
    for (const MemberView& f : cls_.fields()) {
      member("field ", f, kFieldFlags);
      attributes(f.attributes, "    ");
    }
    for (const MemberView& m : cls_.methods()) {
      member("method ", m, kMethodFlags);
      attributes(m.attributes, "    ");
      if (const auto code = CodeView::of(cls_, m)) body(*code);
      if (too_long()) {
        out_.resize(begin);
        return false;
      }
    }
    out_ += '\n';
    return true;
  }

 private:
  bool too_long() const { return gave_up_ || out_.size() > limit_; }
  void constant(std::uint16_t index) {
    ConstPrinter printer(out_, cls_);
    printer.constant(index);
    gave_up_ = gave_up_ || printer.gave_up();
  }

  static std::string name(std::string_view internal) {
    return to_utf8(dotted(internal));
  }

  template <std::size_t N>
  void flags(std::uint16_t access, const FlagName (&table)[N]) {
    for (const FlagName& flag : table) {
      if ((access & flag.bit) == 0) continue;
      out_ += ' ';
      out_ += flag.name;
      access = static_cast<std::uint16_t>(access & ~flag.bit);
    }
    if (access != 0) {
      out_ += " 0x";
      append_hex(out_, access, 4);
    }
  }

  template <std::size_t N>
  void member(std::string_view what, const MemberView& m,
              const FlagName (&table)[N]) {
    out_ += "  ";
    out_ += what;
    append_utf8(out_, m.name);
    if (what == "field ") out_ += ':';
    append_utf8(out_, m.descriptor);
    out_ += "\n    flags";
    flags(m.access, table);
    out_ += '\n';
  }

  // In the order of attributes.def, whatever the order in the file.
  void attributes(std::span<const AttributeView> rows,
                  std::string_view indent) {
    std::vector<const AttributeView*> sorted;
    for (const AttributeView& a : rows) sorted.push_back(&a);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const AttributeView* a, const AttributeView* b) {
                       return std::pair(a->kind == AttributeKind::kUnknown,
                                        a->kind) <
                              std::pair(b->kind == AttributeKind::kUnknown,
                                        b->kind);
                     });
    for (const AttributeView* a : sorted) attribute(*a, indent);
  }

  void start(std::string_view indent, std::string_view title) {
    out_ += indent;
    out_ += title;
  }
  void names(const std::vector<std::string_view>& list) {
    for (const std::string_view each : list) out_ += " " + name(each);
    out_ += '\n';
  }

  void attribute(const AttributeView& a, std::string_view indent) {
    if (!a.readable) {
      start(indent, "unreadable ");
      append_utf8(out_, a.name);
      out_ += '\n';
      return;
    }
    switch (a.kind) {
      case AttributeKind::kCode:
      case AttributeKind::kStackMapTable:
      case AttributeKind::kLineNumberTable:
      case AttributeKind::kLocalVariableTable:
      case AttributeKind::kLocalVariableTypeTable:
      case AttributeKind::kBootstrapMethods:
        break;  // shown with the code, or by those who refer to it
      case AttributeKind::kConstantValue:
        start(indent, "value ");
        ConstPrinter(out_, cls_).constant(constant_value(a));
        out_ += '\n';
        break;
      case AttributeKind::kExceptions:
        start(indent, "throws");
        names(names_of(pool_, a));
        break;
      case AttributeKind::kSignature:
      case AttributeKind::kSourceFile:
        start(indent,
              a.kind == AttributeKind::kSignature ? "signature " : "source ");
        append_utf8(out_, text_of(pool_, a));
        out_ += '\n';
        break;
      case AttributeKind::kSynthetic:
        start(indent, "synthetic\n");
        break;
      case AttributeKind::kDeprecated:
        start(indent, "deprecated\n");
        break;
      case AttributeKind::kInnerClasses:
        inner(a, indent);
        break;
      case AttributeKind::kEnclosingMethod: {
        const EnclosingMethod e = enclosing_method(pool_, a);
        start(indent, "enclosed by ");
        out_ += name(e.class_name);
        if (!e.name.empty()) {
          out_ += '.';
          append_utf8(out_, e.name);
          append_utf8(out_, e.descriptor);
        }
        out_ += '\n';
        break;
      }
      case AttributeKind::kNestHost:
        start(indent, "nest host ");
        out_ += name(text_of(pool_, a)) + "\n";
        break;
      case AttributeKind::kNestMembers:
        start(indent, "nest members");
        names(names_of(pool_, a));
        break;
      case AttributeKind::kPermittedSubclasses:
        start(indent, "permits");
        names(names_of(pool_, a));
        break;
      case AttributeKind::kRecord:
        for (const RecordComponent& row : record_components(pool_, a)) {
          start(indent, "component ");
          append_utf8(out_, row.name);
          out_ += ':';
          append_utf8(out_, row.descriptor);
          out_ += '\n';
          attributes(row.attributes, std::string(indent) + "  ");
        }
        break;
      case AttributeKind::kMethodParameters:
        start(indent, "parameters");
        for (const MethodParameter& p : method_parameters(pool_, a)) {
          out_ += ' ';
          append_utf8(out_, p.has_name ? p.name : "-");
          if (p.access != 0) {
            out_ += "/0x";
            append_hex(out_, p.access, 4);
          }
        }
        out_ += '\n';
        break;
      case AttributeKind::kAnnotationDefault:
        start(indent, "default ");
        append_value(out_, pool_, annotation_default(pool_, a));
        out_ += '\n';
        break;
      case AttributeKind::kRuntimeVisibleAnnotations:
      case AttributeKind::kRuntimeInvisibleAnnotations:
      case AttributeKind::kRuntimeVisibleParameterAnnotations:
      case AttributeKind::kRuntimeInvisibleParameterAnnotations:
      case AttributeKind::kRuntimeVisibleTypeAnnotations:
      case AttributeKind::kRuntimeInvisibleTypeAnnotations:
        annotations(a, indent);
        break;
      case AttributeKind::kModule:
        module(module_info(pool_, a), indent);
        break;
      case AttributeKind::kModulePackages:
        start(indent, "packages");
        names(names_of(pool_, a));
        break;
      case AttributeKind::kModuleMainClass:
        start(indent, "main class ");
        out_ += name(text_of(pool_, a)) + "\n";
        break;
      case AttributeKind::kSourceDebugExtension:
      case AttributeKind::kUnknown:
        start(indent, "attribute ");
        append_utf8(out_, a.name);
        out_ += ", " + std::to_string(a.content.size()) + " bytes\n";
        break;
    }
  }

  void inner(const AttributeView& a, std::string_view indent) {
    std::vector<InnerClass> rows = inner_classes(pool_, a);
    std::sort(rows.begin(), rows.end(),
              [](const InnerClass& x, const InnerClass& y) {
                return x.inner < y.inner;
              });
    for (const InnerClass& row : rows) {
      start(indent, "inner class ");
      out_ += name(row.inner);
      if (!row.outer.empty()) out_ += " of " + name(row.outer);
      if (row.has_simple_name) {
        out_ += " as ";
        append_utf8(out_, row.simple_name);
      }
      flags(row.access, kInnerFlags);
      out_ += '\n';
    }
  }

  void annotations(const AttributeView& a, std::string_view indent) {
    AnnotationReader reader(pool_, a);
    AnnotationView annotation;
    while (reader.next(annotation)) {
      const bool invisible =
          a.name.find("Invisible") != std::string_view::npos;
      start(indent, invisible ? "invisible annotation " : "annotation ");
      if (a.name.ends_with("ParameterAnnotations")) {
        out_ += "of parameter " + std::to_string(reader.parameter()) + " ";
      } else if (!reader.target().empty()) {
        out_ += "of a type ";
      }
      append_annotation(out_, pool_, annotation);
      out_ += '\n';
    }
  }

  void module(const ModuleInfo& m, std::string_view indent) {
    const auto row = [&](std::string_view title, std::string_view what,
                         std::uint16_t bits) {
      start(indent, title);
      out_ += name(what);
      if (bits != 0) {
        out_ += " 0x";
        append_hex(out_, bits, 4);
      }
    };
    row("module ", m.name, m.flags);
    out_ += m.has_version ? " version " + to_utf8(m.version) + "\n" : "\n";
    for (const ModuleRequires& r : m.required) {
      row("requires ", r.module, r.flags);
      out_ += r.has_version ? " version " + to_utf8(r.version) + "\n" : "\n";
    }
    for (const ModulePackage& p : m.exports) {
      row("exports ", p.package, p.flags);
      names(p.to);
    }
    for (const ModulePackage& p : m.opens) {
      row("opens ", p.package, p.flags);
      names(p.to);
    }
    for (const std::string_view u : m.uses) {
      row("uses ", u, 0);
      out_ += '\n';
    }
    for (const ModuleProvides& p : m.provides) {
      row("provides ", p.service, 0);
      names(p.with);
    }
  }

  // Labels L0, L1, … in the order of their places.
  void number_labels(const CodeView& code) {
    labels_.clear();
    InstructionReader reader(code.code);
    Instruction in;
    while (reader.next(in)) {
      const OperandKind kind = operand_kind(in.op);
      if (kind == OperandKind::k_branch || kind == OperandKind::k_branch_w) {
        labels_[in.target] = 0;
      } else if (in.is_switch()) {
        labels_[in.target] = 0;
        for (std::uint32_t i = 0; i < in.cases; ++i) {
          labels_[in.switch_target(i)] = 0;
        }
      }
    }
    for (std::uint32_t i = 0; i < code.handler_count; ++i) {
      const Handler h = code.handler(static_cast<std::uint16_t>(i));
      labels_[h.start] = labels_[h.end] = labels_[h.at] = 0;
    }
    unsigned n = 0;
    for (auto& label : labels_) label.second = n++;
  }
  std::string label(std::uint32_t pc) const {
    return "L" + std::to_string(labels_.at(pc));
  }

  void body(const CodeView& code) {
    out_ += "    code stack " + std::to_string(code.max_stack) + " locals " +
            std::to_string(code.max_locals) + "\n";
    number_labels(code);
    std::multimap<std::uint32_t, std::uint16_t> lines;
    for (const LineEntry& row : line_numbers(code)) {
      lines.emplace(row.pc, row.line);
    }
    InstructionReader reader(code.code);
    Instruction in;
    while (!too_long() && reader.next(in)) {
      put_label(in.pc);
      const auto here = lines.equal_range(in.pc);
      for (auto line = here.first; line != here.second; ++line) {
        out_ += "      line " + std::to_string(line->second) + "\n";
      }
      out_ += "      ";
      instruction(in);
      out_ += '\n';
    }
    put_label(static_cast<std::uint32_t>(code.code.size()));
    for (std::uint32_t i = 0; i < code.handler_count; ++i) {
      const Handler h = code.handler(static_cast<std::uint16_t>(i));
      out_ += "      catch " +
              (h.type == 0 ? std::string("any") : name(pool_.text(h.type))) +
              " from " + label(h.start) + " to " + label(h.end) + " at " +
              label(h.at) + "\n";
    }
    attributes(code.attributes, "      ");
  }
  void put_label(std::uint32_t pc) {
    if (labels_.contains(pc)) out_ += "     " + label(pc) + ":\n";
  }

  void member_ref(std::uint16_t index) {
    const MemberRef ref = pool_.member(index);
    out_ += name(ref.owner) + ".";
    append_utf8(out_, ref.name);
    if (ref.field) out_ += ':';
    append_utf8(out_, ref.descriptor);
    if (ref.interface) out_ += " (interface)";
  }

  void instruction(const Instruction& in) {
    const OperandKind kind = operand_kind(in.op);
    if (const auto local = short_local(in.op)) {
      out_ += mnemonic(local->op);
      out_ += ' ';
      append_number(out_, local->slot);
      return;
    }
    out_ += canonical(in.op);
    if (kind == OperandKind::k_none) return;
    out_ += ' ';
    switch (kind) {
      case OperandKind::k_byte:
      case OperandKind::k_short:
        append_number(out_, in.value);
        break;
      case OperandKind::k_slot:
        append_number(out_, in.index);
        break;
      case OperandKind::k_iinc:
        append_number(out_, in.index);
        out_ += " by ";
        append_number(out_, in.value);
        break;
      case OperandKind::k_ldc:
      case OperandKind::k_ldc_w:
        constant(in.index);
        break;
      case OperandKind::k_branch:
      case OperandKind::k_branch_w:
        out_ += label(in.target);
        break;
      case OperandKind::k_tableswitch:
      case OperandKind::k_lookupswitch:
        for (std::uint32_t i = 0; i < in.cases; ++i) {
          append_number(out_, in.switch_key(i));
          out_ += ": " + label(in.switch_target(i)) + ", ";
        }
        out_ += "default: " + label(in.target);
        break;
      case OperandKind::k_field:
      case OperandKind::k_call:
      case OperandKind::k_interface_call:
        member_ref(in.index);
        break;
      case OperandKind::k_type:
        out_ += name(pool_.text(in.index));
        break;
      case OperandKind::k_primitive:
        out_ += "ZCFDBSIJ"[in.value - 4];
        break;
      case OperandKind::k_dims:
        out_ += name(pool_.text(in.index)) + " dimensions ";
        append_number(out_, in.value);
        break;
      case OperandKind::k_dynamic_call: {
        const DynamicRef d = pool_.dynamic(in.index);
        const BootstrapMethod& b = cls_.bootstrap_methods()[d.bootstrap];
        append_utf8(out_, d.name);
        append_utf8(out_, d.descriptor);
        out_ += " by ";
        ConstPrinter printer(out_, cls_);
        printer.handle(b.handle);
        out_ += ' ';
        printer.list(b.arguments);
        gave_up_ = gave_up_ || printer.gave_up();
        break;
      }
      default:
        break;
    }
  }

  // Which form of an instruction fits is no matter of meaning.
  static std::string_view canonical(Opcode op) {
    switch (op) {
      case Opcode::k_goto_w:
        return "goto";
      case Opcode::k_jsr_w:
        return "jsr";
      case Opcode::k_ldc_w:
      case Opcode::k_ldc2_w:
        return "ldc";
      default:
        return mnemonic(op);
    }
  }

  static constexpr FlagName kInnerFlags[] = {
      {0x0001, "public"},     {0x0002, "private"},   {0x0004, "protected"},
      {0x0008, "static"},     {0x0010, "final"},     {0x0200, "interface"},
      {0x0400, "abstract"},   {0x1000, "synthetic"}, {0x2000, "annotation"},
      {0x4000, "enum"},
  };

  std::string& out_;
  const ClassView& cls_;
  const ConstantPool& pool_;
  std::size_t limit_ = 0;  // of out_
  bool gave_up_ = false;   // a line of constants was too long
  std::map<std::uint32_t, unsigned> labels_;
};

}  // namespace

bool dump_class_text(std::string& out, const ClassView& cls,
                     std::string_view in, bool used) {
  return TextPrinter(out, cls).print(in, used);
}

}  // namespace rejig::classfile
