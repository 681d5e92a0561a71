// SPDX-License-Identifier: Apache-2.0
// What the instructions that two bodies share ask the JVM: the edges that leave
// their nodes for members, classes, call sites and handlers. An edge is
// dangerous when its target is another member, an error, or a class that is not
// there; a target that is the same is a pair to compare next.
#include <algorithm>

#include "traversal/code/enum_values.h"
#include "traversal/code/synthetic.h"
#include "traversal/lookup/lambda_site.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::Opcode;
using jig::EdgeId;
using jig::EdgeKind;
using jig::NodeId;

namespace {

// The instruction at a pc; `op` is nop when there is none.
Instruction instruction_at(const classfile::ClassView& cls,
                           const classfile::MemberView& method,
                           std::uint32_t pc) {
  Instruction ins;
  const auto code = CodeView::of(cls, method);
  if (code) {
    InstructionReader reader(code->code);
    while (reader.next(ins)) {
      if (ins.pc == pc) return ins;
    }
  }
  ins.op = Opcode::k_nop;
  return ins;
}

bool asks(Opcode op) {
  return (op >= Opcode::k_getstatic && op <= Opcode::k_new) ||
         op == Opcode::k_anewarray || op == Opcode::k_checkcast ||
         op == Opcode::k_instanceof || op == Opcode::k_multianewarray ||
         (op >= Opcode::k_ldc && op <= Opcode::k_ldc2_w);
}

}  // namespace

void PairCompare::questions(const BodyResult& body) {
  if (!body.same_pcs) {
    for (const auto& [old_pc, new_pc] : body.met) question(old_pc, new_pc);
  } else if (const auto code = CodeView::of(*cls_, *method_)) {
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      if (asks(ins.op)) question(ins.pc, ins.pc);
    }
  }
  handlers();
}

void PairCompare::question(std::uint32_t old_pc, std::uint32_t new_pc) {
  const NodeId n = old_.question_at(entry_, old_pc);
  const NodeId n2 = new_.question_at(new_entry_, new_pc);
  if (n == WalkSide::kNone || n2 == WalkSide::kNone) return;
  pc_ = old_pc;
  const auto& graph = old_.graph();
  const auto& new_graph = new_.graph();
  const Instruction ins = instruction_at(*cls_, *method_, old_pc);
  if (!asks(ins.op)) return;
  const std::string mnemonic(classfile::mnemonic(ins.op));
  const bool member = ins.op >= Opcode::k_getstatic &&
                      ins.op <= Opcode::k_invokeinterface;
  const auto ref = member ? cls_->pool().member(ins.index)
                          : classfile::MemberRef{};
  for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
    const EdgeKind kind = graph.edge_kind(e);
    if (kind == EdgeKind::kFlow || kind == EdgeKind::kPath ||
        kind == EdgeKind::kException || kind == EdgeKind::kTrigger) {
      continue;
    }
    const EdgeId e2 = match(e, n, n2);
    // An error has no further edges: it is reported where it is.
    if (e2 == WalkSide::kNone) continue;
    const NodeId t = graph.target(e);
    const NodeId t2 = new_graph.target(e2);
    switch (kind) {
      case EdgeKind::kCall: {
        const bool by_receiver = ins.op == Opcode::k_invokevirtual ||
                                 ins.op == Opcode::k_invokeinterface;
        call_target(t, t2,
                    mnemonic + " " + classfile::method_entity(
                                         ref.owner, ref.name, ref.descriptor),
                    by_receiver);
        break;
      }
      case EdgeKind::kField:
        field_target(t, t2,
                     mnemonic + " " + classfile::dotted(ref.owner) + "." +
                         std::string(ref.name),
                     ins.op == Opcode::k_getstatic);
        break;
      case EdgeKind::kHandle:
        target(e, e2, "handle", true);
        break;
      case EdgeKind::kBoot:
        boot(t, t2);
        if (ins.op == Opcode::k_invokedynamic) lambda(old_pc, new_pc);
        break;
      default:
        class_target(t, t2, shown(old_, t));
    }
  }
}

// A handle may be of any member.
void PairCompare::target(EdgeId e, EdgeId e2, const std::string& what,
                         bool by_site) {
  const NodeId t = old_.graph().target(e);
  const NodeId t2 = new_.graph().target(e2);
  const bool field = old_.graph().kind(t) == JigKind::kField ||
                     new_.graph().kind(t2) == JigKind::kField;
  if (field) {
    field_target(t, t2, what + " of " + shown(old_, t), true);
  } else {
    const bool dispatched = old_.graph().kind(t) == JigKind::kDispatch ||
                            new_.graph().kind(t2) == JigKind::kDispatch;
    call_target(t, t2, what + " of " + shown(old_, t), dispatched || !by_site);
  }
}

