// SPDX-License-Identifier: Apache-2.0
// The stores of captured variables at the head of a constructor (this$0,
// val$x): javac 25 writes them in another order than javac 17. Before super()
// nobody can see `this`, a store to a field of the class itself cannot fail
// there, and the values are arguments, so that stores to different fields may
// change places.
#include <algorithm>
#include <set>

#include "traversal/code/body_graph.h"

namespace rejig::traversal {

using classfile::Opcode;

namespace {

constexpr std::size_t kStore = 3;  // aload_0, load, putfield

bool is_load(const BodyNode& node) {
  return node.kind == NodeKind::kLocal && node.op >= Opcode::k_iload &&
         node.op <= Opcode::k_aload;
}

}  // namespace

void BodyGraph::sort_captures() {
  std::vector<std::string_view> fields;
  std::set<std::string_view> distinct;
  for (std::size_t i = 0; i + kStore <= nodes_.size(); i += kStore) {
    const BodyNode& put = nodes_[i + 2];
    if (!is_load(nodes_[i]) || nodes_[i].op != Opcode::k_aload ||
        nodes_[i].index != 0 || !is_load(nodes_[i + 1]) ||
        put.op != Opcode::k_putfield) {
      break;
    }
    const auto ref = cls().pool().member(put.index);
    const auto declared = cls().fields();
    const bool own =
        ref.owner == cls().name() &&
        std::any_of(declared.begin(), declared.end(), [&](const auto& field) {
          return field.name == ref.name && field.descriptor == ref.descriptor &&
                 field.is(classfile::kAccSynthetic) &&
                 !field.is(classfile::kAccStatic);
        });
    if (!own || !distinct.insert(ref.name).second) break;
    fields.push_back(ref.name);
  }
  const std::size_t end = fields.size() * kStore;
  if (fields.size() < 2) return;
  // A jump back to the head comes from behind a call of another constructor.
  for (const BodyNode& node : nodes_) {
    const bool jumps =
        node.kind == NodeKind::kBranch || node.kind == NodeKind::kGoto ||
        node.kind == NodeKind::kJsr || node.kind == NodeKind::kSwitch;
    if (jumps && node.target < end) return;
  }
  for (const SwitchCase& one : cases_) {
    if (one.target < end) return;
  }
  first_in_place_ = static_cast<std::uint32_t>(end);
  std::vector<std::size_t> order(fields.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return fields[a] < fields[b];
  });
  const std::vector<BodyNode> before(
      nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t part = 0; part < kStore; ++part) {
      BodyNode& node = nodes_[k * kStore + part];
      const std::uint32_t pc = node.pc;  // nodes stay in the order of pcs
      node = before[order[k] * kStore + part];
      node.pc = pc;
    }
  }
}

}  // namespace rejig::traversal
