// SPDX-License-Identifier: Apache-2.0
// Which method runs for a receiver: the labelled edges of dispatch nodes and of
// class entries. A class entry has, beside its edges for what external code can
// call, those that nobody's call site needs to exist for: reflection, handles
// and native code may call any method through any type above the receiver. They
// are too many to be stored, and asked of the worlds.
#include "traversal/describe/edge_texts.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

using jig::EdgeId;
using jig::EdgeKind;
using jig::MethodAnswer;
using jig::NodeId;

void PairCompare::dispatches(const NodePair& pair) {
  const auto& graph = old_.graph();
  const auto& new_graph = new_.graph();
  base::HashMap<std::string, EdgeId> by_label;
  for (EdgeId e = new_graph.out_begin(pair.new_node);
       e != new_graph.out_end(pair.new_node); ++e) {
    by_label.try_emplace(new_graph.edge_label(e), e);
  }
  for (EdgeId e = graph.out_begin(pair.old_node);
       e != graph.out_end(pair.old_node); ++e) {
    const std::string label = graph.edge_label(e);
    const ClassNode* receiver =
        old_.world().find(classfile::slashed(label));
    // "*" is everything outside; lambdas are compared at their sites.
    if (receiver == nullptr || !receiver->internal) continue;
    const EdgeId* e2 = by_label.find(renamed_class(label));
    // Gone, or not below the called type any more: told by the class, and by
    // those who observe its types.
    if (e2 == nullptr) continue;
    selection(receiver->name, label, graph.target(e), new_graph.target(*e2));
  }
}

void PairCompare::class_entries(const NodePair& pair) {
  reported_.clear();
  reported_signatures_.clear();
  const std::string name = old_.graph().label(pair.old_node);
  const ClassNode* receiver = old_.world().find(classfile::slashed(name));
  const ClassNode* partner =
      receiver == nullptr ? nullptr : matching_.partner(receiver->name);
  if (partner == nullptr || !receiver->readable() || !partner->readable()) {
    return;
  }
  callers_of_nobody(*receiver, *partner);
  // match(N, e'): the edge of that signature, else the default edge, which has
  // it behind "*:".
  const auto signature_of = [](const std::string& label) {
    return label.starts_with("*:") ? label.substr(2) : label;
  };
  const auto& graph = old_.graph();
  const auto& new_graph = new_.graph();
  base::HashMap<std::string, EdgeId> by_signature;
  for (EdgeId e = new_graph.out_begin(pair.new_node);
       e != new_graph.out_end(pair.new_node); ++e) {
    by_signature.try_emplace(signature_of(new_graph.edge_label(e)), e);
  }
  for (EdgeId e = graph.out_begin(pair.old_node);
       e != graph.out_end(pair.old_node); ++e) {
    const std::string own = signature_of(graph.edge_label(e));
    const auto open = own.find('(');
    std::string renamed = own;
    if (open != std::string::npos && !matching_.renaming.is_identity()) {
      renamed = own.substr(0, open) + matching_.renaming.descriptor(
                                          std::string_view(own).substr(open));
    }
    const EdgeId* e2 = by_signature.find(renamed);
    if (e2 == nullptr || reported_signatures_.contains(own)) continue;
    selection(receiver->name, name, graph.target(e), new_graph.target(*e2));
  }
}

// C and C' are the entries of methods, default nodes, errors or unknown.
void PairCompare::selection(Name receiver, const std::string& label, NodeId t,
                            NodeId t2) {
  if (nodes_equivalent(t, t2)) {
    if (old_.graph().kind(t) == JigKind::kEntry) out_.next.push_back({t, t2});
    return;
  }
  const auto runs = [](JigKind kind) {
    return kind == JigKind::kEntry || kind == JigKind::kExternalEntry ||
           kind == JigKind::kDefault;
  };
  const JigKind kind = old_.graph().kind(t);
  const JigKind kind2 = new_.graph().kind(t2);
  if (!runs(kind) && !runs(kind2)) return;  // an error stays an error
  Delta d;
  d.channel = Channel::kSelection;
  d.label = label;
  d.old_fact = shown(old_, t);
  d.new_fact = shown(new_, t2);
  d.receivers.push_back(label);
  d.rule = Rule::kD8;
  d.entity = kind == JigKind::kDefault ? classfile::dotted(receiver)
                                        : d.old_fact;
  if (kind == JigKind::kEntry) {
    const auto [cls, method] = method_of(old_, t);
    if (method != nullptr && method->attribute("Code") != nullptr) {
      d.rule = Rule::kD7;
      d.target = d.old_fact;
    }
  }
  d.why = "`" + d.entity + "` now runs `" + d.new_fact +
          "` for receivers of class `" + label + "`";
  out_.found.edges.push_back(std::move(d));
}

bool PairCompare::same_answer(const MethodAnswer& a,
                              const MethodAnswer& b) const {
  if (!matching_.renaming.same_class(a.unknown, b.unknown)) return false;
  if (a.method == nullptr || b.method == nullptr) return a.method == b.method;
  return a.holder->internal == b.holder->internal &&
         matching_.renaming.same_class(a.holder->name, b.holder->name);
}

