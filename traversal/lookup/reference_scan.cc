// SPDX-License-Identifier: Apache-2.0
// Instructions in a straight line, not as a graph: a reference that some run may
// ask counts wherever it stands, so neither order nor ways matter here. Each is
// asked in both worlds, of the old caller and of the new one, and the outcomes
// are compared under the renaming; what failed alike before and after is no edge.
// Pool entries that nothing doubtful can reach are skipped, unless the caller
// itself is in doubt. The method's parts are made elsewhere, for its body.
#include "traversal/lookup/reference_scan.h"

#include <algorithm>
#include <set>

#include "classfile/reader/code.h"
#include "jig/lookup/resolve.h"
#include "jig/world/assert_prelude.h"
#include "traversal/code/enum_values.h"
#include "traversal/code/source_place.h"
#include "traversal/lookup/lambda_site.h"
#include "traversal/lookup/outcome.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Rule;
using classfile::Tag;

namespace {

Opcode op_of_handle(std::uint8_t kind) {
  switch (kind) {
    case 1:
      return Opcode::k_getfield;
    case 2:
      return Opcode::k_getstatic;
    case 3:
      return Opcode::k_putfield;
    case 4:
      return Opcode::k_putstatic;
    case 5:
      return Opcode::k_invokevirtual;
    case 6:
      return Opcode::k_invokestatic;
    case 9:
      return Opcode::k_invokeinterface;
    default:
      return Opcode::k_invokespecial;
  }
}

// The references of one old class.
class ReferenceScan {
 public:
  ReferenceScan(const Structure& structure, const ClassView& cls,
                std::string new_caller, bool caller_doubtful)
      : structure_(structure),
        cls_(cls),
        new_caller_(std::move(new_caller)),
        caller_doubtful_(caller_doubtful),
        asked_(std::size_t{cls.pool().count()} * kQuestions, Answer::kOpen),
        file_(source_path(cls)),
        values_(values_helper(cls)) {}

  void method(const MethodPart& part) {
    each(*part.method, [&](std::uint32_t pc) {
      return std::binary_search(part.pcs.begin(), part.pcs.end(), pc) ==
             part.only_these;
    });
  }

  std::vector<Delta> edges;

