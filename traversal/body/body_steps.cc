// SPDX-License-Identifier: Apache-2.0
// The steps of the walk over two bodies: what stands for nothing, what stands
// for the same, and where a pair leads.
#include <algorithm>

#include "traversal/body/body_ops.h"
#include "traversal/body/body_shapes.h"
#include "traversal/body/body_walk.h"
#include "traversal/code/describe.h"

namespace rejig::traversal {

using classfile::Opcode;
using Kind = WayLabel::Kind;

// Equal tables, or tables whose readers are compared by constant name. The
// names are noted for the two switches; only this straight line leads there.
bool BodyWalk::same_switch_map(std::uint32_t i, std::uint32_t j) {
  const auto a = old_class_.pool().member(old_.nodes()[i].index);
  const auto b = new_class_.pool().member(new_.nodes()[j].index);
  const auto maps = context_.switch_maps(a, b);
  // Tables that nobody knows (R8 makes others) are fields as any other: what
  // fills them is compared where it stands.
  if (maps.of_old == nullptr && maps.of_new == nullptr) {
    return constants_.same_member(a, b);
  }
  if (maps.of_old == nullptr || maps.of_new == nullptr ||
      old_.nodes()[i].op != Opcode::k_getstatic) {
    return false;
  }
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

bool BodyWalk::is_switch_map(const BodyNode& x) const {
  return old_class_.pool().member(x.index).name.starts_with("$SwitchMap$");
}

// `int 5; istore 3` for a constant that javac keeps for debuggers (-g) and
// ecj for everybody. Stepped over on one side only; a later read of the slot
// finds no partner, so nothing has to be known about its uses. Forwards only:
// an endless loop of such stores is not nothing.
bool BodyWalk::skip_dead_store(const Item& item) {
  const std::uint32_t i = item.old_node;
  const std::uint32_t j = item.new_node;
  const bool of_old = stores_constant(old_, i);
  const bool of_new = stores_constant(new_, j);
  if (!of_old && !of_new) return false;
  if (kept_copy(old_, i + 1) != nullptr && kept_copy(new_, j + 1) != nullptr &&
      same_text(i, j)) {
    return false;
  }
  // One that goes through a local on one side only is no dead one.
  if (same_text(i, j) && copies_alone(i + 1, j + 1)) return false;
  // The same, or both are read somewhere: the constant is what differs.
  if (of_old && of_new &&
      (same_text(i, j) || (reads_slot(old_, old_.nodes()[i + 1].index) &&
                           reads_slot(new_, new_.nodes()[j + 1].index)))) {
    return false;
  }
  const bool step_old =
      of_old && (!of_new || !reads_slot(old_, old_.nodes()[i + 1].index));
  Item next = item;
  next.label = {};
  next.old_from = i;
  if (step_old) {
    next.old_node = old_.settle(i + 2);
    if (next.old_node == BodyGraph::kNowhere || next.old_node <= i) {
      return false;
    }
    next.slots = slots_.dropped(next.slots, old_.nodes()[i + 1], true);
  } else {
    next.new_node = new_.settle(j + 2);
    if (next.new_node == BodyGraph::kNowhere || next.new_node <= j) {
      return false;
    }
    next.slots = slots_.dropped(next.slots, new_.nodes()[j + 1], false);
  }
  push(std::move(next));
  return true;
}

// On one side a value goes through a local, and nobody else reads that: scalac
// up to 2.12.15 returns what a match is worth this way.
bool BodyWalk::copies_alone(std::uint32_t i, std::uint32_t j) const {
  const auto dups = [](const BodyGraph& body, std::uint32_t at) {
    const auto nodes = body.nodes();
    if (at + 1 >= nodes.size()) return at >= nodes.size();
    return (nodes[at].op == Opcode::k_dup || nodes[at].op == Opcode::k_dup2) &&
           nodes[at + 1].kind == NodeKind::kLocal && is_store(nodes[at + 1].op);
  };
  if (dups(old_, i) || dups(new_, j)) return false;
  // A copy on the way back is one, too, though nobody may step over it.
  const bool of_old = load_of_stored(old_, i) != BodyGraph::kNowhere;
  const bool of_new = load_of_stored(new_, j) != BodyGraph::kNowhere;
  return of_old != of_new && (of_old ? behind_copy(old_, i)
                                     : behind_copy(new_, j)) !=
                                 BodyGraph::kNowhere;
}

// Steps over it. The slot holds what another one holds, if the value was loaded
// from there just now; else it is dropped, so that a read of it diverges.
bool BodyWalk::skip_copy(const Item& item) {
  const std::uint32_t i = item.old_node;
  const std::uint32_t j = item.new_node;
  if (!copies_alone(i, j)) return false;
  const bool of_old = behind_copy(old_, i) != BodyGraph::kNowhere;
  const BodyGraph& body = of_old ? old_ : new_;
  const std::uint32_t at = of_old ? i : j;
  const BodyNode& store = body.nodes()[at];
  const BodyNode* load = at == 0 ? nullptr : &body.nodes()[at - 1];
  if (load != nullptr &&
      (load->kind != NodeKind::kLocal || load->index == store.index ||
       static_cast<unsigned>(load->op) + kLoadToStore !=
           static_cast<unsigned>(store.op) ||
       body.entered_between(at - 1, at))) {
    load = nullptr;
  }
  Item next = item;
  next.label = {};
  next.old_from = i;
  next.slots = load == nullptr ? slots_.dropped(item.slots, store, of_old)
                               : slots_.copied(item.slots, *load, store, of_old);
  (of_old ? next.old_node : next.new_node) = behind_copy(body, at);
  push(std::move(next));
  return true;
}

// A branch on a constant is a jump, and scalac from 2.12.16 on writes it as one.
bool BodyWalk::skip_known_branch(const Item& item) {
  std::vector<const BodyNode*> olds;
  std::vector<const BodyNode*> news;
  const auto a = way_of_constant(old_, item.old_node, olds);
  const auto b = way_of_constant(new_, item.new_node, news);
  const bool of_old = a != BodyGraph::kNowhere;
  const bool of_new = b != BodyGraph::kNowhere;
  if (!of_old && !of_new) return false;
  Item next = item;
  next.label = {};
  next.old_from = item.old_node;
  if (of_old && of_new && same_text(item.old_node, item.new_node)) {
    if (olds.size() != news.size()) return false;
    for (std::size_t k = 0; k < olds.size(); ++k) {
      next.slots =
          slots_.stored(next.slots, olds[k]->index, news[k]->index, 1);
    }
    next.old_node = a;
    next.new_node = b;
  } else {
    for (const BodyNode* store : of_old ? olds : news) {
      next.slots = slots_.dropped(next.slots, *store, of_old);
    }
    (of_old ? next.old_node : next.new_node) = of_old ? a : b;
  }
  push(std::move(next));
  return true;
}

// A return throws when the method holds a monitor that it should not, and does
// not hold one that it took.
bool BodyWalk::takes_monitors(const BodyGraph& body) {
  return std::any_of(body.nodes().begin(), body.nodes().end(),
                     [](const BodyNode& node) {
                       return node.op == Opcode::k_monitorenter ||
                              node.op == Opcode::k_monitorexit;
                     });
}

// `store s; load s` and `dup; store t`; `pop` and a store that nobody reads.
// A slot that only one side writes is dropped: a later read diverges.
bool BodyWalk::other_stack_shape(const Item& item) {
  const std::uint32_t i = item.old_node;
  const std::uint32_t j = item.new_node;
  Item next = item;
  next.label = {};
  next.old_from = i;
  const BodyNode& x = old_.nodes()[i];
  const BodyNode& y = new_.nodes()[j];
  if (const auto a = kept_copy(old_, i), b = kept_copy(new_, j);
      a != nullptr && b != nullptr && a->op == b->op && x.kind != y.kind) {
    next.slots = slots_.stored(next.slots, a->index, b->index,
                               is_wide_local(a->op) ? 2 : 1);
    next.old_node = i + 2;
    next.new_node = j + 2;
  } else if (drops_value(x, y)) {
    next.slots = slots_.dropped(next.slots, y, false);
    next.old_node = i + 1;
    next.new_node = j + 1;
  } else if (drops_value(y, x)) {
    next.slots = slots_.dropped(next.slots, x, true);
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
bool BodyWalk::through_accessor(const Item& item, bool of_old) {
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
  push_handlers(item, of_old ? call : *does, of_old ? *does : call);
  result_.by_use.push_back(of_old ? call.pc : does->pc);
  Item next = item;
  next.label = {};
  next.old_from = item.old_node;
  next.old_node = of_old ? after : j + 1;
  next.new_node = of_old ? j + 1 : after;
  push(std::move(next));
  return true;
}

// A comparison of floats decides NaN by its opcode: the branch behind it must
// not be inverted.
bool BodyWalk::after_float_compare(std::uint32_t i, std::uint32_t j) const {
  return (i > 0 && compares_floats(old_.nodes()[i - 1].op)) ||
         (j > 0 && compares_floats(new_.nodes()[j - 1].op)) ||
         jumped_to(old_, i) || jumped_to(new_, j);
}

// Handlers that both have, in order; from the first that differs on, whatever is
// thrown there goes another way.
void BodyWalk::push_handlers(const Item& item, const BodyNode& x,
                             const BodyNode& y) {
  const auto a = old_.handlers(x);
  const auto b = new_.handlers(y);
  std::size_t k = 0;
  for (; k < a.size() && k < b.size() &&
         a[k].type.empty() == b[k].type.empty() &&
         renaming_.same_class(a[k].type, b[k].type);
       ++k) {
    Item next = to(a[k].target, b[k].target, item.slots, item.old_node,
                   {Kind::kException, 0, a[k].type});
    next.to_handler = true;
    next.handler_pc = old_.nodes()[a[k].target].pc;
    push(std::move(next));
  }
  if (k == a.size() && k == b.size()) return;
  // A key of its own: the pair itself is one that the bodies share.
  const auto place = divergence(pair_of(item) | kThrown, item, [&] {
    return std::pair(describe(old_, item.old_node) + handlers_text(a),
                     describe(new_, item.new_node) + handlers_text(b));
  });
  if (place == kNoPlace) return;
  result_.divergences[place].label = "exception";
  for (std::size_t rest = k; rest < a.size(); ++rest) {
    ways_[place].push_back({EdgeName::Kind::kHandler,
                            old_.nodes()[a[rest].target].pc, 0});
  }
  const bool caught = !a.empty() && a.back().type.empty();
  if (!caught) ways_[place].push_back({});
}

void BodyWalk::push_successors(const Item& item, const BodyNode& x,
                               const BodyNode& y, std::uint32_t after,
                               bool swapped) {
  const std::uint32_t i = item.old_node;
  const std::uint32_t j = item.new_node;
  switch (x.kind) {
    case NodeKind::kBranch:
      push(to(x.target, swapped ? j + 1 : y.target, after, i, {Kind::kTrue, 0, {}}));
      push(to(i + 1, swapped ? y.target : j + 1, after, i, {Kind::kFalse, 0, {}}));
      return;
    case NodeKind::kJsr:
      push(to(x.target, y.target, after, i, {Kind::kJsr, 0, {}}));
      push(to(i + 1, j + 1, slots_.add({}), i, {Kind::kRet, 0, {}}));
      return;
    case NodeKind::kSwitch:
      push_cases(item, x, y, after);
      return;
    default:
      if (x.falls_through) push(to(i + 1, j + 1, after, i, {}));
  }
}

void BodyWalk::push_cases(const Item& item, const BodyNode& x,
                          const BodyNode& y, std::uint32_t after) {
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
    push(to(old_to, new_to, after, i, {Kind::kCase, key, {}}));
  }
  push(to(x.target, y.target, after, i, {Kind::kDefault, 0, {}}));
}

void BodyWalk::push_named_cases(
    const Item& item, const BodyNode& x, const BodyNode& y, std::uint32_t after,
    const std::pair<NamedCases, NamedCases>& named) {
  const auto& [olds, news] = named;
  const auto target_of = [](const NamedCases& cases, std::string_view name,
                            std::uint32_t otherwise) {
    const auto at = cases.find(std::string(name));
    return at == cases.end() ? otherwise : at->second;
  };
  // The names are those of named_, which stay.
  std::set<std::string_view> names;
  for (const auto& [name, target] : olds) names.insert(name);
  for (const auto& [name, target] : news) names.insert(name);
  for (const auto name : names) {
    push(to(target_of(olds, name, x.target), target_of(news, name, y.target),
            after, item.old_node, {Kind::kNamedCase, 0, name}));
  }
  push(to(x.target, y.target, after, item.old_node, {Kind::kDefault, 0, {}}));
}

BodyWalk::Item BodyWalk::to(std::uint32_t old_node, std::uint32_t new_node,
                            std::uint32_t slots, std::uint32_t from,
                            WayLabel label) {
  Item out;
  out.old_node = old_node;
  out.new_node = new_node;
  out.slots = slots;
  out.old_from = from;
  out.label = label;
  return out;
}

}  // namespace rejig::traversal