namespace {

// The class and everything above it.
std::vector<Name> closure(const jig::World& world, Name name) {
  auto out = world.supers(name).names;
  out.push_back(name);
  return out;
}

std::string old_descriptor(const Renaming& renaming, Name descriptor) {
  std::string out;
  while (!descriptor.empty()) {
    const auto end =
        descriptor.front() == 'L' ? descriptor.find(';') : Name::npos;
    if (end == Name::npos) {
      out += descriptor.front();
      descriptor.remove_prefix(1);
      continue;
    }
    out += 'L' + renaming.old_class_name(descriptor.substr(1, end - 1)) + ';';
    descriptor.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

void PairCompare::callers_of_nobody(const ClassNode& receiver,
                                    const ClassNode& partner) {
  const auto owners = closure(old_.world(), receiver.name);
  std::set<std::pair<Name, Name>> signatures;
  const auto collect = [&](const jig::World& world, Name owner, bool of_new) {
    const ClassNode* node = world.find(owner);
    if (node == nullptr || !node->readable()) return;
    for (const auto& method : node->shell->methods) {
      if (!is_dispatched(method)) continue;
      const bool rename = of_new && !matching_.renaming.is_identity();
      signatures.emplace(
          method.name,
          rename ? matching_.keep_name(
                       old_descriptor(matching_.renaming, method.descriptor))
                 : method.descriptor);
    }
  };
  for (const Name owner : owners) collect(old_.world(), owner, false);
  for (const Name owner : closure(new_.world(), partner.name)) {
    collect(new_.world(), owner, true);
  }
  for (const auto& [name, descriptor] : signatures) {
    asked_.clear();
    for (const Name owner : owners) {
      select_one(receiver, partner, owner, name, descriptor);
    }
  }
}

void PairCompare::select_one(const ClassNode& receiver,
                             const ClassNode& partner, Name owner, Name name,
                             Name descriptor) {
  const ClassNode* through = old_.world().find(owner);
  if (through == nullptr || !through->readable()) return;
  const bool itf = through->shell->is_interface();
  const auto before =
      jig::resolve_method(old_.world(), {owner, name, descriptor, itf});
  const bool same_names = matching_.renaming.is_identity();
  const std::string new_owner =
      same_names ? std::string() : matching_.renaming.class_name(owner);
  const std::string new_descriptor =
      same_names ? std::string() : matching_.renaming.descriptor(descriptor);
  const auto after = jig::resolve_method(
      new_.world(), {same_names ? owner : Name(new_owner), name,
                     same_names ? descriptor : Name(new_descriptor), itf});
  const bool after_runs = after.found() && is_dispatched(*after.method);
  if (!before.found()) {
    // A class above that is not there may declare it: what the receiver has
    // now may override that.
    if (owner != receiver.name || before.unknown.empty()) return;
    if (!after.found()) {
      if (after.unknown.empty() || !same_answer(before, after)) {
        report_selection(receiver, before, after, name, descriptor);
      }
    } else if (after_runs && !after.method->is(classfile::kAccPrivate)) {
      report_selection(
          receiver, before,
          jig::select_method(new_.world(), partner, after).specified, name,
          descriptor);
    }
    return;
  }
  if (!is_dispatched(*before.method)) return;
  // Most types above inherit what one of them declares.
  const auto resolved = std::make_pair(before.method, after.method);
  if (after.found() && !asked_.insert(resolved).second) return;
  const auto a = jig::select_method(old_.world(), receiver, before);
  if (!after.found()) {
    if (!after.unknown.empty()) {
      report_selection(receiver, a.specified, after, name, descriptor);
    }
    return;  // else a matter of resolution
  }
  const auto b = jig::select_method(new_.world(), partner, after);
  const bool same = same_answer(a.specified, b.specified);
  if (same && same_answer(a.hotspot, b.hotspot) &&
      a.several_defaults == b.several_defaults) {
    return;
  }
  report_selection(receiver, a.specified, same ? b.hotspot : b.specified, name,
                   descriptor);
}

void PairCompare::report_selection(const ClassNode& receiver,
                                   const MethodAnswer& a,
                                   const MethodAnswer& b, Name name,
                                   Name descriptor) {
  Delta d;
  d.channel = Channel::kSelection;
  d.label = classfile::dotted(receiver.name);
  d.old_fact = fact_of(a);
  d.new_fact = fact_of(b);
  d.receivers.push_back(d.label);
  const bool internal = a.found() && a.holder->internal;
  d.rule = internal && a.method->has_code ? Rule::kD7 : Rule::kD8;
  if (d.rule == Rule::kD7) d.target = d.old_fact;
  d.entity = a.found()
                 ? d.old_fact
                 : classfile::method_entity(receiver.name, name, descriptor);
  d.why = "`" + d.entity + "` now runs `" + d.new_fact +
          "` for receivers of class `" + d.label + "`";
  if (!a.found()) {
    d.why = "`" + d.entity + "` ended in " + d.old_fact + " and now runs `" +
            d.new_fact + "` for receivers of class `" + d.label + "`";
  }
  const std::string signature = std::string(name) + std::string(descriptor);
  reported_signatures_.insert(signature);
  const auto key =
      std::make_pair(d.old_fact + " " + signature, d.new_fact);
  if (reported_.insert(key).second) out_.found.edges.push_back(std::move(d));
}

}  // namespace rejig::traversal
