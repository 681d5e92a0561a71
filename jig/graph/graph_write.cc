// SPDX-License-Identifier: Apache-2.0
#include "jig/graph/graph_write.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/dynamic_property_map.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/vector_property_map.hpp>
#include <sstream>

#include "classfile/dump/dump_json.h"
#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "jig/graph/graph_model.h"

namespace rejig::jig {

namespace {

// "invokevirtual a.b.C.m()V"
std::string instruction_text(const classfile::ClassView& cls,
                             const classfile::Instruction& ins) {
  using classfile::OperandKind;
  using classfile::Tag;
  const auto& pool = cls.pool();
  std::string out(classfile::mnemonic(ins.op));
  auto add = [&](std::string_view text) {
    out += ' ';
    out += text;
  };
  switch (classfile::operand_kind(ins.op)) {
    case OperandKind::k_field:
    case OperandKind::k_call:
    case OperandKind::k_interface_call: {
      const auto ref = pool.member(ins.index);
      add(classfile::dotted(ref.owner) + '.' + std::string(ref.name) +
          (ref.field ? ":" : "") + std::string(ref.descriptor));
      break;
    }
    case OperandKind::k_dynamic_call: {
      const auto site = pool.dynamic(ins.index);
      add(std::string(site.name) + std::string(site.descriptor));
      break;
    }
    case OperandKind::k_type:
    case OperandKind::k_dims:
      add(classfile::dotted(pool.text(ins.index)));
      break;
    case OperandKind::k_ldc:
    case OperandKind::k_ldc_w:
      switch (pool.tag(ins.index)) {
        case Tag::kInteger:
          add(std::to_string(pool.int_value(ins.index)));
          break;
        case Tag::kLong:
          add(std::to_string(pool.long_value(ins.index)));
          break;
        case Tag::kFloat:
          out += " bits ";
          classfile::append_hex(out, pool.float_bits(ins.index), 8);
          break;
        case Tag::kDouble:
          out += " bits ";
          classfile::append_hex(out, pool.double_bits(ins.index), 16);
          break;
        case Tag::kString:
          add("\"" + std::string(pool.text(ins.index)) + "\"");
          break;
        default:
          add(classfile::dotted(pool.text(ins.index)));
      }
      break;
    case OperandKind::k_byte:
    case OperandKind::k_short:
    case OperandKind::k_primitive:
      add(std::to_string(ins.value));
      break;
    case OperandKind::k_slot:
      add(std::to_string(ins.index));
      break;
    case OperandKind::k_iinc:
      add(std::to_string(ins.index) + " " + std::to_string(ins.value));
      break;
    default:
      break;
  }
  return out;
}

// Does a run end with this instruction, whatever comes behind (graph_code.cc)?
bool ends_run(classfile::Opcode op) {
  using classfile::OperandKind;
  switch (classfile::operand_kind(op)) {
    case OperandKind::k_field:
    case OperandKind::k_call:
    case OperandKind::k_interface_call:
    case OperandKind::k_dynamic_call:
    case OperandKind::k_type:
    case OperandKind::k_dims:
    case OperandKind::k_branch:
    case OperandKind::k_branch_w:
    case OperandKind::k_tableswitch:
    case OperandKind::k_lookupswitch:
      return true;
    default:
      return op == classfile::Opcode::k_athrow ||
             (op >= classfile::Opcode::k_ireturn &&
              op <= classfile::Opcode::k_return);
  }
}

struct InstructionLine {
  std::uint32_t pc = 0;
  bool last = false;  // of its run
  std::string text;
};

std::string json_text(std::string_view text) {
  std::string out;
  classfile::append_quoted(out, text);
  return out;
}

}  // namespace

std::vector<NodeId> slice_around(const Jig& graph, std::string_view name) {
  std::vector<bool> kept(graph.nodes(), false);
  std::vector<NodeId> keep;
  auto take = [&](NodeId n) {
    if (!kept[n]) keep.push_back(n);
    kept[n] = true;
  };
  std::string method_text;
  const MethodRow* last = nullptr;
  bool last_wanted = false;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const MethodRow* row = graph.method(n);
    if (row == nullptr) continue;
    if (row != last) {
      last = row;
      const auto& symbols = graph.symbols();
      const auto owner = classfile::dotted(symbols.text(row->owner));
      method_text = owner + '.' + std::string(symbols.text(row->name));
      last_wanted =
          name == owner || name == method_text ||
          name == method_text + std::string(symbols.text(row->descriptor));
    }
    if (last_wanted) take(n);
  }
  const std::size_t own = keep.size();
  for (std::size_t i = 0; i < own; ++i) {
    const NodeId n = keep[i];
    for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
      take(graph.target(e));
    }
    if (graph.kind(n) != NodeKind::kEntry) continue;
    for (const EdgeId e : graph.in_edges(n)) take(graph.source(e));
  }
  const std::size_t near = keep.size();
  for (std::size_t i = own; i < near; ++i) {
    const NodeId n = keep[i];
    const NodeKind kind = graph.kind(n);
    if (kind == NodeKind::kDispatch || kind == NodeKind::kInit ||
        kind == NodeKind::kExternalEntry || kind == NodeKind::kBoot) {
      for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
        take(graph.target(e));
      }
    } else if (kind == NodeKind::kClassEntry || kind == NodeKind::kMagic ||
               kind == NodeKind::kTest || kind == NodeKind::kFixture) {
      // Of the class that was asked for, everything that it can be entered by.
      const bool asked = kind == NodeKind::kClassEntry && graph.label(n) == name;
      for (EdgeId e = graph.out_begin(n); e != graph.out_end(n); ++e) {
        if (asked) take(graph.target(e));
        if (graph.kind(graph.target(e)) == NodeKind::kDefault) {
          take(graph.target(e));
        }
      }
      for (const EdgeId e : graph.in_edges(n)) take(graph.source(e));
    }
  }
  std::sort(keep.begin(), keep.end());
  return keep;
}

