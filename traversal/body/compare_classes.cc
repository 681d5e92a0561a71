// SPDX-License-Identifier: Apache-2.0
// The changed classes, in parallel; then the classes with equal bytes whose
// accessors or switch tables in another class mean something else now.
#include <algorithm>
#include <iterator>

#include "classfile/reader/code.h"
#include "traversal/body/class_compare.h"
#include "traversal/code/synthetic.h"

namespace rejig::traversal {

using classfile::MemberView;
using classfile::Tag;

namespace {

void take(Session& session, ClassPair& pair, ClassResult&& result) {
  pair.equal_methods = std::move(result.equal_methods);
  pair.by_use = std::move(result.by_use);
  pair.shared = std::move(result.shared);
  for (auto& edge : result.edges) session.edges.push_back(std::move(edge));
  for (auto& facet : result.facets) session.facets.push_back(std::move(facet));
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
void force_synthetic_users(Session& session, const std::set<Name>& owners) {
  std::set<Name> packages;
  for (const Name owner : owners) packages.insert(jig::package_of(owner));
  std::vector<Name> candidates;
  for (const Name name : session.equal_sorted) {
    if (session.untouched(name) && packages.contains(jig::package_of(name))) {
      candidates.push_back(name);
    }
  }
  jig::MentionSet mentions;
  for (const Name owner : owners) mentions.insert(jig::mention_of(owner));
  std::vector<std::uint8_t> wanted(candidates.size(), 0);
  session.pool.for_each(candidates.size(), [&](unsigned, std::size_t i) {
    if (!may_mention(session.old_world.glance(candidates[i]), mentions)) return;
    const auto loaded = session.old_world.load_equal(candidates[i]);
    wanted[i] =
        !loaded.ok() || refers_to_synthetic_of(*loaded.value().view, owners);
  });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!wanted[i]) continue;
    const Name name = candidates[i];
    auto a = session.old_world.load(*session.old_world.find(name));
    auto b = session.new_world.load(*session.new_world.find(name));
    if (!a.ok() || !b.ok()) {
      report_unreadable(session, name, a.ok() ? b.error() : a.error());
      continue;
    }
    session.forced.insert(name);
    ClassPair pair;
    pair.old_name = pair.new_name = name;
    pair.old_class = std::move(a).value();
    pair.new_class = std::move(b).value();
    pair.forced = true;
    take(session, pair, compare_class(session, pair));
    session.changed.push_back(std::move(pair));
  }
}

// What the deletion of a class is.
struct Removal {
  std::vector<classfile::Delta> edges;
  std::vector<classfile::Delta> facets;
  std::vector<Widened> widened;
};

// Each of its methods is deleted.
Removal removal_of(const Session& session, Name name) {
  Removal out;
  const ClassNode* node = session.old_world.find(name);
  auto loaded = session.old_world.load(*node);
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

void report_removed(Session& session) {
  std::vector<Removal> removals(session.removed.size());
  session.pool.for_each(removals.size(), [&](unsigned, std::size_t i) {
    removals[i] = removal_of(session, session.removed[i]);
  });
  for (Removal& one : removals) {
    std::move(one.edges.begin(), one.edges.end(),
              std::back_inserter(session.edges));
    std::move(one.facets.begin(), one.facets.end(),
              std::back_inserter(session.facets));
    std::move(one.widened.begin(), one.widened.end(),
              std::back_inserter(session.widened));
  }
}

}  // namespace

// A native method has no entry that could be recorded: who may call it stands
// for it.
namespace {

// External code reaches a native method through its receiver, without a call in
// the program: whoever had an instance that runs it.
void add_native_receivers(Session& session, const ClassNode* holder,
                          const jig::MethodShell& method,
                          std::vector<classfile::Delta>& out) {
  const Name owner = holder->name;
  if (method.is(classfile::kAccStatic) || method.is(classfile::kAccPrivate)) {
    return;
  }
  const jig::MethodReference ref{holder->name, method.name, method.descriptor,
                                 holder->shell->is_interface()};
  const auto resolved = jig::resolve_method(session.old_world, ref);
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
  for (const auto& file : session.inputs.old_internal->classes()) {
    const ClassNode* node = session.old_world.find(file.name);
    if (node == nullptr || !node->readable() || node->shell->is_interface() ||
        node->shell->is(classfile::kAccAbstract) ||
        !session.old_world.is_subtype(file.name, owner)) {
      continue;
    }
    const auto chosen = jig::select_method(session.old_world, *node, resolved);
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

void add_native_callers(Session& session) {
  std::vector<classfile::Delta> of_receivers;
  std::map<std::string, std::vector<classfile::Delta*>> wanted;
  // Edges of one class are neighbours, and few classes have native methods.
  std::string_view last;
  const ClassNode* holder = nullptr;
  for (auto& edge : session.edges) {
    if (edge.rule != classfile::Rule::kD1 || edge.at.size() != 1) continue;
    const std::string_view entity = edge.entity;
    const auto open = entity.find('(');
    const auto dot = entity.rfind('.', open);
    if (open == std::string::npos || dot == std::string::npos) continue;
    if (entity.substr(0, dot) != last) {
      last = entity.substr(0, dot);
      holder = with_native_methods(
          session.old_world.find(classfile::slashed(last)));
    }
    if (holder == nullptr) continue;
    const auto* method = holder->shell->method(
        entity.substr(dot + 1, open - dot - 1), entity.substr(open));
    if (method == nullptr || !method->is(classfile::kAccNative)) continue;
    wanted[std::string(method->name) + std::string(method->descriptor)]
        .push_back(&edge);
    add_native_receivers(session, holder, *method, of_receivers);
  }
  if (wanted.empty()) return;
  for (const auto& file : session.inputs.old_internal->classes()) {
    const auto loaded =
        session.old_world.load(*session.old_world.find(file.name));
    if (!loaded.ok()) {
      report_unreadable(session, file.name, loaded.error());
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
  for (auto& edge : of_receivers) session.edges.push_back(std::move(edge));
}

void compare_classes(Session& session) {
  std::vector<ClassResult> results(session.changed.size());
  session.pool.for_each(results.size(), [&](unsigned, std::size_t i) {
    results[i] = compare_class(session, session.changed[i]);
  });
  std::set<Name> synthetic_owners;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].synthetic_interface_changed) {
      synthetic_owners.insert(session.changed[i].old_name);
    }
    take(session, session.changed[i], std::move(results[i]));
  }
  if (!synthetic_owners.empty()) {
    force_synthetic_users(session, synthetic_owners);
  }
  for (auto& [name, lines] : session.alike_lines) {
    if (!session.forced.contains(name)) session.facets.push_back(std::move(lines));
  }
  session.alike_lines.clear();
  report_removed(session);
  add_native_callers(session);
}

}  // namespace rejig::traversal
