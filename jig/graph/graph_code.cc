// SPDX-License-Identifier: Apache-2.0
// The control-flow graphs. A node is a maximal straight run of instructions
// that ends before a target of a jump or a border of the exception table, or
// with a jump or the first instruction that asks the JVM something. So a run has
// one list of handlers, one successor per label, and at most one question.
#include <algorithm>

#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "jig/graph/graph_draft.h"
#include "jig/lookup/references.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::Opcode;
using classfile::Tag;

namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;
// Entries of handler lists that one method may have; beyond, every instruction
// that can throw may reach every handler.
constexpr std::size_t kMostListed = 1'000'000;

bool between(Opcode op, Opcode first, Opcode last) {
  return op >= first && op <= last;
}
bool is_return(Opcode op) {
  return between(op, Opcode::k_ireturn, Opcode::k_return);
}
bool is_goto(Opcode op) {
  return op == Opcode::k_goto || op == Opcode::k_goto_w;
}
bool is_jsr(Opcode op) { return op == Opcode::k_jsr || op == Opcode::k_jsr_w; }
bool is_condition(Opcode op) {
  return between(op, Opcode::k_ifeq, Opcode::k_if_acmpne) ||
         op == Opcode::k_ifnull || op == Opcode::k_ifnonnull;
}
bool is_call(Opcode op) {
  return between(op, Opcode::k_invokevirtual, Opcode::k_invokedynamic);
}
bool is_ldc(Opcode op) {
  return between(op, Opcode::k_ldc, Opcode::k_ldc2_w);
}
bool names_a_type(Opcode op) {
  return op == Opcode::k_new || op == Opcode::k_anewarray ||
         op == Opcode::k_checkcast || op == Opcode::k_instanceof ||
         op == Opcode::k_multianewarray;
}

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
    decode(*code);
    find_borders(*code);
    plan();
    list_handlers(*code);
    draft_.edge(entry, first_ + node_at(0), EdgeKind::kFlow);
    for (const Run& run : runs_) emit(run);
    for (const CatchNode& each : catches_) emit(each);
  }

 private:
  struct Run {
    std::uint32_t begin = 0;  // instructions
    std::uint32_t end = 0;
    std::uint32_t node = 0;   // the call's return node is behind it
    bool throws = false;
  };
  struct CatchNode {
    Name type;
    std::uint32_t at = 0;  // pc of the handler
    std::uint32_t next = kNowhere;
  };

  NodeId exit() const { return entry_ + 1; }
  NodeId exceptional_exit() const { return entry_ + 2; }

  void decode(const CodeView& code) {
    instructions_.clear();
    index_.assign(code.code.size() + 1, kNowhere);
    classfile::InstructionReader reader(code.code);
    Instruction ins;
    while (reader.next(ins)) {
      index_[ins.pc] = static_cast<std::uint32_t>(instructions_.size());
      instructions_.push_back(ins);
    }
  }

  void find_borders(const CodeView& code) {
    border_.assign(code.code.size() + 1, false);
    border_[0] = true;
    for (const Instruction& ins : instructions_) {
      if (is_condition(ins.op) || is_goto(ins.op) || is_jsr(ins.op) ||
          ins.is_switch()) {
        border_[ins.target] = true;
      }
      for (std::uint32_t i = 0; ins.is_switch() && i < ins.cases; ++i) {
        border_[ins.switch_target(i)] = true;
      }
    }
    for (std::uint16_t i = 0; i < code.handler_count; ++i) {
      const auto handler = code.handler(i);
      border_[handler.start] = true;
      border_[handler.end] = true;
      border_[handler.at] = true;
    }
  }

  bool asks(const Instruction& ins) const {
    if (is_ldc(ins.op)) {
      const Tag tag = cls_.pool().tag(ins.index);
      return tag == Tag::kClass || tag == Tag::kMethodHandle ||
             tag == Tag::kMethodType || tag == Tag::kDynamic;
    }
    return is_call(ins.op) || names_a_type(ins.op) ||
           between(ins.op, Opcode::k_getstatic, Opcode::k_putfield);
  }
  bool can_throw(const Instruction& ins) const {
    switch (ins.op) {
      case Opcode::k_idiv:
      case Opcode::k_ldiv:
      case Opcode::k_irem:
      case Opcode::k_lrem:
      case Opcode::k_newarray:
      case Opcode::k_arraylength:
      case Opcode::k_athrow:
      case Opcode::k_monitorenter:
      case Opcode::k_monitorexit:
        return true;
      default:
        return asks(ins) || between(ins.op, Opcode::k_iaload,
                                    Opcode::k_saload) ||
               between(ins.op, Opcode::k_iastore, Opcode::k_sastore);
    }
  }
  bool ends_run(const Instruction& ins) const {
    return asks(ins) || is_condition(ins.op) || is_goto(ins.op) ||
           is_jsr(ins.op) || ins.is_switch() || is_return(ins.op) ||
           ins.op == Opcode::k_athrow || ins.op == Opcode::k_ret;
  }

  void plan() {
    runs_.clear();
    run_at_.assign(index_.size(), kNowhere);
    first_ = draft_.next_code_node();
    std::uint32_t node = 0;
    for (std::uint32_t i = 0; i < instructions_.size();) {
      Run run;
      run.begin = i;
      run.node = node;
      run_at_[instructions_[i].pc] = static_cast<std::uint32_t>(runs_.size());
      do {
        run.throws = run.throws || can_throw(instructions_[i]);
        if (ends_run(instructions_[i++])) break;
      } while (i < instructions_.size() && !border_[instructions_[i].pc]);
      run.end = i;
      node += is_call(instructions_[i - 1].op) ? 2 : 1;
      runs_.push_back(run);
    }
    code_nodes_ = node;
  }

  std::uint32_t node_at(std::uint32_t pc) const {
    return runs_[run_at_[pc]].node;
  }

  // Shares the tails of handler lists.
  void list_handlers(const CodeView& code) {
    catches_.clear();
    first_catch_.assign(runs_.size(), kNowhere);
    if (code.handler_count == 0) return;
    std::vector<classfile::Handler> table;
    for (std::uint16_t i = 0; i < code.handler_count; ++i) {
      table.push_back(code.handler(i));
    }
    const bool all = table.size() * runs_.size() > kMostListed * 16;
    std::map<std::vector<std::uint16_t>, std::uint32_t> known;
    std::size_t listed = 0;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (!runs_[r].throws) continue;
      const std::uint32_t pc = instructions_[runs_[r].begin].pc;
      std::vector<std::uint16_t> list;
      for (std::uint16_t i = 0; i < table.size(); ++i) {
        const auto& handler = table[i];
        if (!all && listed <= kMostListed &&
            (handler.start > pc || handler.end <= pc)) {
          continue;
        }
        list.push_back(i);
        if (handler.type == 0 && !all && listed <= kMostListed) break;
      }
      listed += list.size();
      std::uint32_t next = kNowhere;
      for (std::size_t n = 1; n <= list.size(); ++n) {
        const std::vector<std::uint16_t> tail(
            list.end() - static_cast<std::ptrdiff_t>(n), list.end());
        const auto [at, added] = known.try_emplace(
            tail, static_cast<std::uint32_t>(catches_.size()));
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
    const Instruction& last = instructions_[run.end - 1];
    const std::uint32_t pc = instructions_[run.begin].pc;
    const bool call = is_call(last.op);
    draft_.code_node(call ? NodeKind::kCall : NodeKind::kInstruction, pc);
    if (asks(last)) questions(last);
    if (run.throws) {
      const std::uint32_t handler =
          first_catch_[static_cast<std::size_t>(&run - runs_.data())];
      draft_.code_edge(handler == kNowhere ? exceptional_exit()
                                           : first_ + code_nodes_ + handler,
                       EdgeKind::kException);
    }
    if (call) {
      draft_.code_edge(first_ + run.node + 1, EdgeKind::kPath);
      draft_.code_node(NodeKind::kReturn, pc);
    }
    successors(run, last);
  }

  void emit(const CatchNode& each) {
    draft_.code_node(NodeKind::kCatch,
                     draft_.symbols().of(classfile::dotted(each.type)));
    draft_.code_edge(first_ + node_at(each.at), EdgeKind::kCaught);
    if (each.type == "any") return;
    draft_.code_edge(draft_.class_use(each.type, caller_), EdgeKind::kObserve,
                     "catch");
    draft_.code_edge(each.next == kNowhere
                         ? exceptional_exit()
                         : first_ + code_nodes_ + each.next,
                     EdgeKind::kException);
  }

  void flow(std::uint32_t pc, std::string_view label = {}) {
    if (pc < run_at_.size() && run_at_[pc] != kNowhere) {
      draft_.code_edge(first_ + node_at(pc), EdgeKind::kFlow, label);
    }
  }

  void successors(const Run& run, const Instruction& last) {
    const std::uint32_t behind = run.end < instructions_.size()
                                     ? instructions_[run.end].pc
                                     : kNowhere;
    if (is_return(last.op)) {
      draft_.code_edge(exit(), EdgeKind::kFlow);
    } else if (last.op == Opcode::k_athrow) {
    } else if (last.op == Opcode::k_ret) {
      // To behind any jsr of the method.
      for (const Instruction& ins : instructions_) {
        if (is_jsr(ins.op)) flow(ins.pc + ins.length, "ret");
      }
    } else if (is_goto(last.op)) {
      flow(last.target);
    } else if (is_jsr(last.op)) {
      flow(last.target, "jsr");
    } else if (is_condition(last.op)) {
      flow(last.target, "T");
      flow(behind, "F");
    } else if (last.is_switch()) {
      std::vector<std::pair<std::int32_t, std::uint32_t>> cases;
      for (std::uint32_t i = 0; i < last.cases; ++i) {
        if (last.switch_target(i) == last.target) continue;
        cases.emplace_back(last.switch_key(i), last.switch_target(i));
      }
      std::sort(cases.begin(), cases.end());
      for (const auto& [key, target] : cases) {
        flow(target, "case " + std::to_string(key));
      }
      flow(last.target, "default");
    } else {
      flow(behind);
    }
  }

  void questions(const Instruction& ins) {
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

  void type(const Instruction& ins) {
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
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> index_;
  std::vector<bool> border_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_at_;
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
