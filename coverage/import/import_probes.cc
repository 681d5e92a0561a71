// SPDX-License-Identifier: Apache-2.0
// JaCoCo's probes, numbered as JaCoCo numbers them: class by class, method by
// method, while it walks the instructions. A probe stands
//   - before each return and athrow,
//   - on a jump whose target can be reached in several ways,
//   - on each distinct such target of a switch, the default first,
//   - before an instruction that follows the one before it and can be reached
//     in several ways, or begins a line that calls a method.
// "In several ways": it is the target of two jumps, or of one and follows the
// instruction before it. The start of the method, the start of a try block and
// a handler count as targets.
#include <set>

#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "coverage/import/import_classes.h"

namespace rejig::coverage {
namespace {

using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::Opcode;

bool is_jump(Opcode op) {
  return (op >= Opcode::k_ifeq && op <= Opcode::k_goto) ||
         op == Opcode::k_ifnull || op == Opcode::k_ifnonnull ||
         op == Opcode::k_goto_w;
}
bool is_goto(Opcode op) {
  return op == Opcode::k_goto || op == Opcode::k_goto_w;
}
bool is_end(Opcode op) {
  return (op >= Opcode::k_ireturn && op <= Opcode::k_return) ||
         op == Opcode::k_athrow;
}
bool is_call(Opcode op) {
  return op >= Opcode::k_invokevirtual && op <= Opcode::k_invokedynamic;
}
bool is_subroutine(Opcode op) {
  return op == Opcode::k_jsr || op == Opcode::k_jsr_w || op == Opcode::k_ret;
}

struct Point {
  bool label = false;
  bool target = false;
  bool several = false;
  bool successor = false;
  bool calls = false;  // begins a line that calls a method
  bool line = false;

  void add_target() {
    if (target || successor) several = true;
    target = true;
  }
  void add_successor() {
    successor = true;
    if (target) several = true;
  }
  bool probe() const { return successor && (several || calls); }
};

// The distinct targets of a switch, the default first.
std::vector<std::uint32_t> targets_of(const Instruction& in) {
  std::vector<std::uint32_t> out = {in.target};
  std::set<std::uint32_t> seen = {in.target};
  for (std::uint32_t i = 0; i < in.cases; ++i) {
    if (seen.insert(in.switch_target(i)).second) {
      out.push_back(in.switch_target(i));
    }
  }
  return out;
}

class Method {
 public:
  explicit Method(const CodeView& code)
      : code_(code), points_(code.code.size() + 1) {}

  // False: it has subroutines.
  bool count(std::uint32_t& next) {
    Instruction in;
    for (InstructionReader reader(code_.code); reader.next(in);) {
      if (is_subroutine(in.op)) return false;
    }
    for (const auto& entry : classfile::line_numbers(code_)) {
      if (entry.line != 0 && entry.pc < points_.size()) {
        points_[entry.pc].line = true;
      }
    }
    points_[0].add_target();
    for (std::uint16_t i = 0; i < code_.handler_count; ++i) {
      const auto handler = code_.handler(i);
      points_[handler.start].add_target();
      points_[handler.at].add_target();
    }
    mark();
    for (InstructionReader reader(code_.code); reader.next(in);) {
      if (points_[in.pc].probe()) ++next;
      if (is_end(in.op)) ++next;
      if (is_jump(in.op) && points_[in.target].several) ++next;
      if (!in.is_switch()) continue;
      for (const auto target : targets_of(in)) {
        if (points_[target].several) ++next;
      }
    }
    return true;
  }

 private:
  void mark() {
    bool successor = false;
    Point* line = nullptr;
    Instruction in;
    for (InstructionReader reader(code_.code); reader.next(in);) {
      Point& here = points_[in.pc];
      if (successor) here.add_successor();
      if (here.line) line = &here;
      if (is_jump(in.op)) points_[in.target].add_target();
      if (in.is_switch()) {
        for (const auto target : targets_of(in)) points_[target].add_target();
      }
      if (is_call(in.op) && line != nullptr) line->calls = true;
      successor = !is_goto(in.op) && !in.is_switch() && !is_end(in.op);
    }
  }

  const CodeView& code_;
  std::vector<Point> points_;
};

}  // namespace

std::optional<std::vector<MethodProbes>> jacoco_probes(
    const classfile::ClassView& cls) {
  std::vector<MethodProbes> out;
  std::uint32_t next = 0;
  for (const auto& method : cls.methods()) {
    const auto code = CodeView::of(cls, method);
    if (!code) continue;
    MethodProbes probes;
    probes.entity =
        classfile::method_entity(cls.name(), method.name, method.descriptor);
    probes.first = next;
    if (!Method(*code).count(next)) return std::nullopt;
    probes.end = next;
    out.push_back(std::move(probes));
  }
  return out;
}

}  // namespace rejig::coverage