 private:
  template <class Wanted>
  void each(const MemberView& method, Wanted&& wanted) {
    method_ = &method;
    const auto code = CodeView::of(cls_, method);
    if (!code) return;
    const std::uint32_t start =
        method.name == "<clinit>" ? jig::assert_prelude_end(cls_, *code) : 0;
    code_ = &*code;
    lines_.clear();
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      if (ins.pc >= start && wanted(ins.pc)) instruction(ins);
    }
    pc_ = 0;
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      pc_ = handler.at;
      if (handler.type != 0) class_use(cls_.pool().text(handler.type), false);
    }
    code_ = nullptr;
  }

  void instruction(const Instruction& ins) {
    pc_ = ins.pc;
    const auto& pool = cls_.pool();
    switch (ins.op) {
      case Opcode::k_getstatic:
      case Opcode::k_putstatic:
      case Opcode::k_getfield:
      case Opcode::k_putfield:
        pool_field(ins);
        return;
      case Opcode::k_invokevirtual:
      case Opcode::k_invokespecial:
      case Opcode::k_invokestatic:
      case Opcode::k_invokeinterface:
        once(question(ins.index, ins.op),
             [&] { return call(ins.op, pool.member(ins.index)); });
        return;
      case Opcode::k_new:
      case Opcode::k_anewarray:
      case Opcode::k_multianewarray:
      case Opcode::k_checkcast:
      case Opcode::k_instanceof: {
        const bool instantiates = ins.op == Opcode::k_new;
        once(std::size_t{ins.index} * kQuestions + (instantiates ? 1 : 0),
             [&] { return class_use(pool.text(ins.index), instantiates); });
        return;
      }
      case Opcode::k_invokedynamic:
        call_site(ins.index);
        return;
      case Opcode::k_ldc:
      case Opcode::k_ldc_w:
      case Opcode::k_ldc2_w:
        constant(ins.index);
        return;
      default:
        return;
    }
  }

  // What one instruction asks of one pool entry is the same at every other
  // place of the class; what differs is reported for each.
  enum class Answer : std::uint8_t { kOpen, kSame, kOther };
  static constexpr std::size_t kQuestions = 16;
  static std::size_t question(std::uint16_t index, Opcode op) {
    return std::size_t{index} * kQuestions + static_cast<std::size_t>(op) -
           static_cast<std::size_t>(Opcode::k_getstatic);
  }
  template <class Ask>
  void once(std::size_t at, Ask&& ask) {
    if (asked_[at] == Answer::kSame) return;
    asked_[at] = ask() ? Answer::kSame : Answer::kOther;
  }

  void pool_field(const Instruction& ins) {
    const auto ask = [&] {
      return field(ins.op, cls_.pool().member(ins.index));
    };
    // Initializers may write what others may not.
    if (is_put(ins.op) && method_->name.starts_with('<')) {
      ask();
    } else {
      once(question(ins.index, ins.op), ask);
    }
  }

  static bool is_put(Opcode op) {
    return op == Opcode::k_putfield || op == Opcode::k_putstatic;
  }

  bool doubtful(const MemberRef& ref) const {
    return caller_doubtful_ ||
           structure_.is_member_doubtful(ref.owner, ref.name, ref.descriptor);
  }

  MemberRef renamed(const MemberRef& ref) {
    if (structure_.matching.renaming.is_identity()) return ref;
    MemberRef out = ref;
    owner_ = structure_.matching.renaming.class_name(ref.owner);
    descriptor_ = structure_.matching.renaming.descriptor(ref.descriptor);
    out.owner = owner_;
    out.descriptor = descriptor_;
    return out;
  }

  // The old outcome as it would read in the new program.
  bool same(const Outcome& a, const Outcome& b) const {
    if (a.text == b.text) return true;
    if (structure_.matching.renaming.is_identity() || a.holder == nullptr ||
        b.holder == nullptr) {
      return false;
    }
    if (a.field != nullptr && b.field != nullptr) {
      return structure_.matching.renaming.same_class(a.holder->name,
                                                     b.holder->name) &&
             structure_.matching.renaming.same_descriptor(
                 a.field->descriptor, b.field->descriptor) &&
             a.holder->internal == b.holder->internal;
    }
    if (a.method != nullptr && b.method != nullptr) {
      return a.text != "by receiver" && b.text != "by receiver" &&
             structure_.matching.renaming.same_class(a.holder->name,
                                                     b.holder->name) &&
             structure_.matching.renaming.same_descriptor(
                 a.method->descriptor, b.method->descriptor) &&
             a.holder->internal == b.holder->internal;
    }
    return structure_.matching.renaming.same_class(a.holder->name,
                                                   b.holder->name) &&
           a.holder->internal == b.holder->internal;
  }

  unsigned line() {
    if (lines_.empty()) {
      lines_ = classfile::line_numbers(*code_);
      std::stable_sort(lines_.begin(), lines_.end(),
                       [](auto& a, auto& b) { return a.pc < b.pc; });
    }
    unsigned out = 0;
    for (const auto& row : lines_) {
      if (row.pc > pc_) break;
      out = row.line;
    }
    return out;
  }

  Delta delta(Rule rule, Channel channel, const std::string& what,
              const Outcome& a, const Outcome& b) {
    Delta d;
    d.rule = rule;
    d.channel = channel;
    d.entity = classfile::method_entity(cls_.name(), method_->name,
                                        method_->descriptor);
    d.label = what;
    d.old_fact = shown(a);
    d.new_fact = shown(b);
    d.file = file_;
    d.line = line();
    if (method_->name == "<clinit>" || method_ == values_) {
      d.rule = Rule::kD2;
      d.subject = classfile::dotted(cls_.name());
    } else {
      d.at.push_back(d.entity);
    }
    d.why = "in `" + d.entity + "`, " + what + " meant `" + d.old_fact +
            "` and means `" + d.new_fact + "`";
    return d;
  }

  static std::string shown(const Outcome& o) {
    if (o.unknown) {
      return "a class that is not there: " +
             classfile::dotted(o.text.substr(1, o.text.find('\t') - 1));
    }
    if (o.error) return o.text.substr(1);
    if (o.field != nullptr) {
      return classfile::dotted(o.holder->name) + "." +
             std::string(o.field->name) + ":" +
             std::string(o.field->descriptor);
    }
    if (o.method != nullptr) {
      return classfile::method_entity(o.holder->name, o.method->name,
                                      o.method->descriptor);
    }
    return classfile::dotted(o.text);
  }

  // The three answer: is it the same?
  bool field(Opcode op, const MemberRef& ref) {
    if (!doubtful(ref)) return true;
    const bool initializes =
        method_->name == (op == Opcode::k_putstatic ? "<clinit>" : "<init>");
    const auto a = field_outcome(structure_.worlds.old_world, cls_.name(),
                                 initializes, op, ref);
    const auto b = field_outcome(structure_.worlds.new_world, new_caller_,
                                 initializes, op, renamed(ref));
    const std::string what = std::string(classfile::mnemonic(op)) + " " +
                             classfile::dotted(ref.owner) + "." +
                             std::string(ref.name);
    if (!same(a, b)) {
      edges.push_back(delta(Rule::kD5, Channel::kResolution, what, a, b));
      return false;
    }
    if (op == Opcode::k_getstatic && a.field != nullptr && b.field != nullptr &&
        a.field->constant != b.field->constant) {
      Delta d = delta(Rule::kD15, Channel::kInitialization, what, a, b);
      d.old_fact = "constant " + jig::shown_constant(a.field->constant);
      d.new_fact = "constant " + jig::shown_constant(b.field->constant);
      d.why = "in `" + d.entity + "`, " + what + " reads another ConstantValue";
      if (d.rule == Rule::kD15) d.subject = classfile::dotted(a.holder->name);
      edges.push_back(std::move(d));
      return false;
    }
    return true;
  }

  // Accessors, lambda bodies and $values() are compared by what they do,
  // wherever an equal body leads to them; their names mean nothing.
  bool paired_by_use(Opcode op, const MemberRef& ref) const {
    if (ref.owner == cls_.name() && ref.name.starts_with("lambda$")) {
      return true;
    }
    if (values_ != nullptr && ref.owner == cls_.name() &&
        ref.name == values_->name && ref.descriptor == values_->descriptor) {
      return true;
    }
    return op == Opcode::k_invokestatic && ref.name.starts_with("access$") &&
           structure_.matching.partner(ref.owner) != nullptr;
  }

  bool call(Opcode op, const MemberRef& ref) {
    if (!doubtful(ref) || paired_by_use(op, ref)) return true;
    const auto a =
        call_outcome(structure_.worlds.old_world, cls_.name(), op, ref);
    const auto b = call_outcome(structure_.worlds.new_world, new_caller_, op,
                                renamed(ref));
    if (same(a, b)) return true;
    const std::string what =
        std::string(classfile::mnemonic(op)) + " " +
        classfile::method_entity(ref.owner, ref.name, ref.descriptor);
    Delta d = delta(Rule::kD4, Channel::kResolution, what, a, b);
    const bool narrow =
        d.rule == Rule::kD4 && a.method != nullptr && a.holder->internal &&
        a.method->has_code && !b.error && !b.unknown &&
        a.text != "by receiver" &&
        (op != Opcode::k_invokestatic ||
         jig::init_sequence(structure_.worlds.old_world, a.holder->name)
             .empty());
    if (narrow) {
      d.rule = Rule::kD3;
      d.target = classfile::method_entity(a.holder->name, a.method->name,
                                          a.method->descriptor);
    }
    edges.push_back(std::move(d));
    return false;
  }

  bool class_use(Name name, bool instantiates) {
    if (!caller_doubtful_ && !structure_.is_use_doubtful(name)) return true;
    const auto a = class_outcome(structure_.worlds.old_world, cls_.name(), name,
                                 instantiates);
    std::string room;
    const Name to = structure_.matching.renaming.class_name(name, room);
    const auto b = class_outcome(structure_.worlds.new_world, new_caller_, to,
                                 instantiates);
    if (same(a, b)) return true;
    edges.push_back(delta(Rule::kD6, Channel::kResolution,
                          "class " + classfile::dotted(name), a, b));
    return false;
  }

  void descriptor(std::string_view d) {
    while (true) {
      const auto begin = d.find('L');
      if (begin == std::string_view::npos) return;
      const auto end = d.find(';', begin);
      if (end == std::string_view::npos) return;
      class_use(d.substr(begin + 1, end - begin - 1), false);
      d.remove_prefix(end + 1);
    }
  }

  void handle(std::uint16_t index) {
    const auto h = cls_.pool().handle(index);
    if (h.kind <= 4) {
      field(op_of_handle(h.kind), h.ref);
    } else {
      call(op_of_handle(h.kind), h.ref);
    }
    descriptor(h.ref.descriptor);
  }

  // What a loaded constant refers to, and the constants that make it.
  void constant(std::uint16_t index) {
    seen_condys_.clear();
    waiting_.push_back(index);
    follow_constants();
  }

  void follow_constants() {
    while (!waiting_.empty()) {
      const std::uint16_t index = waiting_.back();
      waiting_.pop_back();
      one_constant(index);
    }
  }

  void one_constant(std::uint16_t index) {
    const auto& pool = cls_.pool();
    switch (pool.tag(index)) {
      case Tag::kClass:
        class_use(pool.text(index), false);
        return;
      case Tag::kMethodType:
        descriptor(pool.text(index));
        return;
      case Tag::kMethodHandle:
        handle(index);
        return;
      case Tag::kDynamic: {
        if (!seen_condys_.insert(index).second) return;
        const auto dynamic = pool.dynamic(index);
        descriptor(dynamic.descriptor);
        bootstrap(dynamic.bootstrap);
        return;
      }
      default:
        return;
    }
  }

  void bootstrap(std::uint16_t entry) {
    const auto& all = cls_.bootstrap_methods();
    if (entry >= all.size()) return;
    handle(all[entry].handle);
    const auto& arguments = all[entry].arguments;
    waiting_.insert(waiting_.end(), arguments.begin(), arguments.end());
  }

  void call_site(std::uint16_t index) {
    seen_condys_.clear();
    const auto site = cls_.pool().dynamic(index);
    descriptor(site.descriptor);
    bootstrap(site.bootstrap);
    follow_constants();
    lambda_type(index);
  }

  // The hidden class of a lambda site implements its interfaces.
  void lambda_type(std::uint16_t index) {
    const auto site = lambda_site(cls_, index);
    if (!site) return;
    for (const Name itf : site->interfaces) {
      if (!caller_doubtful_ && !structure_.is_doubtful(itf)) continue;
      const std::string to = structure_.matching.renaming.class_name(itf);
      const std::string a =
          lambda_link_problem(structure_.worlds.old_world, cls_.name(), itf);
      const std::string b =
          lambda_link_problem(structure_.worlds.new_world, new_caller_, to);
      if (a == b) continue;
      Outcome x;
      x.text = a.empty() ? "fine" : a;
      Outcome y;
      y.text = b.empty() ? "fine" : b;
      edges.push_back(delta(Rule::kD9, Channel::kLinking,
                            "the lambda of " + classfile::dotted(itf), x, y));
    }
    const bool in_doubt =
        std::any_of(site->interfaces.begin(), site->interfaces.end(),
                    [&](Name itf) { return structure_.is_doubtful(itf); });
    if (in_doubt) lambda_behaviours(*site);
  }

  void lambda_behaviours(const LambdaSite& site) {
    LambdaSite twin = site;
    std::vector<std::string> names;
    for (const Name itf : site.interfaces) {
      names.push_back(structure_.matching.renaming.class_name(itf));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      twin.interfaces[i] = names[i];
    }
    for (auto& d : twin.descriptors)
      d = structure_.matching.renaming.descriptor(d);
    const auto before = lambda_behaviour(structure_.worlds.old_world, site);
    const auto after = lambda_behaviour(structure_.worlds.new_world, twin);
    const std::string what =
        "the lambda of " + classfile::dotted(site.interfaces.front());
    auto report = [&](Channel channel, const std::string& x,
                      const std::string& y, const std::string& target) {
      Outcome a;
      a.text = x;
      Outcome b;
      b.text = y;
      Delta d = delta(Rule::kD9, channel, what, a, b);
      if (d.rule == Rule::kD9) d.target = target;
      edges.push_back(std::move(d));
    };
    for (const auto& [signature, old_target] : before.selected) {
      const auto at = after.selected.find(signature);
      if (at == after.selected.end() || at->second == old_target ||
          structure_.matching.renaming.same_class(old_target.text,
                                                  at->second.text)) {
        continue;
      }
      report(Channel::kSelection, signature + " of " + old_target.text,
             signature + " of " + at->second.text, old_target.internal_default);
    }
    std::set<std::string> renamed_supers;
    for (const auto& super : before.supers) {
      renamed_supers.insert(structure_.matching.renaming.class_name(super));
    }
    if (renamed_supers != after.supers) {
      report(Channel::kSubtyping, "its supertypes", "other supertypes", "");
    }
    std::vector<std::string> renamed_init;
    for (const auto& one : before.initialized) {
      renamed_init.push_back(structure_.matching.renaming.class_name(one));
    }
    if (renamed_init != after.initialized) {
      report(Channel::kInitialization, "its initializers", "other initializers",
             "");
    }
  }

  const Structure& structure_;
  const ClassView& cls_;
  std::string new_caller_;
  bool caller_doubtful_;
  std::vector<Answer> asked_;  // by pool entry and question
  std::string file_;
  const MemberView* values_;
  const MemberView* method_ = nullptr;
  const CodeView* code_ = nullptr;
  std::uint32_t pc_ = 0;
  std::vector<classfile::LineEntry> lines_;
  std::string owner_;
  std::string descriptor_;
  std::set<std::uint16_t> seen_condys_;
  std::vector<std::uint16_t> waiting_;
};

}  // namespace

std::vector<Delta> reference_edges(const Structure& structure,
                                   const ClassView& cls, std::string new_name,
                                   bool caller_doubtful,
                                   std::span<const MethodPart> methods) {
  ReferenceScan scan(structure, cls, std::move(new_name), caller_doubtful);
  for (const MethodPart& part : methods) scan.method(part);
  return std::move(scan.edges);
}

}  // namespace rejig::traversal