// Accessors, lambda bodies and $values() are compared by what they do.
bool PairCompare::compared_by_use(NodeId old_entry) const {
  const jig::Name name = old_.name(old_entry);
  if (name.starts_with("access$")) return true;
  return old_.owner(old_entry) == cls_->name() &&
         (name.starts_with("lambda$") || name == kValuesHelper);
}

void PairCompare::call_target(NodeId t, NodeId t2, const std::string& what,
                              bool by_site) {
  const auto& graph = old_.graph();
  const JigKind kind = graph.kind(t);
  const JigKind kind2 = new_.graph().kind(t2);
  if (kind == JigKind::kEntry && compared_by_use(t) &&
      kind2 == JigKind::kEntry) {
    out_.next.push_back({t, t2});
    return;
  }
  if (nodes_equivalent(t, t2)) {
    if (kind == JigKind::kEntry || kind == JigKind::kDispatch) {
      out_.next.push_back({t, t2});
    }
    return;
  }
  const auto runs = [](JigKind k) {
    return k == JigKind::kDispatch || k == JigKind::kEntry ||
           k == JigKind::kExternalEntry;
  };
  if (by_site && runs(kind) && runs(kind2)) {
    // The receiver decides what runs; one question is whether it must be of the
    // interface that the call names.
    const std::string before = graph.label(t);
    const std::string after = new_.graph().label(t2);
    const bool of_object = before.starts_with("java.lang.Object.");
    if (what.starts_with("invokeinterface") &&
        of_object != after.starts_with("java.lang.Object.")) {
      report_target(Rule::kD4, what, t, t2);
    } else if (kind == JigKind::kDispatch && kind2 == JigKind::kDispatch) {
      out_.next.push_back({t, t2});
    }
    return;
  }
  report_target(Rule::kD4, what, t, t2);
  Delta& d = out_.found.edges.back();
  if (d.rule != Rule::kD4 || kind != JigKind::kEntry || !runs(kind2)) return;
  // The old target was entered, unless resolving or initializing failed first.
  const auto [cls, method] = method_of(old_, t);
  if (method == nullptr || method->attribute("Code") == nullptr) return;
  if (method->is(classfile::kAccStatic) &&
      !jig::init_sequence(old_.world(), old_.owner(t)).empty()) {
    return;
  }
  d.rule = Rule::kD3;
  d.target = graph.label(t);
}

void PairCompare::field_target(NodeId t, NodeId t2, const std::string& what,
                               bool reads) {
  if (!nodes_equivalent(t, t2)) {
    report_target(Rule::kD5, what, t, t2);
    return;
  }
  if (!reads || old_.graph().kind(t) != JigKind::kField) return;
  const auto constant_of = [](const WalkSide& side, NodeId field) {
    const std::string label = side.graph().label(field);
    const auto colon = label.find(':');
    const auto dot = label.rfind('.', colon);
    const std::string holder = classfile::slashed(label.substr(0, dot));
    const auto found = jig::resolve_field(
        side.world(), holder, label.substr(dot + 1, colon - dot - 1),
        label.substr(colon + 1));
    const bool constant = found.found() && found.field->is(classfile::kAccStatic);
    return constant ? found.field->constant : jig::Name{};
  };
  const auto before = constant_of(old_, t);
  const auto after = constant_of(new_, t2);
  if (before == after) return;
  Delta d = site_delta(Rule::kD15, Channel::kInitialization, what,
                       "constant " + jig::shown_constant(before),
                       "constant " + jig::shown_constant(after));
  d.why = "in `" + d.entity + "`, " + what + " reads another ConstantValue";
  if (d.rule == Rule::kD15) {
    const std::string field = old_.graph().label(t);
    d.subject = field.substr(0, field.rfind('.', field.find(':')));
  }
  out_.found.edges.push_back(std::move(d));
}

void PairCompare::class_target(NodeId t, NodeId t2, const std::string& what) {
  if (!nodes_equivalent(t, t2)) {
    report_target(Rule::kD6, "class " + what, t, t2);
  }
}

void PairCompare::boot(NodeId old_boot, NodeId new_boot) {
  const auto& graph = old_.graph();
  for (EdgeId e = graph.out_begin(old_boot); e != graph.out_end(old_boot);
       ++e) {
    const EdgeKind kind = graph.edge_kind(e);
    if (kind == EdgeKind::kLambda) continue;
    const EdgeId e2 = match(e, old_boot, new_boot);
    if (e2 == WalkSide::kNone) continue;
    if (kind == EdgeKind::kClass) {
      class_target(graph.target(e), new_.graph().target(e2),
                   shown(old_, graph.target(e)));
    } else {
      target(e, e2, kind == EdgeKind::kCall ? "bootstrap" : "handle", true);
    }
  }
}

