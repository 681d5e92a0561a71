// SPDX-License-Identifier: Apache-2.0
#include "traversal/shell/debug_facet.h"

#include <algorithm>

#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::MemberView;

namespace {

// The sequence of lines along the code, without pcs.
std::vector<std::uint16_t> lines_of(const CodeView& code) {
  auto rows = classfile::line_numbers(code);
  const auto by_pc = [](const auto& a, const auto& b) { return a.pc < b.pc; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_pc)) {
    std::stable_sort(rows.begin(), rows.end(), by_pc);
  }
  std::vector<std::uint16_t> out;
  out.reserve(rows.size());
  for (const auto& row : rows) out.push_back(row.line);
  return out;
}

// The local names by slot.
std::vector<std::pair<std::uint16_t, std::string_view>> locals_of(
    const ClassView& cls, const CodeView& code) {
  std::vector<std::pair<std::uint16_t, std::string_view>> out;
  const auto* locals = code.attribute("LocalVariableTable");
  if (locals == nullptr) return out;
  base::ByteReader reader(locals->content);
  for (std::uint16_t n = reader.u2(); n > 0 && !reader.failed(); --n) {
    reader.skip(4);
    const std::uint16_t name = reader.u2();
    reader.skip(2);
    const std::uint16_t slot = reader.u2();
    out.emplace_back(slot, cls.pool().utf8(name));
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool same_words(const ClassView& a, const MemberView& in_a, const ClassView& b,
                const MemberView& in_b) {
  const auto x = CodeView::of(a, in_a);
  const auto y = CodeView::of(b, in_b);
  if (!x || !y) return !x && !y;
  return lines_of(*x) == lines_of(*y) && locals_of(a, *x) == locals_of(b, *y);
}

// The same tables in the same words: line numbers byte for byte, locals by
// name.
bool same_tables(const ClassView& a, const MemberView& in_a, const ClassView& b,
                 const MemberView& in_b) {
  const auto tables = [](const MemberView& method) {
    std::vector<const classfile::AttributeView*> out;
    for (const auto& one : method.code_attributes) {
      if (one.name == "LineNumberTable" || one.name == "LocalVariableTable") {
        out.push_back(&one);
      }
    }
    return out;
  };
  const auto same_locals = [&](base::Bytes x, base::Bytes y) {
    base::ByteReader from_a(x);
    base::ByteReader from_b(y);
    if (from_a.u2() != from_b.u2()) return false;
    while (from_a.remaining() != 0) {
      from_a.skip(4);
      from_b.skip(4);
      if (a.pool().utf8(from_a.u2()) != b.pool().utf8(from_b.u2())) {
        return false;
      }
      from_a.skip(2);
      from_b.skip(2);
      if (from_a.u2() != from_b.u2() || from_a.failed() || from_b.failed()) {
        return false;
      }
    }
    return true;
  };
  return std::ranges::equal(
      tables(in_a), tables(in_b), [&](const auto* x, const auto* y) {
        return x->name == y->name && x->content.size() == y->content.size() &&
               (x->name == "LineNumberTable"
                    ? std::ranges::equal(x->content, y->content)
                    : same_locals(x->content, y->content));
      });
}

// The same steps on the same slots: what a null is called in the message of a
// NullPointerException is read from the code.
bool same_steps(const ClassView& a, const MemberView& in_a, const ClassView& b,
                const MemberView& in_b) {
  const auto x = CodeView::of(a, in_a);
  const auto y = CodeView::of(b, in_b);
  if (!x || !y) return !x && !y;
  classfile::InstructionReader old_reader(x->code);
  classfile::InstructionReader new_reader(y->code);
  classfile::Instruction i;
  classfile::Instruction j;
  const auto loads = [](classfile::Opcode op) {
    return op == classfile::Opcode::k_ldc || op == classfile::Opcode::k_ldc_w;
  };
  while (old_reader.next(i)) {
    if (!new_reader.next(j)) return false;
    const bool same = i.op == j.op || (loads(i.op) && loads(j.op));
    if (!same || (i.index != j.index && !classfile::names_constant(i.op))) {
      return false;
    }
  }
  return !new_reader.next(j);
}

}  // namespace

bool same_debug_tables(const ClassView& old_class, const MemberView& old_method,
                       const ClassView& new_class,
                       const MemberView& new_method) {
  return same_tables(old_class, old_method, new_class, new_method) ||
         same_words(old_class, old_method, new_class, new_method);
}

void DebugFacet::add(const MemberView& old_method) {
  seen_ = true;
  if (!names_methods_) return;
  methods_.push_back(classfile::method_entity(class_.name(), old_method.name,
                                              old_method.descriptor));
}

std::optional<Delta> DebugFacet::take(const std::string& file) {
  if (!seen_) return std::nullopt;
  Delta d;
  d.rule = classfile::Rule::kD23;
  d.channel = classfile::Channel::kShell;
  d.entity = classfile::dotted(class_.name());
  d.label = "debug";
  d.file = file;
  d.at = std::move(methods_);
  d.old_fact = "debug tables";
  d.new_fact = "other lines or names";
  d.why = "line numbers or names of locals of `" + d.entity +
          "` differ, which only a reader of stack traces can see";
  return d;
}

std::optional<Delta> debug_facet_of(
    const Matching& matching, const ClassView& old_class,
    const ClassView& new_class, const std::string& file,
    std::span<const std::uint16_t> equal_methods) {
  const bool other_file = source_file(old_class) != source_file(new_class);
  DebugFacet facet(old_class, matching.worlds.inputs);
  std::string renamed;
  for (const std::uint16_t i : equal_methods) {
    const MemberView& method = old_class.methods()[i];
    const MemberView* other = find_method(
        new_class, method.name,
        matching.renaming.descriptor(method.descriptor, renamed));
    if (other == nullptr ||
        (!other_file &&
         same_debug_tables(old_class, method, new_class, *other) &&
         same_steps(old_class, method, new_class, *other))) {
      continue;
    }
    facet.add(method);
    if (facet.is_settled()) break;
  }
  return facet.take(file);
}

}  // namespace rejig::traversal