GraphFigures figures_of(const Jig& graph) {
  GraphFigures out;
  std::vector<std::size_t> nodes(kNodeKinds, 0);
  std::vector<std::size_t> edge_counts(kEdgeKinds, 0);
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    ++nodes[static_cast<std::size_t>(graph.kind(n))];
  }
  for (EdgeId e = 0; e < graph.edges(); ++e) {
    ++edge_counts[static_cast<std::size_t>(graph.edge_kind(e))];
  }
  for (std::size_t i = 0; i < kNodeKinds; ++i) {
    out.nodes.emplace_back(name_of(static_cast<NodeKind>(i)), nodes[i]);
  }
  for (std::size_t i = 0; i < kEdgeKinds; ++i) {
    out.edges.emplace_back(name_of(static_cast<EdgeKind>(i)), edge_counts[i]);
  }
  const auto index = get(boost::vertex_index, graph);
  boost::two_bit_color_map<decltype(index)> color(graph.nodes(), index);
  struct Count : boost::default_bfs_visitor {
    explicit Count(std::size_t* counter) : count(counter) {}
    void discover_vertex(NodeId, const Jig&) const { ++*count; }
    std::size_t* count;
  };
  boost::breadth_first_search(graph, NodeId{0},
                              boost::color_map(color)
                                  .vertex_index_map(index)
                                  .visitor(Count(&out.reached_from_outside)));
  std::vector<NodeId> component(graph.nodes());
  out.strong_components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), index));
  std::vector<std::size_t> sizes(out.strong_components, 0);
  for (const NodeId c : component) ++sizes[c];
  if (!sizes.empty()) {
    out.largest_component = *std::max_element(sizes.begin(), sizes.end());
  }
  return out;
}

std::vector<NodeId> immediate_dominators(const Jig& graph) {
  // Inside methods only.
  const auto inside = [&graph](const EdgeDescriptor& e) {
    const MethodRow* from = graph.method(e.from);
    return from != nullptr && from == graph.method(graph.target(e.id));
  };
  std::vector<NodeId> out(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) out[n] = n;
  const std::function<bool(const EdgeDescriptor&)> predicate = inside;
  const boost::filtered_graph<Jig, std::function<bool(const EdgeDescriptor&)>>
      methods(graph, predicate);
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (graph.kind(n) != NodeKind::kEntry) continue;
    std::vector<NodeId> idom(graph.nodes(), JigTraits::null_vertex());
    boost::lengauer_tarjan_dominator_tree(
        methods, n,
        boost::make_iterator_property_map(idom.begin(),
                                          get(boost::vertex_index, graph)));
    for (NodeId i = 0; i < graph.nodes(); ++i) {
      if (idom[i] != JigTraits::null_vertex()) out[i] = idom[i];
    }
  }
  return out;
}

GraphWriter::GraphWriter(const World& world, const Jig& graph)
    : world_(world), graph_(graph) {}

