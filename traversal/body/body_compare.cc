// SPDX-License-Identifier: Apache-2.0
// Vertices are pairs (old node, new node); an edge of both bodies with the same
// label leads from pair to pair. A pair is visited with the relation E of local
// slots known to hold equal values there; meeting a pair again intersects E, so
// the walk ends: E only shrinks. Cost: pairs × changes of E; bodies that are
// equal line by line have as many pairs as instructions.
// Safe: every instruction an execution can reach is in a visited pair, with
// equal text and slots proven equal, or behind a recorded divergence. Where only
// the handlers of a pair part, the walk goes on along what does not throw.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "traversal/body/body_bytes.h"
#include "traversal/body/body_ops.h"
#include "traversal/body/body_shapes.h"
#include "traversal/body/body_walk.h"
#include "traversal/code/describe.h"
#include "traversal/code/enum_values.h"
#include "traversal/same/alike.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::MemberView;
using classfile::Opcode;

namespace {

WalkMemory::Item entry() {
  WalkMemory::Item out;
  out.label.kind = WayLabel::Kind::kEntry;
  return out;
}

}  // namespace

BodyResult BodyWalk::run(const MemberView& old_method,
                         const MemberView& new_method,
                         std::uint32_t old_start, std::uint32_t new_start) {
  const auto old_code = CodeView::of(old_class_, old_method);
  const auto new_code = CodeView::of(new_class_, new_method);
  if (old_code && new_code && old_start == new_start &&
      SameBytes{old_class_,      new_class_,
                renaming_,       constants_,
                result_.lambdas, context_.pool_pairs(old_class_, new_class_),
                context_}
          .bodies(*old_code, *new_code, old_start)) {
    result_.same_pcs = true;
    return std::move(result_);
  }
  result_ = {};
  if (!old_code || !new_code || !old_.build(old_class_, *old_code) ||
      !new_.build(new_class_, *new_code)) {
    diverge(entry(), "body", "body that cannot be compared");
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
    finish();
    return std::move(result_);
  }
  by_position_only_ = false;
  result_ = {};
  if (!old_.build_handlers() || !new_.build_handlers()) {
    diverge(entry(), "handlers", "handlers that cannot be compared");
    return std::move(result_);
  }
  old_.fold_concats();
  new_.fold_concats();
  old_names_edges_ = true;
  calm_returns_ = !old_method.is(classfile::kAccSynchronized) &&
                  !new_method.is(classfile::kAccSynchronized) &&
                  !takes_monitors(old_) && !takes_monitors(new_);
  Item first = entry();
  first.old_node = first.old_from = old_first;
  first.new_node = new_first;
  first.slots = slots_.add(slots);
  push(first);
  while (!todo_.empty()) {
    const Item item = todo_.back();
    todo_.pop_back();
    visit(item);
  }
  finish();
  return std::move(result_);
}

void BodyWalk::finish() {
  auto& all = result_.divergences;
  for (std::size_t i = 0; i < all.size() && !whole_method_; ++i) {
    for (const EdgeName& way : ways_[i]) all[i].edges.push_back(way.text());
    std::sort(all[i].edges.begin(), all[i].edges.end());
    all[i].edges.erase(
        std::unique(all[i].edges.begin(), all[i].edges.end()),
        all[i].edges.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Divergence& a, const Divergence& b) {
              return std::tie(a.old_pc, a.new_pc, a.label) <
                     std::tie(b.old_pc, b.new_pc, b.label);
            });
  const auto settle = [](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  settle(result_.lambdas);
  settle(result_.met);
  settle(result_.by_use);
  settle(by_text_);
  std::erase_if(result_.by_use, [&](std::uint32_t pc) {
    return std::binary_search(by_text_.begin(), by_text_.end(), pc);
  });
}

// Instruction by instruction the same, with the same targets and slots (and
// handler tables): the common case, without any relation.
bool BodyWalk::linear(std::uint32_t old_first, std::uint32_t new_first) {
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
    note_met(i, i);
  }
  return true;
}

void BodyWalk::push(Item item) {
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
  todo_.push_back(item);
}

std::uint32_t BodyWalk::divergence(std::uint64_t key, const Item& item,
                                   const Texts& texts) {
  result_.equal = false;
  if (const auto* known = diverged_.find(key)) return *known;
  if (result_.divergences.size() >= kMostDivergences) {
    whole_method_ = true;
    return kNoPlace;
  }
  const auto place = static_cast<std::uint32_t>(result_.divergences.size());
  diverged_.try_emplace(key, place);
  ways_.emplace_back();
  Divergence d;
  d.label = item.label.text();
  if (item.old_node < old_.nodes().size()) {
    d.old_pc = old_.nodes()[item.old_node].pc;
    d.old_line = old_.line_of(d.old_pc);
  }
  if (item.new_node < new_.nodes().size()) {
    d.new_pc = new_.nodes()[item.new_node].pc;
    d.new_line = new_.line_of(d.new_pc);
  }
  std::tie(d.old_text, d.new_text) = texts();
  if (d.old_text == d.new_text) {
    tell_apart(old_, item.old_node, new_, item.new_node, d.old_text,
               d.new_text);
  }
  result_.divergences.push_back(std::move(d));
  return place;
}

