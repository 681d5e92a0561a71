// SPDX-License-Identifier: Apache-2.0
// The control-flow graphs: of each method its part (method_graph.h), and nodes
// and edges of it. A node is one of the part's straight runs, so it has one list
// of handlers, one successor per label, and at most one question; a run that ends
// with a call has a node for the return, too. What the question comes to is
// asked of the world once for each entry of the pool and opcode.
#include <algorithm>
#include <numeric>

#include "classfile/words/entity.h"
#include "jig/graph/graph_draft.h"
#include "jig/graph/method_graph.h"
#include "jig/lookup/references.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Opcode;
using classfile::Tag;

namespace {

constexpr std::uint32_t kNowhere = MethodGraph::kNowhere;
// Entries of handler lists that one method may have; beyond, every instruction
// that can throw may reach every handler.
constexpr std::size_t kMostListed = 1'000'000;

using Step = MethodGraph::Step;
using Run = MethodGraph::Run;

class CodeReader {
 public:
  CodeReader(GraphBuilder& draft, const ClassView& cls)
      : draft_(draft), cls_(cls), caller_(draft.world().names().intern(
                                      cls.name())) {
    known_.assign(cls.pool().count() * std::size_t{8}, kNowhere);
    triggers_.assign(known_.size(), Name{});
  }

  void method(const classfile::MemberView& member, NodeId entry) {
    const auto code = CodeView::of(cls_, member);
    if (!code) return;
    entry_ = entry;
    site_ = classfile::method_entity(cls_.name(), member.name,
                                     member.descriptor);
    in_clinit_ = member.name == "<clinit>";
    in_init_ = member.name == "<init>";
    if (!part_.read(cls_, *code)) return;  // parsed classes have no such code
    part_.find_runs();
    number_nodes();
    list_handlers();
    draft_.edge(entry, first_ + node_of_step(0), EdgeKind::kFlow);
    for (const Run& run : part_.runs()) emit(run);
    for (const CatchNode& each : catches_) emit(each);
  }

 private:
  struct CatchNode {
    Name type;
    std::uint32_t at = 0;  // pc of the handler
    std::uint32_t next = kNowhere;
  };

  NodeId exit() const { return entry_ + 1; }
  NodeId exceptional_exit() const { return entry_ + 2; }

  std::size_t number_of(const Run& run) const {
    return static_cast<std::size_t>(&run - part_.runs().data());
  }
  const Step& last_of(const Run& run) const {
    return part_.steps()[run.end - 1];
  }

  // A call's return node is behind it.
  void number_nodes() {
    first_ = draft_.next_code_node();
    nodes_.clear();
    std::uint32_t node = 0;
    for (const Run& run : part_.runs()) {
      nodes_.push_back(node);
      node += is_call(last_of(run).op) ? 2 : 1;
    }
    code_nodes_ = node;
  }

  // Of the step that a run begins with.
  std::uint32_t node_of_step(std::uint32_t step) const {
    return nodes_[part_.run_at(step)];
  }

  // Shares the tails of handler lists.
  void list_handlers() {
    const auto runs = part_.runs();
    catches_.clear();
    first_catch_.assign(runs.size(), kNowhere);
    const bool covered = part_.read_covers();
    const auto table = part_.handlers();
    if (table.empty()) return;
    const bool all = !covered || table.size() * runs.size() > kMostListed * 16;
    std::vector<std::uint16_t> every(table.size());
    std::iota(every.begin(), every.end(), std::uint16_t{0});
    std::map<std::vector<std::uint16_t>, std::uint32_t> known;
    std::size_t listed = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (!runs[r].throws) continue;
      std::span<const std::uint16_t> list = every;
      if (!all && listed <= kMostListed) {
        list = part_.rows_at(part_.steps()[runs[r].begin].pc);
      }
      listed += list.size();
      std::uint32_t next = kNowhere;
      for (std::size_t n = 1; n <= list.size(); ++n) {
        const auto tail = list.last(n);
        const auto [at, added] = known.try_emplace(
            std::vector<std::uint16_t>(tail.begin(), tail.end()),
            static_cast<std::uint32_t>(catches_.size()));
        if (added) {
          const auto& handler = table[tail.front()];
          const Name type = handler.type == 0 ? Name("any")
                                              : cls_.pool().text(handler.type);
          catches_.push_back({type, handler.at, next});
        }
        next = at->second;
      }
      first_catch_[r] = next;
    }
  }