std::vector<std::string> GraphWriter::descriptions() const {
  std::vector<std::string> out(graph_.nodes());
  const MethodRow* last = nullptr;
  std::string last_class;
  LoadedClass loaded;
  std::vector<InstructionLine> lines;
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    out[n] = graph_.label(n);
    const NodeKind kind = graph_.kind(n);
    if (kind != NodeKind::kInstruction && kind != NodeKind::kCall) continue;
    const MethodRow* row = graph_.method(n);
    const auto& symbols = graph_.symbols();
    if (row != last) {
      last = row;
      lines.clear();
      std::string owner = symbols.text(row->owner);
      if (owner != last_class || !loaded.view) {
        last_class = std::move(owner);
        const ClassNode* node = world_.find(last_class);
        auto again = world_.load(*node);
        if (!again.ok()) continue;
        loaded = std::move(again).value();
      }
      const std::string name = symbols.text(row->name);
      const std::string descriptor = symbols.text(row->descriptor);
      for (const auto& member : loaded.view->methods()) {
        if (member.name != name || member.descriptor != descriptor) {
          continue;
        }
        const auto code = classfile::CodeView::of(*loaded.view, member);
        if (!code) continue;
        classfile::InstructionReader reader(code->code);
        classfile::Instruction ins;
        while (reader.next(ins)) {
          lines.push_back({ins.pc, ends_run(ins.op),
                           instruction_text(*loaded.view, ins)});
        }
      }
    }
    // Up to the next run of the method, if that is shown too.
    std::uint32_t end = 0xffffffff;
    for (NodeId next = n + 1; next < graph_.nodes(); ++next) {
      if (graph_.kind(next) == NodeKind::kReturn) continue;
      const bool code = graph_.kind(next) == NodeKind::kInstruction ||
                        graph_.kind(next) == NodeKind::kCall;
      if (code && graph_.method(next) == row) end = graph_.pc(next);
      break;
    }
    std::string text;
    for (const InstructionLine& line : lines) {
      if (line.pc < graph_.pc(n)) continue;
      if (line.pc >= end) break;
      if (!text.empty()) text += "; ";
      text += line.text;
      if (line.last) break;
    }
    out[n] += ": " + text;
  }
  return out;
}

void GraphWriter::text(const Write& write) const {
  const auto texts = descriptions();
  const auto dominators =
      graph_.has_in_edges() ? immediate_dominators(graph_)
                            : std::vector<NodeId>();
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    std::string line = "n" + std::to_string(n) + " " +
                       std::string(name_of(graph_.kind(n))) + " " + texts[n];
    if (!dominators.empty() && dominators[n] != n) {
      line += "  [idom n" + std::to_string(dominators[n]) + "]";
    }
    line += '\n';
    for (EdgeId e = graph_.out_begin(n); e != graph_.out_end(n); ++e) {
      line += "  --" + std::string(name_of(graph_.edge_kind(e)));
      if (graph_.has_label(e)) {
        line += " " + graph_.edge_label(e);
      }
      line += "--> n" + std::to_string(graph_.target(e)) + "\n";
    }
    write(line);
  }
}

void GraphWriter::dot(const Write& write) const {
  const auto texts = descriptions();
  std::ostringstream out;
  boost::write_graphviz(
      out, graph_,
      [&](std::ostream& o, NodeId n) {
        std::string label(name_of(graph_.kind(n)));
        label += ' ';
        label += texts[n];
        o << "[label=" << boost::escape_dot_string(label) << "]";
      },
      [&](std::ostream& o, const EdgeDescriptor& e) {
        std::string label(name_of(graph_.edge_kind(e.id)));
        if (graph_.has_label(e.id)) {
          label += ' ';
          label += graph_.edge_label(e.id);
        }
        o << "[label=" << boost::escape_dot_string(label);
        const auto kind = graph_.edge_kind(e.id);
        if (kind == EdgeKind::kPath || kind == EdgeKind::kException) {
          o << ", style=dashed";
        }
        o << "]";
      });
  write(out.str());
}

void GraphWriter::graphml(const Write& write) const {
  const auto texts = descriptions();
  boost::dynamic_properties properties;
  properties.property(
      "kind", boost::make_function_property_map<NodeId, std::string>(
                  [this](NodeId n) { return std::string(name_of(graph_.kind(n))); }));
  properties.property("text",
                      boost::make_function_property_map<NodeId, std::string>(
                          [&texts](NodeId n) { return texts[n]; }));
  properties.property(
      "edge", boost::make_function_property_map<EdgeDescriptor, std::string>(
                  [this](const EdgeDescriptor& e) {
                    return std::string(name_of(graph_.edge_kind(e.id)));
                  }));
  properties.property(
      "label", boost::make_function_property_map<EdgeDescriptor, std::string>(
                   [this](const EdgeDescriptor& e) {
                     return graph_.edge_label(e.id);
                   }));
  std::ostringstream out;
  boost::write_graphml(out, graph_, properties, true);
  write(out.str());
}

void GraphWriter::ndjson(const Write& write) const {
  const auto texts = descriptions();
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    std::string out = "{\"type\":\"node\",\"id\":" + std::to_string(n) +
                      ",\"kind\":" + json_text(name_of(graph_.kind(n))) +
                      ",\"text\":" + json_text(texts[n]) + "}\n";
    for (EdgeId e = graph_.out_begin(n); e != graph_.out_end(n); ++e) {
      out += "{\"type\":\"edge\",\"from\":" + std::to_string(n) +
             ",\"to\":" + std::to_string(graph_.target(e)) +
             ",\"kind\":" + json_text(name_of(graph_.edge_kind(e))) +
             ",\"label\":" + json_text(graph_.edge_label(e)) + "}\n";
    }
    write(out);
  }
}

}  // namespace rejig::jig
