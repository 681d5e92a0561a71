// SPDX-License-Identifier: Apache-2.0
// The changed classes, in parallel; then the classes with equal bytes whose
// accessors or switch tables in another class mean something else now.
#include <algorithm>
#include <map>
#include <set>

#include "classfile/reader/code.h"
#include "jig/lookup/resolve.h"
#include "traversal/body/class_compare.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::MemberView;
using classfile::Tag;

namespace {

// The edges of one pair; what is left of it is asked later.
Bodies::OfPair take(ClassResult&& result, Findings& findings) {
  findings.take_edges(std::move(result.edges));
  findings.take_facets(std::move(result.facets));
  return {std::move(result.equal_methods), std::move(result.by_use),
          std::move(result.shared)};
}

bool refers_to_synthetic_of(const classfile::ClassView& cls,
                            const std::set<Name>& owners) {
  const auto& pool = cls.pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    const Tag tag = pool.tag(i);
    if (tag != Tag::kFieldref && tag != Tag::kMethodref &&
        tag != Tag::kInterfaceMethodref) {
      continue;
    }
    const auto ref = pool.member(i);
    if ((ref.name.starts_with("access$") || is_switch_map_field(ref.name)) &&
        owners.contains(ref.owner)) {
      return true;
    }
  }
  return false;
}

// Adds pairs for the users of changed synthetic members.
void force_synthetic_users(Matching& matching, const std::set<Name>& owners,
                           Bodies& bodies, Findings& findings) {
  std::set<Name> packages;
  for (const Name owner : owners) packages.insert(jig::package_of(owner));
  std::vector<Name> candidates;
  for (const Name name : matching.equal_sorted) {
    if (matching.untouched(name) && packages.contains(jig::package_of(name))) {
      candidates.push_back(name);
    }
  }
  jig::MentionSet mentions;
  for (const Name owner : owners) mentions.insert(jig::mention_of(owner));
  std::vector<std::uint8_t> wanted(candidates.size(), 0);
  matching.worlds.pool.for_each(candidates.size(), [&](unsigned,
                                                       std::size_t i) {
    if (!may_mention(matching.worlds.old_world.glance(candidates[i]), mentions))
      return;
    const auto loaded = matching.worlds.old_world.load_equal(candidates[i]);
    wanted[i] =
        !loaded.ok() || refers_to_synthetic_of(*loaded.value().view, owners);
  });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!wanted[i]) continue;
    const Name name = candidates[i];
    auto a =
        matching.worlds.old_world.load(*matching.worlds.old_world.find(name));
    auto b =
        matching.worlds.new_world.load(*matching.worlds.new_world.find(name));
    if (!a.ok() || !b.ok()) {
      report_unreadable(findings, name, a.ok() ? b.error() : a.error());
      continue;
    }
    const ClassPair& pair =
        matching.force(name, std::move(a).value(), std::move(b).value());
    bodies.of_changed.push_back(take(compare_class(matching, pair), findings));
  }
}

// Each of its methods is deleted.
Findings removal_of(const Matching& matching, Name name) {
  Findings out;
  const ClassNode* node = matching.worlds.old_world.find(name);
  auto loaded = matching.worlds.old_world.load(*node);
  classfile::Delta d;
  d.rule = classfile::Rule::kD1;
  d.channel = classfile::Channel::kBody;
  d.old_fact = "declared";
  d.new_fact = "deleted with its class";
  if (!loaded.ok()) {
    d.entity = classfile::dotted(name);
    d.everybody = true;
    d.why = "`" + d.entity + "` is deleted and could not be read, so nobody "
            "can say who uses it";
    out.widened.push_back({loaded.error().what, loaded.error().where});
    out.edges.push_back(std::move(d));
    return out;
  }
  const auto& cls = *loaded.value().view;
  d.file = source_path(cls);
  classfile::Delta gone = d;
  gone.rule = classfile::Rule::kD14;
  gone.channel = classfile::Channel::kLinking;
  gone.entity = gone.subject = classfile::dotted(name);
  gone.new_fact = "deleted";
  gone.why = "`" + gone.entity + "` is deleted and cannot be loaded";
  // javac up to release 10 writes empty classes that are never loaded, for the
  // parameter lists of constructors that an outer class may call.
  const bool invented = (cls.access() & classfile::kAccSynthetic) != 0 &&
                        cls.methods().empty() && cls.fields().empty();
  if (invented) gone.label = "synthetic class";
  (invented ? out.facets : out.edges).push_back(std::move(gone));
  for (const auto& method : cls.methods()) {
    const bool has_body = method.attribute("Code") != nullptr ||
                          method.is(classfile::kAccNative);
    if (!has_body) continue;
    auto one = d;
    one.entity =
        classfile::method_entity(name, method.name, method.descriptor);
    if (method.name == "<clinit>") {
      one.rule = classfile::Rule::kD2;
      one.channel = classfile::Channel::kInitialization;
      one.subject = classfile::dotted(name);
    } else {
      one.at.push_back(one.entity);
    }
    one.why = "`" + one.entity + "` is deleted with its class";
    out.edges.push_back(std::move(one));
  }
  return out;
}

void report_removed(const Matching& matching, Findings& findings) {
  std::vector<Findings> removals(matching.removed.size());
  matching.worlds.pool.for_each(removals.size(), [&](unsigned, std::size_t i) {
    removals[i] = removal_of(matching, matching.removed[i]);
  });
  for (Findings& one : removals) findings.take(std::move(one));
}

}  // namespace