  void emit(const Run& run) {
    const Step& last = last_of(run);
    const std::uint32_t pc = part_.steps()[run.begin].pc;
    const bool call = is_call(last.op);
    draft_.code_node(call ? NodeKind::kCall : NodeKind::kInstruction, pc);
    if (part_.asks(last)) questions(last);
    if (run.throws) {
      const std::uint32_t handler = first_catch_[number_of(run)];
      draft_.code_edge(handler == kNowhere ? exceptional_exit()
                                           : first_ + code_nodes_ + handler,
                       EdgeKind::kException);
    }
    if (call) {
      draft_.code_edge(first_ + nodes_[number_of(run)] + 1, EdgeKind::kPath);
      draft_.code_node(NodeKind::kReturn, pc);
    }
    successors(run, last);
  }

  void emit(const CatchNode& each) {
    draft_.code_node(NodeKind::kCatch,
                     draft_.symbols().of(classfile::dotted(each.type)));
    draft_.code_edge(first_ + node_of_step(part_.step_at(each.at)), EdgeKind::kCaught);
    if (each.type == "any") return;
    draft_.code_edge(draft_.class_use(each.type, caller_), EdgeKind::kObserve,
                     "catch");
    draft_.code_edge(each.next == kNowhere
                         ? exceptional_exit()
                         : first_ + code_nodes_ + each.next,
                     EdgeKind::kException);
  }

  // To the run that begins with the step, if the code goes on so far.
  void flow(std::uint32_t step, std::string_view label = {}) {
    if (step >= part_.steps().size() || part_.run_at(step) == kNowhere) return;
    draft_.code_edge(first_ + node_of_step(step), EdgeKind::kFlow, label);
  }

  void successors(const Run& run, const Step& last) {
    if (is_return(last.op)) {
      draft_.code_edge(exit(), EdgeKind::kFlow);
    } else if (last.op == Opcode::k_athrow) {
    } else if (last.op == Opcode::k_ret) {
      // To behind any jsr of the method.
      const auto steps = part_.steps();
      for (std::uint32_t i = 0; i < steps.size(); ++i) {
        if (is_jsr(steps[i].op)) flow(i + 1, "ret");
      }
    } else if (is_goto(last.op)) {
      flow(last.target);
    } else if (is_jsr(last.op)) {
      flow(last.target, "jsr");
    } else if (is_condition(last.op)) {
      flow(last.target, "T");
      flow(run.end, "F");
    } else if (is_switch(last.op)) {
      std::vector<std::pair<std::int32_t, std::uint32_t>> cases;
      for (const auto& one : part_.cases(last)) {
        if (one.target != last.target) cases.emplace_back(one.key, one.target);
      }
      std::sort(cases.begin(), cases.end());
      for (const auto& [key, target] : cases) {
        flow(target, "case " + std::to_string(key));
      }
      flow(last.target, "default");
    } else {
      flow(run.end);
    }
  }