// The hidden class of a lambda site: does it link, of which types is it, what
// runs for the methods that it inherits, which initializers does it run?
void PairCompare::lambda(std::uint32_t old_pc, std::uint32_t new_pc) {
  const auto before =
      lambda_site(*cls_, instruction_at(*cls_, *method_, old_pc).index);
  const auto new_ins = instruction_at(*new_cls_, *new_method_, new_pc);
  if (!before || new_ins.op != Opcode::k_invokedynamic) return;
  const auto after = lambda_site(*new_cls_, new_ins.index);
  if (!after) return;
  const std::string what =
      "the lambda of " + classfile::dotted(before->interfaces.front());
  const auto report = [&](Channel channel, std::string was, std::string is,
                          const std::string& target) {
    Delta d = site_delta(Rule::kD9, channel, what, std::move(was),
                         std::move(is));
    if (d.rule == Rule::kD9) d.target = target;
    out_.found.edges.push_back(std::move(d));
  };
  for (std::size_t i = 0; i < before->interfaces.size(); ++i) {
    if (i >= after->interfaces.size()) break;
    auto was = lambda_link_problem(old_.world(), cls_->name(),
                                   before->interfaces[i]);
    auto is = lambda_link_problem(new_.world(), new_cls_->name(),
                                  after->interfaces[i]);
    if (was == is) continue;
    report(Channel::kLinking, was.empty() ? "fine" : was,
           is.empty() ? "fine" : is, "");
  }
  const auto was = lambda_behaviour(old_.world(), *before);
  const auto is = lambda_behaviour(new_.world(), *after);
  for (const auto& [signature, target] : was.selected) {
    const auto open = signature.find('(');
    const std::string renamed =
        open == std::string::npos
            ? signature
            : signature.substr(0, open) +
                  matching_.renaming.descriptor(
                      std::string_view(signature).substr(open));
    const auto at = is.selected.find(renamed);
    if (at == is.selected.end() ||
        matching_.renaming.class_name(target.text) == at->second.text) {
      continue;
    }
    report(Channel::kSelection, signature + " of " + target.text,
           signature + " of " + at->second.text, target.internal_default);
  }
  const auto renamed_all = [&](const auto& names) {
    std::vector<std::string> out;
    for (const auto& name : names)
      out.push_back(matching_.renaming.class_name(name));
    return out;
  };
  auto supers = renamed_all(was.supers);
  std::sort(supers.begin(), supers.end());
  if (!std::equal(supers.begin(), supers.end(), is.supers.begin(),
                  is.supers.end())) {
    report(Channel::kSubtyping, "its supertypes", "other supertypes", "");
  }
  if (renamed_all(was.initialized) != is.initialized) {
    report(Channel::kInitialization, "its initializers", "other initializers",
           "");
  }
}

// The classes that the method's handlers name, by name.
void PairCompare::handlers() {
  const auto& graph = old_.graph();
  const auto others = new_.catches(new_entry_);
  std::vector<std::string> done;
  for (const NodeId n : old_.catches(entry_)) {
    const std::string type = old_.caught(n);
    if (std::find(done.begin(), done.end(), type) != done.end()) continue;
    done.push_back(type);
    const std::string renamed = renamed_class(type);
    const auto other =
        std::find_if(others.begin(), others.end(), [&](NodeId n2) {
          return new_.caught(n2) == renamed;
        });
    if (other == others.end()) continue;
    for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
      if (graph.edge_kind(e) != EdgeKind::kObserve) continue;
      const EdgeId e2 = match(e, n, *other);
      if (e2 == WalkSide::kNone) continue;
      pc_ = 0;
      class_target(graph.target(e), new_.graph().target(e2), type);
    }
  }
}

classfile::Delta PairCompare::site_delta(Rule rule, Channel channel,
                                         const std::string& what,
                                         std::string before,
                                         std::string after) const {
  Delta d = method_delta(entry_);
  // What <clinit> asks, and what asks for it, is part of the initialization.
  const bool initializes = d.rule == Rule::kD2 ||
                           (method_->name == kValuesHelper &&
                            method_ == values_helper(*cls_));
  if (initializes) {
    d.rule = Rule::kD2;
    d.subject = classfile::dotted(cls_->name());
    d.at.clear();
  } else {
    d.rule = rule;
  }
  d.channel = channel;
  d.label = what;
  d.old_fact = std::move(before);
  d.new_fact = std::move(after);
  d.line = line_at(pc_);
  d.why = "in `" + d.entity + "`, " + what + " meant `" + d.old_fact +
          "` and means `" + d.new_fact + "`";
  return d;
}

void PairCompare::report_target(Rule rule, const std::string& what, NodeId t,
                                NodeId t2) {
  out_.found.edges.push_back(site_delta(rule, Channel::kResolution, what,
                                  shown(old_, t), shown(new_, t2)));
}

}  // namespace rejig::traversal