// A native method has no entry that could be recorded: who may call it stands
// for it.
namespace {

// External code reaches a native method through its receiver, without a call in
// the program: whoever had an instance that runs it.
void add_native_receivers(const Matching& matching, const ClassNode* holder,
                          const jig::MethodShell& method,
                          std::vector<classfile::Delta>& out) {
  const Name owner = holder->name;
  if (method.is(classfile::kAccStatic) || method.is(classfile::kAccPrivate)) {
    return;
  }
  const jig::MethodReference ref{holder->name, method.name, method.descriptor,
                                 holder->shell->is_interface()};
  const auto resolved = jig::resolve_method(matching.worlds.old_world, ref);
  if (!resolved.found()) return;
  classfile::Delta d;
  d.rule = classfile::Rule::kD8;
  d.channel = classfile::Channel::kSelection;
  d.entity = classfile::method_entity(owner, method.name, method.descriptor);
  d.label = "native";
  d.old_fact = "native";
  d.new_fact = "another method";
  d.why = "external code may call `" + d.entity +
          "`, which was native and is another method";
  for (const auto& file : matching.worlds.inputs.old_internal->classes()) {
    const ClassNode* node = matching.worlds.old_world.find(file.name);
    if (node == nullptr || !node->readable() || node->shell->is_interface() ||
        node->shell->is(classfile::kAccAbstract) ||
        !matching.worlds.old_world.is_subtype(file.name, owner)) {
      continue;
    }
    const auto chosen =
        jig::select_method(matching.worlds.old_world, *node, resolved);
    if (chosen.specified.holder == holder) {
      d.receivers.push_back(classfile::dotted(file.name));
    }
  }
  if (!d.receivers.empty()) out.push_back(std::move(d));
}

// Null: nobody looks for native methods there.
const ClassNode* with_native_methods(const ClassNode* node) {
  if (node == nullptr || !node->readable()) return nullptr;
  const auto& methods = node->shell->methods;
  return std::any_of(methods.begin(), methods.end(),
                     [](const auto& method) {
                       return method.is(classfile::kAccNative);
                     })
             ? node
             : nullptr;
}

}  // namespace

void add_native_callers(const Matching& matching, Findings& findings) {
  std::vector<classfile::Delta> of_receivers;
  std::map<std::string, std::vector<classfile::Delta*>> wanted;
  // Edges of one class are neighbours, and few classes have native methods.
  std::string_view last;
  const ClassNode* holder = nullptr;
  for (auto& edge : findings.edges) {
    if (edge.rule != classfile::Rule::kD1 || edge.at.size() != 1) continue;
    const std::string_view entity = edge.entity;
    const auto open = entity.find('(');
    const auto dot = entity.rfind('.', open);
    if (open == std::string::npos || dot == std::string::npos) continue;
    if (entity.substr(0, dot) != last) {
      last = entity.substr(0, dot);
      holder = with_native_methods(
          matching.worlds.old_world.find(classfile::slashed(last)));
    }
    if (holder == nullptr) continue;
    const auto* method = holder->shell->method(
        entity.substr(dot + 1, open - dot - 1), entity.substr(open));
    if (method == nullptr || !method->is(classfile::kAccNative)) continue;
    wanted[std::string(method->name) + std::string(method->descriptor)]
        .push_back(&edge);
    add_native_receivers(matching, holder, *method, of_receivers);
  }
  if (wanted.empty()) return;
  for (const auto& file : matching.worlds.inputs.old_internal->classes()) {
    const auto loaded = matching.worlds.old_world.load(
        *matching.worlds.old_world.find(file.name));
    if (!loaded.ok()) {
      report_unreadable(findings, file.name, loaded.error());
      continue;
    }
    const auto& cls = *loaded.value().view;
    for (const auto& method : cls.methods()) {
      const auto code = classfile::CodeView::of(cls, method);
      if (!code) continue;
      classfile::InstructionReader reader(code->code);
      classfile::Instruction ins;
      while (reader.next(ins)) {
        if (ins.op < classfile::Opcode::k_invokevirtual ||
            ins.op > classfile::Opcode::k_invokeinterface) {
          continue;
        }
        const auto ref = cls.pool().member(ins.index);
        const auto at = wanted.find(std::string(ref.name) +
                                    std::string(ref.descriptor));
        if (at == wanted.end()) continue;
        for (auto* edge : at->second) {
          edge->at.push_back(classfile::method_entity(
              cls.name(), method.name, method.descriptor));
        }
      }
    }
  }
  findings.take_edges(std::move(of_receivers));
}

Bodies compare_classes(Matching& matching, Findings& findings) {
  Bodies bodies;
  std::vector<ClassResult> results(matching.changed.size());
  matching.worlds.pool.for_each(results.size(), [&](unsigned, std::size_t i) {
    results[i] = compare_class(matching, matching.changed[i]);
  });
  std::set<Name> synthetic_owners;
  bodies.of_changed.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].synthetic_interface_changed) {
      synthetic_owners.insert(matching.changed[i].old_name);
    }
    bodies.of_changed.push_back(take(std::move(results[i]), findings));
  }
  if (!synthetic_owners.empty()) {
    force_synthetic_users(matching, synthetic_owners, bodies, findings);
  }
  for (auto& [name, lines] : matching.alike_lines) {
    if (!matching.forced.contains(name)) {
      findings.facets.push_back(std::move(lines));
    }
  }
  matching.alike_lines.clear();
  report_removed(matching, findings);
  add_native_callers(matching, findings);
  return bodies;
}

}  // namespace rejig::traversal