  void questions(const Step& ins) {
    const auto& pool = cls_.pool();
    if (ins.op == Opcode::k_invokedynamic) {
      const auto text = site(ins.pc);
      const NodeId boot = draft_.node(NodeKind::kBoot, text);
      draft_.code_edge(boot, EdgeKind::kBoot);
      draft_.bootstrap(cls_, ins.index, boot, true);
      return;
    }
    if (is_ldc(ins.op)) return constant(ins.index, ins.pc);
    if (names_a_type(ins.op)) return type(ins);
    const bool field = ins.op <= Opcode::k_putfield;
    const std::size_t key =
        ins.index * std::size_t{8} + static_cast<unsigned>(ins.op) -
        static_cast<unsigned>(Opcode::k_getstatic);
    const auto ref = pool.member(ins.index);
    // Whether a final field may be written depends on the method.
    const bool writes =
        ins.op == Opcode::k_putfield || ins.op == Opcode::k_putstatic;
    if (known_[key] == kNowhere || writes) {
      triggers_[key] = {};
      known_[key] = draft_.reference(
          ref, ins.op, caller_,
          ins.op == Opcode::k_putstatic ? in_clinit_ : in_init_,
          &triggers_[key]);
    }
    draft_.code_edge(known_[key],
                     field ? EdgeKind::kField : EdgeKind::kCall,
                     field ? classfile::mnemonic(ins.op) : Name{});
    if (!triggers_[key].empty()) {
      draft_.code_edge(draft_.init_node(triggers_[key]), EdgeKind::kTrigger);
    }
    // The receiver of an invokeinterface has to be one; a call of a handle has
    // the types of its descriptor.
    if (ins.op == Opcode::k_invokeinterface) {
      draft_.code_edge(draft_.class_use(ref.owner, caller_), EdgeKind::kObserve,
                       "invokeinterface");
    } else if (ins.op == Opcode::k_invokevirtual &&
               ref.owner.starts_with("java/lang/invoke/")) {
      draft_.descriptor_types(ref.descriptor, caller_, EdgeKind::kObserve,
                              code_sink());
    }
  }

  GraphBuilder::Sink code_sink() {
    return [this](NodeId to, EdgeKind kind, std::string_view label) {
      draft_.code_edge(to, kind, label);
    };
  }

  void type(const Step& ins) {
    const Name name = cls_.pool().text(ins.index);
    const NodeId to =
        draft_.class_use(name, caller_, ins.op == Opcode::k_new);
    if (ins.op != Opcode::k_new) {
      const bool observes = ins.op == Opcode::k_checkcast ||
                            ins.op == Opcode::k_instanceof;
      draft_.code_edge(to, observes ? EdgeKind::kObserve : EdgeKind::kClass,
                       classfile::mnemonic(ins.op));
      return;
    }
    const ClassNode* found = draft_.world().find(name);
    const bool internal = found != nullptr && found->internal;
    draft_.code_edge(to, EdgeKind::kNew,
                     internal ? draft_.qualified_name(name) : Name{});
    draft_.code_edge(draft_.init_node(name), EdgeKind::kTrigger);
  }

  void constant(std::uint16_t index, std::uint32_t pc) {
    const auto& pool = cls_.pool();
    if (pool.tag(index) == Tag::kDynamic) {
      const NodeId boot = draft_.node(NodeKind::kBoot, site(pc));
      draft_.code_edge(boot, EdgeKind::kBoot);
      draft_.bootstrap(cls_, index, boot, false);
      return;
    }
    std::vector<bool> seen;
    draft_.constant_uses(cls_, index, caller_, "ldc", seen, code_sink());
  }

  std::string site(std::uint32_t pc) const {
    return site_ + " @" + std::to_string(pc);
  }

  GraphBuilder& draft_;
  const ClassView& cls_;
  Name caller_;
  std::vector<NodeId> known_;  // by pool index and opcode
  std::vector<Name> triggers_;
  NodeId entry_ = 0;
  std::string site_;  // the method's name
  bool in_clinit_ = false;
  bool in_init_ = false;
  NodeId first_ = 0;
  std::uint32_t code_nodes_ = 0;
  MethodGraph part_;
  std::vector<std::uint32_t> nodes_;  // of runs
  std::vector<CatchNode> catches_;
  std::vector<std::uint32_t> first_catch_;
};

}  // namespace

void GraphBuilder::read_class(const ClassView& cls) {
  CodeReader reader(*this, cls);
  std::size_t last = methods_.size();
  for (const auto& member : cls.methods()) {
    const std::size_t row = row_of(cls.name(), member.name, member.descriptor);
    if (row >= methods_.size() || row == last) continue;
    last = row;
    begin_method(row);
    reader.method(member, entries_[row]);
  }
}

}  // namespace rejig::jig