void BodyWalk::diverge(const Item& item, std::string old_text,
                       std::string new_text) {
  const auto place = divergence(pair_of(item), item, [&] {
    return std::pair(std::move(old_text), std::move(new_text));
  });
  if (place != kNoPlace) note_way(item, place);
}

// The edge that leads to where the bodies part, or what stands for it.
void BodyWalk::note_way(const Item& item, std::uint32_t place) {
  auto& ways = ways_[place];
  if (item.to_handler) {
    ways.push_back({EdgeName::Kind::kHandler, item.handler_pc, 0});
    return;
  }
  if (whole_method_) return;
  if (!edges_ && old_names_edges_) edges_.emplace(old_.part());
  const bool known = edges_ && item.label.kind != WayLabel::Kind::kEntry &&
                     item.old_from < old_.nodes().size() &&
                     edges_->leaving(old_.nodes()[item.old_from].pc,
                                     item.label, ways);
  if (!known) whole_method_ = true;
}

void BodyWalk::note_met(std::uint32_t i, std::uint32_t j) {
  const BodyNode& x = old_.nodes()[i];
  const BodyNode& y = new_.nodes()[j];
  if (x.kind != y.kind || i < old_.first_in_place() ||
      j < new_.first_in_place()) {
    return;
  }
  switch (x.kind) {
    case NodeKind::kField:
    case NodeKind::kCall:
    case NodeKind::kDynamic:
    case NodeKind::kType:
      break;
    case NodeKind::kPoolConst:
      if (!x.throws) return;
      break;
    default:
      return;
  }
  result_.met.emplace_back(x.pc, y.pc);
}

bool BodyWalk::same_call(const BodyNode& x, const BodyNode& y) {
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

bool BodyWalk::same_text(std::uint32_t i, std::uint32_t j) {
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
      if (is_switch_map(x)) return same_switch_map(i, j);
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

void BodyWalk::visit(const Item& arrived) {
  const std::uint64_t key = pair_of(arrived);
  if (const auto* place = diverged_.find(key)) note_way(arrived, *place);
  Item item = arrived;
  auto [known, added] = states_.try_emplace(key, item.slots);
  if (!added) {
    const std::uint32_t both = slots_.common(*known, item.slots);
    if (both == *known) return;
    *known = item.slots = both;
  }
  const std::uint32_t i = item.old_node;
  const std::uint32_t j = item.new_node;
  const BodyNode& x = old_.nodes()[i];
  const BodyNode& y = new_.nodes()[j];

  if (skip_known_branch(item) || skip_dead_store(item) ||
      other_stack_shape(item) || skip_copy(item) ||
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
  note_met(i, j);

  std::uint32_t after = item.slots;
  if (x.kind == NodeKind::kLocal || x.kind == NodeKind::kIncrement) {
    const bool writes = x.kind == NodeKind::kIncrement || is_store(x.op);
    const bool reads = x.kind == NodeKind::kIncrement || !is_store(x.op);
    const Slots& slots = slots_[after];
    if (reads && !std::binary_search(slots.begin(), slots.end(),
                                     slot_pair(x.index, y.index))) {
      diverge(item, describe(old_, i), describe(new_, j));
      return;
    }
    if (writes) {
      after = slots_.stored(after, x.index, y.index,
                            is_wide_local(x.op) ? 2 : 1);
    }
  }

  if (x.throws && !(calm_returns_ && jig::is_return(x.op))) {
    push_handlers(item, x, y);
  }
  push_successors(item, x, y, after, swapped);
}

namespace {

// Walks nest: of an accessor inside of its caller's.
class Borrowed {
 public:
  Borrowed() {
    if (free_.empty()) {
      memory_ = std::make_unique<WalkMemory>();
    } else {
      memory_ = std::move(free_.back());
      free_.pop_back();
    }
  }
  ~Borrowed() { free_.push_back(std::move(memory_)); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  WalkMemory& operator*() const { return *memory_; }

 private:
  static thread_local std::vector<std::unique_ptr<WalkMemory>> free_;
  std::unique_ptr<WalkMemory> memory_;
};

thread_local std::vector<std::unique_ptr<WalkMemory>> Borrowed::free_;

}  // namespace

bool same_operands(const ClassView& old_class, const MemberView& old_method,
                   const ClassView& new_class, const MemberView& new_method,
                   const Renaming& renaming, BodyContext& context,
                   std::span<const OperandPlace> places, BodyResult& result) {
  const auto a = CodeView::of(old_class, old_method);
  const auto b = CodeView::of(new_class, new_method);
  if (!a || !b) return false;
  ConstantCompare constants(old_class, new_class, renaming);
  SameBytes same{old_class, new_class,      renaming,
                 constants, result.lambdas, nullptr, context};
  for (const OperandPlace& place : places) {
    if (!same.operands_at(*a, *b, place.pc)) return false;
  }
  result.same_pcs = true;
  return true;
}

BodyResult compare_bodies(const ClassView& old_class,
                          const MemberView& old_method,
                          const ClassView& new_class,
                          const MemberView& new_method,
                          const Renaming& renaming, BodyContext& context,
                          std::uint32_t old_start, std::uint32_t new_start) {
  const Borrowed memory;
  BodyWalk walk(old_class, new_class, renaming, context, *memory);
  return walk.run(old_method, new_method, old_start, new_start);
}

}  // namespace rejig::traversal
