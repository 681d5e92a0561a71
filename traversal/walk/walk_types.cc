// SPDX-License-Identifier: Apache-2.0
// Types: is a value of class R still an X, does R still link, what runs when it
// is initialized? The verdict of every type test is an edge from X to R;
// whoever observes X leads into X.
#include <algorithm>
#include <map>

#include "traversal/describe/edge_texts.h"
#include "traversal/lookup/structure.h"
#include "traversal/verify/changed_verification.h"
#include "traversal/verify/linking_edges.h"
#include "traversal/verify/verification.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;
using jig::EdgeId;
using jig::EdgeKind;
using jig::NodeId;

namespace {

// The types below a type, by name.
std::vector<std::string> below(const WalkSide& side, NodeId type) {
  std::vector<std::string> out;
  const auto& graph = side.graph();
  for (EdgeId e = graph.out_begin(type); e != graph.out_end(type); ++e) {
    if (graph.edge_kind(e) == EdgeKind::kSubtype) {
      out.push_back(graph.label(graph.target(e)));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string link_text(const WalkSide& side, NodeId type) {
  const auto& graph = side.graph();
  for (EdgeId e = graph.out_begin(type); e != graph.out_end(type); ++e) {
    if (graph.edge_kind(e) == EdgeKind::kLink) {
      return graph.edge_label(e);
    }
  }
  return {};
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out.empty() ? "nothing" : out;
}

}  // namespace

// The old classes whose partner that is: a class that was found nowhere falls
// back to its own name. None: an added class, whose name an old one may have
// had.
std::vector<std::string> PairCompare::old_names_of(
    const std::string& new_name) const {
  const std::string name = classfile::slashed(new_name);
  std::set<std::string> out;
  for (const auto& before : {matching_.renaming.old_class_name(name), name}) {
    const ClassNode* node = old_.world().find(before);
    if (node != nullptr && matching_.renaming.class_name(before) == name) {
      out.insert(classfile::dotted(before));
    }
  }
  return {out.begin(), out.end()};
}

void PairCompare::classes(const NodePair& pair) {
  const std::string type = old_.graph().label(pair.old_node);
  const auto olds = below(old_, pair.old_node);
  const auto news = pair.new_node == WalkSide::kNone
                        ? std::vector<std::string>{}
                        : below(new_, pair.new_node);
  for (const auto& r : olds) {
    if (!std::binary_search(news.begin(), news.end(), renamed_class(r))) {
      out_.flips.push_back({r, type, false});
    }
  }
  for (const auto& r : news) {
    for (const auto& before : old_names_of(r)) {
      if (!std::binary_search(olds.begin(), olds.end(), before)) {
        out_.flips.push_back({before, type, true});
      }
    }
  }
  const ClassNode* node = old_.world().find(classfile::slashed(type));
  if (node == nullptr || !node->internal ||
      matching_.partner(node->name) == nullptr) {
    return;
  }
  linking(node->name, pair);
  initialization(node->name);
}

PairResult PairCompare::new_type(NodeId new_node) {
  out_ = {};
  const std::string type = classfile::dotted(matching_.renaming.old_class_name(
      classfile::slashed(new_.graph().label(new_node))));
  for (const auto& r : below(new_, new_node)) {
    for (const auto& before : old_names_of(r)) {
      out_.flips.push_back({before, type, true});
    }
  }
  return std::move(out_);
}

void PairCompare::linking(Name name, const NodePair& pair) {
  const std::string before = link_text(old_, pair.old_node);
  const std::string after = pair.new_node == WalkSide::kNone
                                ? "unknown " + std::string(name)
                                : link_text(new_, pair.new_node);
  if (before != after) {
    out_.found.edges.push_back(link_delta(name, before, after));
  } else if (auto delta = pair.new_node == WalkSide::kNone
                              ? std::nullopt
                              : version_delta(matching_.worlds, name,
                                              matching_.partner(name)->name)) {
    out_.found.edges.push_back(std::move(*delta));
  } else {
    return;
  }
  out_.link_changes.push_back(name);
}

void PairCompare::initialization(Name name) {
  const auto before = jig::init_procedure(old_.world(), name);
  const auto after =
      jig::init_procedure(new_.world(), matching_.partner(name)->name);
  auto renamed = before;
  for (auto& one : renamed) {
    if (!one.starts_with('?')) one = matching_.renaming.class_name(one);
  }
  if (renamed == after) return;
  out_.found.edges.push_back(initialization_delta(name, before, after));
}

namespace {

// The methods that observe a type, and those that make arrays of a class.
std::vector<std::string> observers_of(const WalkSide& side,
                                      const std::string& type) {
  const NodeId node = side.find_type(type);
  if (node == WalkSide::kNone) return {};
  const auto& graph = side.graph();
  return side.methods_into(node, [&](EdgeId e) {
    return graph.edge_kind(e) == EdgeKind::kObserve ||
           graph.edge_kind(e) == EdgeKind::kClass;
  });
}

std::vector<std::string> makers_of(const WalkSide& side,
                                   const std::string& type) {
  const NodeId node = side.find(JigKind::kClass, type);
  if (node == WalkSide::kNone) return {};
  const auto& graph = side.graph();
  return side.methods_into(node, [&](EdgeId e) {
    return graph.edge_kind(e) == EdgeKind::kClass &&
           (graph.edge_label(e) == "anewarray" ||
            graph.edge_label(e) == "multianewarray");
  });
}

// R in words, what came and went, who can see it.
Delta subtype_delta(const std::string& receiver,
                    const std::vector<Flip>& flips) {
  std::vector<std::string> lost;
  std::vector<std::string> gained;
  for (const Flip& flip : flips) {
    (flip.gained ? gained : lost).push_back(flip.type);
  }
  Delta d;
  d.channel = Channel::kSubtyping;
  d.entity = receiver;
  d.label = "supertypes";
  d.old_fact = "lost " + listed(lost);
  d.new_fact = "gained " + listed(gained);
  d.why = "`" + receiver + "` lost " + listed(lost) + " and gained " +
          listed(gained) + " as supertypes";
  return d;
}

}  // namespace

void add_subtype_edges(const Matching& matching, const WalkSide& old_side,
                       std::vector<Flip> flips, Findings& findings) {
  std::sort(flips.begin(), flips.end());
  flips.erase(std::unique(flips.begin(), flips.end()), flips.end());
  std::map<std::string, std::vector<Flip>> by_receiver;
  for (auto& flip : flips) by_receiver[flip.receiver].push_back(flip);
  for (const auto& [receiver, own] : by_receiver) {
    const std::string name = classfile::slashed(receiver);
    const ClassNode* a = matching.worlds.old_world.find(name);
    const ClassNode* b = matching.partner(name);
    if (a == nullptr || b == nullptr || !a->internal || !a->readable() ||
        !b->readable()) {
      continue;
    }
    Delta d = subtype_delta(receiver, own);
    const auto& shell = *a->shell;
    const bool instantiable =
        !shell.is_interface() && !shell.is(classfile::kAccAbstract);
    const auto makers = makers_of(old_side, receiver);
    const bool external =
        std::any_of(own.begin(), own.end(), [&](const Flip& f) {
          const std::string type = classfile::slashed(f.type);
          const ClassNode* x = matching.worlds.old_world.find(type);
          const ClassNode* y = matching.partner(type);
          return (x != nullptr && !x->internal) ||
                 (y != nullptr && !y->internal) ||
                 (x == nullptr && y == nullptr);
        });
    if (external) {
      d.rule = Rule::kD12;
      if (instantiable) d.receivers.push_back(receiver);
      d.makers = makers;
      if (instantiable || !makers.empty()) findings.edges.push_back(d);
      continue;
    }
    std::set<std::string> at;
    for (const Flip& flip : own) {
      for (auto& each : observers_of(old_side, flip.type)) at.insert(each);
    }
    if (at.empty()) continue;
    d.at.assign(at.begin(), at.end());
    if (instantiable) {
      Delta one = d;
      one.rule = Rule::kD10;
      one.receivers.push_back(receiver);
      findings.edges.push_back(std::move(one));
    }
    if (!makers.empty()) {
      d.rule = Rule::kD11;
      d.makers = makers;
      findings.edges.push_back(std::move(d));
    }
  }
}

namespace {

// All names that are internal in either world; old names.
std::vector<Name> internal_names(const Matching& matching) {
  std::set<Name> out;
  for (const auto& file : matching.worlds.inputs.old_internal->classes()) {
    out.insert(file.name);
  }
  for (const auto& file : matching.worlds.inputs.new_internal->classes()) {
    out.insert(matching.worlds.names.intern(
        matching.renaming.old_class_name(file.name)));
  }
  return {out.begin(), out.end()};
}

bool is_class(const ClassNode* node) {
  return node == nullptr || !node->readable() || !node->shell->is_interface();
}

// Do the protected members of a class and of those above it differ?
bool has_other_access(const Matching& matching, Name name) {
  const auto members_of = [](const jig::World& world, Name of, bool rename,
                             const Renaming& renaming) {
    std::set<std::string> out;
    auto names = world.supers(of).names;
    names.push_back(of);
    for (const Name above : names) {
      const ClassNode* node = world.find(above);
      if (node == nullptr || !node->readable()) continue;
      const std::string holder =
          rename ? renaming.class_name(above) : std::string(above);
      for (const auto& field : node->shell->fields) {
        if (!field.is(classfile::kAccProtected)) continue;
        out.insert(holder + "." + std::string(field.name));
      }
      for (const auto& method : node->shell->methods) {
        if (!method.is(classfile::kAccProtected)) continue;
        out.insert(holder + "." + std::string(method.name) +
                   (rename ? renaming.descriptor(method.descriptor)
                           : std::string(method.descriptor)));
      }
    }
    return out;
  };
  const ClassNode* partner = matching.partner(name);
  return partner != nullptr &&
         members_of(matching.worlds.old_world, name, true, matching.renaming) !=
             members_of(matching.worlds.new_world, partner->name, false,
                        matching.renaming);
}

VerifierDoubts all_doubts(const Matching& matching,
                          std::vector<Name> link_changes) {
  VerifierDoubts out;
  out.other_linking.insert(link_changes.begin(), link_changes.end());
  std::vector<Name> names = internal_names(matching);
  for (const auto* list : {&matching.external_changed}) {
    names.insert(names.end(), list->begin(), list->end());
  }
  for (const Name name : names) {
    const ClassNode* a = matching.worlds.old_world.find(name);
    const ClassNode* b = matching.partner(name);
    if (a == nullptr || b == nullptr || !a->readable()) continue;
    if (b->readable() && a->shell->is_interface() &&
        !b->shell->is_interface()) {
      out.other_kind.insert(a->name);
    }
    if (has_other_access(matching, name)) out.other_access.insert(a->name);
    for (const Name super : matching.worlds.old_world.supers(name).names) {
      if (super == "java/lang/Object" ||
          (!is_class(matching.worlds.old_world.find(super)) &&
           !is_class(matching.partner(super))) ||
          matching.worlds.new_world.is_subtype(b->name,
                                       matching.renaming.class_name(super))) {
        continue;
      }
      out.lost.emplace(a->name, super);
    }
  }
  return out;
}

}  // namespace

void walk_verification(const Matching& matching,
                       std::vector<Name> link_changes, Findings& findings) {
  const VerifierDoubts doubts = all_doubts(matching, std::move(link_changes));
  const auto classes = matching.worlds.inputs.old_internal->classes();
  std::vector<std::string> problems(classes.size());
  matching.worlds.pool.for_ranges(
      classes.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const ClassNode* partner = matching.partner(classes[i].name);
          if (partner == nullptr || !partner->internal) continue;
          const auto* cls = matching.new_view(partner->name);
          if (cls == nullptr) continue;
          problems[i] = verification_problem(matching, *cls, doubts,
                                             matching.is_equal(classes[i].name)
                                                 ? VerifiedClass::kEqual
                                                 : VerifiedClass::kChanged,
                                             nullptr);
          if (!problems[i].empty() || matching.is_equal(classes[i].name)) {
            continue;
          }
          const auto* replaced = matching.old_view(classes[i].name);
          if (replaced == nullptr) continue;
          problems[i] =
              verification_problem(matching, *replaced, doubts,
                                   VerifiedClass::kReplaced, nullptr);
        }
      });
  std::vector<Refused> refused;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (problems[i].empty()) continue;
    refused.push_back({classes[i].name, std::move(problems[i])});
  }
  add_refused(refused, refused_changes(matching));
  add_verification_edges(
      matching, refused, [](Name, const jig::MentionSet&) { return true; },
      findings);
}

void add_external_below(const Matching& matching, Findings& findings) {
  const auto changed = [&](Name name) {
    const ClassNode* a = matching.worlds.old_world.find(name);
    const ClassNode* b = matching.partner(name);
    if (a == nullptr || b == nullptr) return a != b;
    if (!a->readable() || !b->readable()) return true;
    return !same_structure(*a->shell, *b->shell, matching.renaming);
  };
  for (const auto* program : matching.worlds.inputs.old_external) {
    if (program == matching.worlds.inputs.old_platform) continue;
    for (const auto& file : program->classes()) {
      const ClassNode* node = matching.worlds.old_world.find(file.name);
      if (node == nullptr || node->internal) continue;
      std::set<Name> above = {file.name};
      for (const auto* world :
           {&matching.worlds.old_world, &matching.worlds.new_world}) {
        const auto& names = world->supers(file.name).names;
        above.insert(names.begin(), names.end());
      }
      if (std::none_of(above.begin(), above.end(), changed)) continue;
      findings.edges.push_back(external_below_delta(file.name));
    }
  }
}

}  // namespace rejig::traversal
