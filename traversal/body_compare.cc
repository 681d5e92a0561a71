// SPDX-License-Identifier: Apache-2.0
// Vertices are pairs (old node, new node); an edge of both bodies with the same
// label leads from pair to pair. A pair is visited with the relation E of local
// slots known to hold equal values there; meeting a pair again intersects E, so
// the walk ends: E only shrinks. Cost: pairs × changes of E; bodies that are
// equal line by line have as many pairs as instructions.
// Safe: every instruction an execution can reach is in a visited pair, with
// equal text and slots proven equal, or behind a recorded divergence.
#include "traversal/body_compare.h"

#include <algorithm>
#include <map>
#include <set>

#include "classfile/base/hash_map.h"
#include "traversal/body_bytes.h"
#include "traversal/body_ops.h"
#include "traversal/body_shapes.h"
#include "traversal/constant_compare.h"
#include "traversal/describe.h"
#include "traversal/enum_values.h"
#include "traversal/slot_relation.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::MemberView;
using classfile::Opcode;

namespace {

struct Item {
  std::uint32_t old_node;
  std::uint32_t new_node;
  Slots slots;
  std::uint32_t old_from;  // where the edge comes from, for the report
  std::string label;
};

class Comparison {
 public:
  Comparison(const ClassView& old_class, const ClassView& new_class,
             const Renaming& renaming, BodyContext& context)
      : constants_(old_class, new_class, renaming),
        old_class_(old_class),
        new_class_(new_class),
        renaming_(renaming),
        context_(context) {}

