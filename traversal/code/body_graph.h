// SPDX-License-Identifier: Apache-2.0
// What does one method body look like to the comparison? A view of its part of
// the graph (jig/graph/method_graph.h), which read the bytecode: a node for each
// step with encodings folded away (iconst/bipush/sipush/ldc of one int are the
// same node, iload_1 is iload of slot 1, goto and nop are transparent), and for
// every node that can throw the ordered list of handlers that cover it
// (semantics §2.2-2.4), each type once. Rewrites (splice, sort_captures,
// fold_concats) change the view, never the part. Borrows the class's bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "jig/graph/method_graph.h"

namespace rejig::traversal {

enum class NodeKind : std::uint8_t {
  kPlain,      // op says it all
  kIntConst,   // value
  kLongConst,  // bits
  kFloatConst,
  kDoubleConst,
  kPoolConst,  // ldc of anything else: index
  kLocal,      // load, store, ret: op (folded), slot
  kIncrement,  // slot, value
  kField,      // index
  kCall,       // index
  kDynamic,    // invokedynamic: index
  kType,       // new, anewarray, checkcast, instanceof, multianewarray: index
  kPush,       // newarray: value
  kBranch,     // conditional: target
  kGoto,       // transparent
  kNop,        // transparent
  kJsr,        // target
  kSwitch,     // cases
  kStringOf,   // String.valueOf(Object), written as append(Object)
  kConcat,     // a string concatenation: recipe
};

struct BodyNode {
  std::uint32_t pc = 0;
  NodeKind kind = NodeKind::kPlain;
  classfile::Opcode op = classfile::Opcode{};
  bool throws = false;
  bool falls_through = true;
  std::uint16_t index = 0;   // pool index, or slot
  std::int32_t value = 0;
  std::uint64_t bits = 0;
  std::uint32_t target = 0;  // node
  std::uint32_t cases_begin = 0;  // switches: range in BodyGraph::cases
  std::uint32_t cases_end = 0;
  std::uint32_t handlers = 0;     // index of a list in BodyGraph
};

struct SwitchCase {
  std::int32_t key = 0;
  std::uint32_t target = 0;  // node
};

struct HandlerEdge {
  std::string_view type;     // empty: any
  std::uint32_t target = 0;  // node
};

class BodyGraph {
 public:
  // False when the body is beyond what the comparison takes on (it is then
  // treated as different).
  bool build(const classfile::ClassView& cls, const classfile::CodeView& code);
  // Fills in the handlers of every node; needed before handlers() is asked.
  bool build_handlers();
  // A constructor may store what it captured in any order before it calls
  // another one: nobody has seen `this` yet. Sorts these stores by field.
  void sort_captures();
  // Nodes in front of this one stand at other pcs than their instructions.
  std::uint32_t first_in_place() const { return first_in_place_; }
  // Puts straight-line code of the same class in the place of one node: same
  // pc, same handlers. Before build_handlers().
  void splice(std::uint32_t at, std::span<const BodyNode> code);

  // Gives string concatenation one form (body_concat.cc). After
  // build_handlers().
  void fold_concats();

  const classfile::ClassView& cls() const { return part_.cls(); }
  // As the class file has it.
  const jig::MethodGraph& part() const { return part_; }
  std::span<const BodyNode> nodes() const { return nodes_; }
  std::span<const SwitchCase> cases(const BodyNode& node) const {
    return std::span(cases_).subspan(node.cases_begin,
                                     node.cases_end - node.cases_begin);
  }
  std::span<const HandlerEdge> handlers(const BodyNode& node) const {
    return handler_lists_[node.handlers];
  }
  // The first node at or behind a pc.
  std::uint32_t node_at(std::uint32_t pc) const;
  // Skips goto and nop; kNowhere on an empty loop.
  std::uint32_t settle(std::uint32_t node) const;
  std::uint16_t line_of(std::uint32_t pc) const;
  const std::string& recipe(const BodyNode& concat) const {
    return recipes_[static_cast<std::size_t>(concat.value)];
  }
  // A jump or a handler leads behind `first`, up to `last`.
  bool entered_between(std::uint32_t first, std::uint32_t last) const;

  static constexpr std::uint32_t kNowhere = 0xffffffff;

 private:
  jig::MethodGraph part_;
  std::vector<BodyNode> nodes_;
  std::vector<SwitchCase> cases_;
  std::vector<std::vector<HandlerEdge>> handler_lists_;
  mutable std::optional<std::vector<classfile::LineEntry>> lines_;
  std::vector<std::string> recipes_;
  std::uint32_t first_in_place_ = 0;
};

}  // namespace rejig::traversal
