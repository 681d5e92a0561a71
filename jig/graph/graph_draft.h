// SPDX-License-Identifier: Apache-2.0
// What has the builder seen so far? The growing graph. Code nodes and their
// edges come in order and are appended; all other nodes are found again by kind
// and label, and their edges are sorted by source at the end. Private to jig/.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "jig/graph/graph.h"
#include "jig/lookup/call_targets.h"
#include "jig/world/annotation_meaning.h"
#include "jig/world/world.h"

namespace rejig::jig {

class GraphBuilder {
 public:
  GraphBuilder(const World& world, const ClassHierarchy& hierarchy);

  // Named nodes; equal kind and label are the same node.
  NodeId node(NodeKind kind, std::string_view label);
  // The same by a member's name.
  NodeId member_node(NodeKind kind, Name owner, Name name, Name descriptor,
                     bool* added = nullptr);
  NodeId ecn() const { return 0; }
  void edge(NodeId from, NodeId to, EdgeKind kind, std::string_view label = {});

  // The entry of an internal method; the exits are the two nodes behind it.
  void declare_methods(const ClassNode& cls);
  NodeId entry_of(Name owner, Name name, Name descriptor);
  // Where a resolved method leads: entry, external entry, error, unknown.
  NodeId target_of(const MethodAnswer& answer);
  NodeId external(Name owner, Name name, Name descriptor);
  NodeId dispatch(const MethodAnswer& resolved, bool by_interface);
  NodeId class_node(Name name);
  // The same from code of `caller`: an error where that may not use it.
  NodeId class_use(Name name, Name caller, bool instantiates = false);
  NodeId init_node(Name name);
  // What a member reference leads to, from code of `caller`; `initializes`: in
  // <clinit> for static fields, <init> for others.
  NodeId reference(const classfile::MemberRef& ref, classfile::Opcode op,
                   Name caller, bool initializes, Name* initialized);
  Name qualified_name(Name name);

  // Code nodes, in order. Returned ids are provisional and only for edges.
  void begin_method(std::size_t row);
  NodeId code_node(NodeKind kind, std::uint32_t label);
  void code_edge(NodeId to, EdgeKind kind, std::string_view label = {});
  NodeId next_code_node() const {
    return kCode | static_cast<NodeId>(code_nodes_.size());
  }

  // Takes the edges of a node that is being made.
  using Sink =
      std::function<void(NodeId to, EdgeKind kind, std::string_view label)>;
  // What a loaded constant looks up. `seen`: bootstrap methods gone into.
  void constant_uses(const classfile::ClassView& cls, std::uint16_t index,
                     Name caller, std::string_view label,
                     std::vector<bool>& seen, const Sink& sink);
  void descriptor_types(std::string_view descriptor, Name caller,
                        EdgeKind kind, const Sink& sink);

  void read_class(const classfile::ClassView& cls);  // graph_code.cc
  void fill_dispatch();                              // graph_outside.cc
  void class_entries();
  void artefacts();
  void class_members(const classfile::ClassView& cls);
  void bootstrap(const classfile::ClassView& cls, std::uint16_t constant,
                 NodeId boot, bool is_site);
  void type_edges();  // graph_types.cc
  Jig finish();

  const World& world() const { return world_; }
  Symbols& symbols() { return *symbols_; }
  std::size_t row_of(Name owner, Name name, Name descriptor) const;

  static constexpr NodeId kCode = 0x80000000;

 private:
  struct Late {
    NodeId from;
    Jig::Edge edge;
  };
  struct DispatchKey {
    MethodAnswer resolved;
    bool by_interface;
    NodeId node;
  };
  // The hidden class of a LambdaMetafactory site.
  struct LambdaType {
    NodeId node = 0;
    std::vector<Name> interfaces;
    Name method;
    std::vector<Name> descriptors;
  };
  void dispatch_to(const DispatchKey& key, const LambdaType& type);
  NodeId error(LinkError error);
  bool may_write(const FieldAnswer& found, Name caller,
                 bool initializes) const;
  NodeId field_reference(const classfile::MemberRef& ref, classfile::Opcode op,
                         Name caller, bool initializes, Name* initialized);
  void handle_uses(const classfile::ClassView& cls, std::uint16_t index,
                   Name caller, std::string_view label, const Sink& sink);
  void shell_facets(const classfile::ClassView& cls, NodeId self,
                    NodeId shell);
  static Jig::Edge packed(NodeId to, EdgeKind kind, SymbolId label);

  const World& world_;
  AnnotationMeanings meanings_{world_};
  const ClassHierarchy& hierarchy_;
  void compact(Jig& graph) const;
  std::unique_ptr<Symbols> symbols_;
  std::vector<MethodRow> methods_;
  std::vector<MemberName> members_;
  base::HashMap<std::uint64_t, std::uint32_t> member_ids_;
  std::vector<NodeId> entries_;  // by method row
  base::HashMap<std::uint64_t, std::uint32_t> row_of_;  // by method symbol
  std::vector<Jig::Node> nodes_;
  base::HashMap<std::uint64_t, NodeId> ids_;
  std::vector<Late> late_;
  std::vector<Jig::Node> code_nodes_;
  std::vector<EdgeId> code_rows_;
  std::vector<Jig::Edge> code_edges_;
  std::vector<DispatchKey> dispatches_;
  std::vector<LambdaType> lambdas_;
  base::HashMap<Name, SymbolId> qualified_;
};

}  // namespace rejig::jig