  BodyResult run(const MemberView& old_method, const MemberView& new_method,
                 std::uint32_t old_start, std::uint32_t new_start) {
    const auto old_code = CodeView::of(old_class_, old_method);
    const auto new_code = CodeView::of(new_class_, new_method);
    if (old_code && new_code && old_start == new_start &&
        SameBytes{old_class_,      new_class_,
                  renaming_,       constants_,
                  result_.lambdas, context_.pool_pairs(old_class_, new_class_)}
            .bodies(*old_code, *new_code, old_start)) {
      return std::move(result_);
    }
    result_ = {};
    if (!old_code || !new_code || !old_.build(old_class_, *old_code) ||
        !new_.build(new_class_, *new_code)) {
      diverge({0, 0, {}, 0, "entry"}, "body", "body that cannot be compared");
      return std::move(result_);
    }
    if (old_method.name == "<init>" && old_code->handler_count == 0 &&
        new_code->handler_count == 0) {
      old_.sort_captures();
      new_.sort_captures();
    }
    if (old_method.name == "<clinit>") {
      inline_values(old_);
      inline_values(new_);
    }
    Slots slots;
    const unsigned parameters = parameter_slots(old_method);
    for (unsigned s = 0; s < parameters; ++s) slots.push_back(slot_pair(s, s));
    const std::uint32_t old_first = old_.node_at(old_start);
    const std::uint32_t new_first = new_.node_at(new_start);
    if (same_handler_tables(old_, *old_code, new_, *new_code, renaming_) &&
        linear(old_first, new_first)) {
      return std::move(result_);
    }
    by_position_only_ = false;
    result_ = {};
    if (!old_.build_handlers(*old_code) || !new_.build_handlers(*new_code)) {
      diverge({0, 0, {}, 0, "entry"}, "handlers",
              "handlers that cannot be compared");
      return std::move(result_);
    }
    old_.fold_concats();
    new_.fold_concats();
    push({old_first, new_first, slots, old_first, ""});
    while (!todo_.empty()) {
      Item item = std::move(todo_.back());
      todo_.pop_back();
      visit(std::move(item));
    }
    std::sort(result_.divergences.begin(), result_.divergences.end(),
              [](const Divergence& a, const Divergence& b) {
                return std::tie(a.old_pc, a.new_pc, a.label) <
                       std::tie(b.old_pc, b.new_pc, b.label);
              });
    std::sort(result_.lambdas.begin(), result_.lambdas.end());
    compared_by_use_only();
    result_.lambdas.erase(
        std::unique(result_.lambdas.begin(), result_.lambdas.end()),
        result_.lambdas.end());
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMostDivergences = 64;

  void compared_by_use_only() {
    auto& by_use = result_.by_use;
    std::sort(by_use.begin(), by_use.end());
    by_use.erase(std::unique(by_use.begin(), by_use.end()), by_use.end());
    std::sort(by_text_.begin(), by_text_.end());
    std::erase_if(by_use, [&](std::uint32_t pc) {
      return std::binary_search(by_text_.begin(), by_text_.end(), pc);
    });
  }

  // Instruction by instruction the same, with the same targets and slots (and
  // handler tables): the common case, without any relation.
  bool linear(std::uint32_t old_first, std::uint32_t new_first) {
    const auto olds = old_.nodes(), news = new_.nodes();
    if (old_first != new_first || olds.size() != news.size()) return false;
    for (std::uint32_t i = old_first; i < olds.size(); ++i) {
      const BodyNode& a = olds[i];
      const BodyNode& b = news[i];
      if (a.kind != b.kind || a.op != b.op || a.target != b.target) {
        return false;
      }
      if ((a.kind == NodeKind::kLocal || a.kind == NodeKind::kIncrement) &&
          a.index != b.index) {
        return false;
      }
      if (a.kind == NodeKind::kSwitch) {
        const auto ca = old_.cases(a);
        const auto cb = new_.cases(b);
        if (ca.size() != cb.size()) return false;
        for (std::size_t k = 0; k < ca.size(); ++k) {
          if (ca[k].key != cb[k].key || ca[k].target != cb[k].target) {
            return false;
          }
        }
      }
      if (!same_text(i, i)) return false;
    }
    return true;
  }

  void push(Item item) {
    item.old_node = old_.settle(item.old_node);
    item.new_node = new_.settle(item.new_node);
    if (item.old_node == BodyGraph::kNowhere ||
        item.new_node == BodyGraph::kNowhere) {
      if (item.old_node != item.new_node) {
        diverge(item, describe(old_, item.old_node),
                describe(new_, item.new_node));
      }
      return;
    }
    todo_.push_back(std::move(item));
  }

  void diverge(const Item& item, std::string old_text, std::string new_text) {
    result_.equal = false;
    const auto key = std::uint64_t{item.old_node} << 32 | item.new_node;
    if (!diverged_.insert(key) ||
        result_.divergences.size() >= kMostDivergences) {
      return;
    }
    Divergence d;
    d.label = item.label;
    if (item.old_node < old_.nodes().size()) {
      d.old_pc = old_.nodes()[item.old_node].pc;
      d.old_line = old_.line_of(d.old_pc);
    }
    if (item.new_node < new_.nodes().size()) {
      d.new_pc = new_.nodes()[item.new_node].pc;
      d.new_line = new_.line_of(d.new_pc);
    }
    d.old_text = std::move(old_text);
    d.new_text = std::move(new_text);
    result_.divergences.push_back(std::move(d));
  }

  bool same_call(const BodyNode& x, const BodyNode& y) {
    const auto a = old_class_.pool().member(x.index);
    const auto b = new_class_.pool().member(y.index);
    if (x.op == Opcode::k_invokestatic && y.op == Opcode::k_invokestatic &&
        a.name.starts_with("access$") && b.name.starts_with("access$") &&
        renaming_.same_class(a.owner, b.owner) &&
        renaming_.same_descriptor(a.descriptor, b.descriptor)) {
      return context_.same_accessor(a, b);
    }
    if (x.op == y.op && constants_.same_member(a, b)) return true;
    return a.name == b.name &&
           renaming_.same_descriptor(a.descriptor, b.descriptor) &&
           context_.same_call_otherwise(x.op, a, y.op, b);
  }

  bool same_text(std::uint32_t i, std::uint32_t j) {
    const BodyNode& x = old_.nodes()[i];
    const BodyNode& y = new_.nodes()[j];
    if (is_string_of(old_, x) && is_string_of(new_, y)) return true;
    if (x.kind != y.kind) return false;
    switch (x.kind) {
      case NodeKind::kConcat:
        return old_.recipe(x) == new_.recipe(y);
      case NodeKind::kIntConst:
      case NodeKind::kPush:
        return x.value == y.value;
      case NodeKind::kLongConst:
      case NodeKind::kFloatConst:
      case NodeKind::kDoubleConst:
        return x.bits == y.bits;
      case NodeKind::kPoolConst:
        return constants_.same_constant(x.index, y.index);
      case NodeKind::kField: {
        if (x.op != y.op) return false;
        if (is_switch_map(x)) {
          return x.op == Opcode::k_getstatic && same_switch_map(i, j);
        }
        return constants_.same_member(old_class_.pool().member(x.index),
                                      new_class_.pool().member(y.index));
      }
      case NodeKind::kCall:
        return same_call(x, y) ||
               (is_null_check(old_, i) && is_null_check(new_, j));
      case NodeKind::kDynamic:
        return constants_.same_call_site(x.index, y.index, result_.lambdas);
      case NodeKind::kType:
        return x.op == y.op && x.value == y.value &&
               renaming_.same_class(old_class_.pool().text(x.index),
                                    new_class_.pool().text(y.index));
      case NodeKind::kIncrement:
        return x.value == y.value;
      case NodeKind::kSwitch:
        return true;  // keys are edge labels
      default:
        return x.op == y.op;
    }
  }

  // Equal tables, or tables whose readers are compared by constant name. The
  // names are noted for the two switches; only this straight line leads there.
  bool same_switch_map(std::uint32_t i, std::uint32_t j) {
    const auto maps = context_.switch_maps(
        old_class_.pool().member(old_.nodes()[i].index),
        new_class_.pool().member(new_.nodes()[j].index));
    if (maps.of_old == nullptr || maps.of_new == nullptr) return false;
    if (*maps.of_old == *maps.of_new) return true;
    const auto old_switch = switch_of_map(old_, i);
    const auto new_switch = switch_of_map(new_, j);
    if (by_position_only_ || !old_switch || !new_switch) return false;
    auto olds = cases_by_name(old_, old_.nodes()[*old_switch], *maps.of_old);
    auto news = cases_by_name(new_, new_.nodes()[*new_switch], *maps.of_new);
    if (!olds || !news) return false;
    named_[{*old_switch, *new_switch}] = {std::move(*olds), std::move(*news)};
    return true;
  }

  bool is_switch_map(const BodyNode& x) const {
    return old_class_.pool().member(x.index).name.starts_with("$SwitchMap$");
  }

  void visit(Item item) {
    const std::uint64_t key =
        std::uint64_t{item.old_node} << 32 | item.new_node;
    auto [slot, added] = states_.try_emplace(key, 0);
    if (added) {
      *slot = static_cast<std::uint32_t>(state_slots_.size());
      state_slots_.push_back(item.slots);
    } else {
      Slots& known = state_slots_[*slot];
      Slots both;
      std::set_intersection(known.begin(), known.end(), item.slots.begin(),
                            item.slots.end(), std::back_inserter(both));
      if (both.size() == known.size()) return;
      known = both;
      item.slots = std::move(both);
    }
    const std::uint32_t i = item.old_node;
    const std::uint32_t j = item.new_node;
    const BodyNode& x = old_.nodes()[i];
    const BodyNode& y = new_.nodes()[j];

    if (skip_dead_store(item) || other_stack_shape(item) ||
        through_accessor(item, true) || through_accessor(item, false)) {
      return;
    }

    bool swapped = false;
    if (x.kind == NodeKind::kBranch && y.kind == NodeKind::kBranch &&
        x.op != y.op && inverse(x.op) == y.op && !after_float_compare(i, j)) {
      swapped = true;
    } else if (!same_text(i, j)) {
      diverge(item, describe(old_, i), describe(new_, j));
      return;
    }
    if (x.kind == NodeKind::kCall || x.kind == NodeKind::kField) {
      by_text_.push_back(x.pc);
    }

    Slots after = item.slots;
    if (x.kind == NodeKind::kLocal || x.kind == NodeKind::kIncrement) {
      const bool writes = x.kind == NodeKind::kIncrement || is_store(x.op);
      const bool reads = x.kind == NodeKind::kIncrement || !is_store(x.op);
      if (reads && !std::binary_search(after.begin(), after.end(),
                                       slot_pair(x.index, y.index))) {
        diverge(item, describe(old_, i), describe(new_, j));
        return;
      }
      if (writes) {
        const unsigned width = is_wide_local(x.op) ? 2 : 1;
        for (unsigned k = 0; k < width; ++k) {
          forget(after, x.index + k, y.index + k);
        }
        for (unsigned k = 0; k < width; ++k) {
          relate(after, x.index + k, y.index + k);
        }
      }
    }

    if (x.throws && !same_handlers(item, x, y)) return;
    push_successors(item, x, y, after, swapped);
  }

  // `int 5; istore 3` for a constant that javac keeps for debuggers (-g) and
  // ecj for everybody. Stepped over on one side only; a later read of the slot
  // finds no partner, so nothing has to be known about its uses. Forwards only:
  // an endless loop of such stores is not nothing.
  bool skip_dead_store(const Item& item) {
    const std::uint32_t i = item.old_node;
    const std::uint32_t j = item.new_node;
    const bool of_old = stores_constant(old_, i);
    const bool of_new = stores_constant(new_, j);
    if (!of_old && !of_new) return false;
    if (kept_copy(old_, i + 1) != nullptr && kept_copy(new_, j + 1) != nullptr &&
        same_text(i, j)) {
      return false;
    }
    // The same, or both are read somewhere: the constant is what differs.
    if (of_old && of_new &&
        (same_text(i, j) || (reads_slot(old_, old_.nodes()[i + 1].index) &&
                             reads_slot(new_, new_.nodes()[j + 1].index)))) {
      return false;
    }
    const bool step_old =
        of_old && (!of_new || !reads_slot(old_, old_.nodes()[i + 1].index));
    Item next = item;
    next.label.clear();
    next.old_from = i;
    if (step_old) {
      next.old_node = old_.settle(i + 2);
      if (next.old_node == BodyGraph::kNowhere || next.old_node <= i) {
        return false;
      }
      drop_slot(next.slots, old_.nodes()[i + 1], true);
    } else {
      next.new_node = new_.settle(j + 2);
      if (next.new_node == BodyGraph::kNowhere || next.new_node <= j) {
        return false;
      }
      drop_slot(next.slots, new_.nodes()[j + 1], false);
    }
    push(std::move(next));
    return true;
  }

  // `store s; load s` and `dup; store t`; `pop` and a store that nobody reads.
  // A slot that only one side writes is dropped: a later read diverges.
  bool other_stack_shape(const Item& item) {
    const std::uint32_t i = item.old_node;
    const std::uint32_t j = item.new_node;
    Item next = item;
    next.label.clear();
    next.old_from = i;
    const BodyNode& x = old_.nodes()[i];
    const BodyNode& y = new_.nodes()[j];
    if (const auto a = kept_copy(old_, i), b = kept_copy(new_, j);
        a != nullptr && b != nullptr && a->op == b->op && x.kind != y.kind) {
      drop_slot(next.slots, *a, true);
      drop_slot(next.slots, *b, false);
      for (unsigned k = 0; k < (is_wide_local(a->op) ? 2u : 1u); ++k) {
        relate(next.slots, a->index + k, b->index + k);
      }
      next.old_node = i + 2;
      next.new_node = j + 2;
    } else if (drops_value(x, y)) {
      drop_slot(next.slots, y, false);
      next.old_node = i + 1;
      next.new_node = j + 1;
    } else if (drops_value(y, x)) {
      drop_slot(next.slots, x, true);
      next.old_node = i + 1;
      next.new_node = j + 1;
    } else {
      return false;
    }
    push(std::move(next));
    return true;
  }

  // An accessor on one side, on the other its instruction (N14). `setter; pop`
  // is a store, `dup_x1; putfield` a setter; a synthetic constructor takes one
  // null more.
  bool through_accessor(const Item& item, bool of_old) {
    const BodyGraph& accessing = of_old ? old_ : new_;
    const BodyGraph& direct = of_old ? new_ : old_;
    std::uint32_t i = of_old ? item.old_node : item.new_node;
    std::uint32_t j = of_old ? item.new_node : item.old_node;
    const std::uint32_t first = i;
    if (accessing.nodes()[i].op == Opcode::k_aconst_null) ++i;
    if (i >= accessing.nodes().size() || !calls_accessor(accessing, i, first)) {
      return false;
    }
    const auto body = context_.accessor(
        of_old, accessing.cls().pool().member(accessing.nodes()[i].index));
    if (!body) return false;
    std::uint32_t after = i + 1;
    const BodyNode* does = &direct.nodes()[j];
    if (body->returns_what_it_stores) {
      if (does->kind == NodeKind::kField) {
        if (!drops(accessing, after)) return false;
        ++after;
      } else if (j + 1 < direct.nodes().size() &&
                 keeps_stored(does->op, body->op, body->ref.descriptor)) {
        does = &direct.nodes()[++j];
      }
    }
    const std::uint32_t begin = of_old ? item.new_node : item.old_node;
    if ((does->kind != NodeKind::kField && does->kind != NodeKind::kCall) ||
        accessing.entered_between(first, after - 1) ||
        direct.entered_between(begin, j) ||
        !context_.same_access(of_old, *body, does->op,
                              direct.cls().pool().member(does->index),
                              direct.cls().name())) {
      return false;
    }
    const BodyNode& call = accessing.nodes()[i];
    if (!same_handlers(item, of_old ? call : *does, of_old ? *does : call)) {
      return true;
    }
    result_.by_use.push_back(of_old ? call.pc : does->pc);
    Item next = item;
    next.label.clear();
    next.old_from = item.old_node;
    next.old_node = of_old ? after : j + 1;
    next.new_node = of_old ? j + 1 : after;
    push(std::move(next));
    return true;
  }

  // A comparison of floats decides NaN by its opcode: the branch behind it must
  // not be inverted.
  bool after_float_compare(std::uint32_t i, std::uint32_t j) const {
    return (i > 0 && compares_floats(old_.nodes()[i - 1].op)) ||
           (j > 0 && compares_floats(new_.nodes()[j - 1].op)) ||
           jumped_to(old_, i) || jumped_to(new_, j);
  }

  bool same_handlers(const Item& item, const BodyNode& x, const BodyNode& y) {
    const auto a = old_.handlers(x);
    const auto b = new_.handlers(y);
    bool same = a.size() == b.size();
    for (std::size_t k = 0; same && k < a.size(); ++k) {
      same = a[k].type.empty() == b[k].type.empty() &&
             renaming_.same_class(a[k].type, b[k].type);
    }
    if (!same) {
      diverge(item, describe(old_, item.old_node) + handlers_text(a),
              describe(new_, item.new_node) + handlers_text(b));
      return false;
    }
    for (std::size_t k = 0; k < a.size(); ++k) {
      push({a[k].target, b[k].target, item.slots, item.old_node,
            "exception " +
                (a[k].type.empty() ? "any" : std::string(a[k].type))});
    }
    return true;
  }

  void push_successors(const Item& item, const BodyNode& x, const BodyNode& y,
                       const Slots& after, bool swapped) {
    const std::uint32_t i = item.old_node;
    const std::uint32_t j = item.new_node;
    switch (x.kind) {
      case NodeKind::kBranch:
        push({x.target, swapped ? j + 1 : y.target, after, i, "T"});
        push({i + 1, swapped ? y.target : j + 1, after, i, "F"});
        return;
      case NodeKind::kJsr:
        push({x.target, y.target, after, i, "jsr"});
        push({i + 1, j + 1, {}, i, "ret"});
        return;
      case NodeKind::kSwitch:
        push_cases(item, x, y, after);
        return;
      default:
        if (x.falls_through) push({i + 1, j + 1, after, i, ""});
    }
  }

  void push_cases(const Item& item, const BodyNode& x, const BodyNode& y,
                  const Slots& after) {
    if (const auto named = named_.find({item.old_node, item.new_node});
        named != named_.end()) {
      push_named_cases(item, x, y, after, named->second);
      return;
    }
    const auto a = old_.cases(x);
    const auto b = new_.cases(y);
    std::size_t p = 0;
    std::size_t q = 0;
    const std::uint32_t i = item.old_node;
    while (p < a.size() || q < b.size()) {
      const bool take_old =
          q == b.size() || (p < a.size() && a[p].key <= b[q].key);
      const bool take_new =
          p == a.size() || (q < b.size() && b[q].key <= a[p].key);
      const std::int32_t key = take_old ? a[p].key : b[q].key;
      const std::uint32_t old_to = take_old ? a[p++].target : x.target;
      const std::uint32_t new_to = take_new ? b[q++].target : y.target;
      push({old_to, new_to, after, i, "case " + std::to_string(key)});
    }
    push({x.target, y.target, after, i, "default"});
  }

  using NamedCases = std::map<std::string, std::uint32_t>;

  void push_named_cases(const Item& item, const BodyNode& x, const BodyNode& y,
                        const Slots& after,
                        const std::pair<NamedCases, NamedCases>& named) {
    const auto& [olds, news] = named;
    auto to = [](const NamedCases& cases, const std::string& name,
                 std::uint32_t otherwise) {
      const auto at = cases.find(name);
      return at == cases.end() ? otherwise : at->second;
    };
    std::set<std::string> names;
    for (const auto& [name, target] : olds) names.insert(name);
    for (const auto& [name, target] : news) names.insert(name);
    for (const auto& name : names) {
      push({to(olds, name, x.target), to(news, name, y.target), after,
            item.old_node, "case " + name});
    }
    push({x.target, y.target, after, item.old_node, "default"});
  }

  ConstantCompare constants_;
  const ClassView& old_class_;
  const ClassView& new_class_;
  const Renaming& renaming_;
  BodyContext& context_;
  BodyGraph old_;
  BodyGraph new_;
  BodyResult result_;
  std::vector<Item> todo_;
  base::HashMap<std::uint64_t, std::uint32_t> states_;
  std::vector<Slots> state_slots_;
  base::HashSet<std::uint64_t> diverged_;
  bool by_position_only_ = true;
  std::vector<std::uint32_t> by_text_;  // pcs of old references
  // Enum switches whose cases are compared by constant name.
  std::map<std::pair<std::uint32_t, std::uint32_t>,
           std::pair<NamedCases, NamedCases>>
      named_;
};

}  // namespace

BodyResult compare_bodies(const ClassView& old_class,
                          const MemberView& old_method,
                          const ClassView& new_class,
                          const MemberView& new_method,
                          const Renaming& renaming, BodyContext& context,
                          std::uint32_t old_start, std::uint32_t new_start) {
  Comparison comparison(old_class, new_class, renaming, context);
  return comparison.run(old_method, new_method, old_start, new_start);
}

}  // namespace rejig::traversal
