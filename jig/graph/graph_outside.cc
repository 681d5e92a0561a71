// SPDX-License-Identifier: Apache-2.0
// What reaches internal code without an instruction that names it: dispatch by
// receiver, class entries, magic members, tests, bootstrap linkage, artefacts.
#include <algorithm>
#include <array>

#include "classfile/base/hash.h"
#include "classfile/words/entity.h"
#include "classfile/words/frameworks.h"
#include "jig/graph/graph_draft.h"
#include "jig/world/annotation_meaning.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::FrameworkRole;
using classfile::MemberView;

namespace {

NodeId chosen_node(GraphBuilder& draft, const ClassHierarchy& hierarchy,
                   const Chosen& chosen, Name receiver) {
  switch (chosen.kind) {
    case Chosen::Kind::kError:
      return draft.node(NodeKind::kError, name_of(chosen.error));
    case Chosen::Kind::kUnknown:
      return draft.node(NodeKind::kUnknown, classfile::dotted(receiver));
    case Chosen::Kind::kMethod:
      break;
  }
  MethodAnswer answer;
  answer.holder = hierarchy.node(chosen.type);
  answer.method = chosen.method;
  return draft.target_of(answer);
}

bool is_magic(const MemberView& method) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "main",        "premain",      "agentmain",  "readObject",
      "writeObject", "readResolve",  "writeReplace",
      "readObjectNoData", "provider"};
  return std::find(kNames.begin(), kNames.end(), method.name) != kNames.end();
}

enum class TestRole { kNone, kTest, kFixture };

TestRole role_of(const World& world, AnnotationMeanings& meanings,
                 const ClassView& cls, const MemberView& method) {
  const auto types = visible_annotations(cls, method.attributes);
  const auto meaning = meanings.of(types);
  const bool feature = std::ranges::any_of(types, [](const auto& type) {
    const auto* known = classfile::framework_annotation(type);
    return known != nullptr && known->role == FrameworkRole::kFeature;
  });
  if (!meaning.test.empty() || feature) return TestRole::kTest;
  if (meaning.fixture) return TestRole::kFixture;
  for (const auto& member : classfile::kFrameworkMembers) {
    if (!classfile::is_meant(member, method.name, method.descriptor) ||
        !world.is_subtype(cls.name(), member.supertype)) {
      continue;
    }
    if (member.role != FrameworkRole::kTest) return TestRole::kFixture;
    if (method.is(classfile::kAccPublic)) return TestRole::kTest;
  }
  return TestRole::kNone;
}

}  // namespace

void GraphBuilder::fill_dispatch() {
  CallTargets targets(hierarchy_);
  base::HashMap<Name, std::vector<std::uint32_t>> below;  // lambdas by supertype
  for (std::size_t i = 0; i < lambdas_.size(); ++i) {
    base::HashSet<Name> types;
    for (const Name itf : lambdas_[i].interfaces) {
      types.insert(itf);
      for (const Name above : world_.supers(itf).names) types.insert(above);
    }
    for (const Name type : types.sorted()) {
      if (type == "java/lang/Object") continue;
      below[type].push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (std::size_t i = 0; i < dispatches_.size(); ++i) {
    const DispatchKey key = dispatches_[i];
    // Receivers that are no internal class: the resolved method stands for all.
    if (!key.resolved.holder->internal) {
      edge(key.node, target_of(key.resolved), EdgeKind::kCall, "*");
    }
    if (const auto* some = below.find(key.resolved.holder->name)) {
      for (const std::uint32_t at : *some) dispatch_to(key, lambdas_[at]);
    }
    const TypeId holder = hierarchy_.find(key.resolved.holder->name);
    if (!holder.valid()) continue;
    targets.begin(key.resolved, key.by_interface);
    for (const TypeId receiver : hierarchy_.receivers(holder)) {
      const Name name = hierarchy_.name(receiver);
      edge(key.node,
           chosen_node(*this, hierarchy_, targets.choose(receiver), name),
           EdgeKind::kCall, classfile::dotted(name));
    }
  }
}

// A lambda runs its body for its own method, for the others what its interface
// inherits; a bridge may answer a method that looks abstract.
void GraphBuilder::dispatch_to(const DispatchKey& key, const LambdaType& type) {
  const MethodShell& method = *key.resolved.method;
  NodeId to = type.node;
  const bool own =
      method.name == type.method &&
      std::find(type.descriptors.begin(), type.descriptors.end(),
                method.descriptor) != type.descriptors.end();
  for (const Name itf : type.interfaces) {
    if (own || !world_.is_subtype(itf, key.resolved.holder->name)) continue;
    const auto found = resolve_method(
        world_, {itf, method.name, method.descriptor, true});
    const bool abstract =
        found.found() && found.method->is(classfile::kAccAbstract);
    if (abstract) continue;
    to = target_of(found);
    break;
  }
  edge(key.node, to, EdgeKind::kCall, symbols_->text(nodes_[type.node].label));
}

// Every internal class that can have instances is entered from outside; for each
// overridable method of an external supertype, what it runs.
void GraphBuilder::class_entries() {
  std::vector<NodeId> entry(hierarchy_.size(), 0);
  for (std::size_t i = 0; i < hierarchy_.size(); ++i) {
    const TypeId id = TypeId::of(i);
    if (!hierarchy_.is_receiver(id)) continue;
    const auto name = classfile::dotted(hierarchy_.name(id));
    entry[i] = node(NodeKind::kClassEntry, name);
    edge(ecn(), entry[i], EdgeKind::kExternal, name);
    if (hierarchy_.incomplete(id)) {
      // External supertypes that nobody knows may declare anything.
      edge(entry[i], node(NodeKind::kUnknown, name), EdgeKind::kOverride, "*");
    }
  }
  CallTargets targets(hierarchy_);
  base::HashSet<std::uint64_t> done;  // class entry and signature
  for (std::size_t x = 0; x < hierarchy_.size(); ++x) {
    const ClassNode* above = hierarchy_.node(TypeId::of(x));
    if (above == nullptr || above->internal ||
        hierarchy_.receivers(TypeId::of(x)).empty()) {
      continue;
    }
    for (const MethodShell& method : above->shell->methods) {
      const bool open = method.is(classfile::kAccPublic) ||
                        method.is(classfile::kAccProtected);
      if (!open || method.is(classfile::kAccStatic) ||
          method.is(classfile::kAccFinal) || method.is_initializer()) {
        continue;
      }
      const std::string signature =
          std::string(method.name) + std::string(method.descriptor);
      const std::string by_default = "*:" + signature;
      const SymbolId symbol = symbols_->of(signature);
      MethodAnswer resolved;
      resolved.holder = above;
      resolved.method = &method;
      targets.begin(resolved, false);
      for (const TypeId receiver : hierarchy_.receivers(TypeId::of(x))) {
        const NodeId from = entry[receiver.index()];
        if (!done.insert(std::uint64_t{from} << 32 | symbol)) continue;
        const Chosen chosen = targets.choose(receiver);
        const bool external = chosen.kind == Chosen::Kind::kMethod &&
                              !hierarchy_.node(chosen.type)->internal;
        const Name name = hierarchy_.name(receiver);
        if (external) {
          edge(from, node(NodeKind::kDefault, classfile::dotted(name)),
               EdgeKind::kOverride, by_default);
        } else {
          edge(from, chosen_node(*this, hierarchy_, chosen, name),
               EdgeKind::kOverride, signature);
        }
      }
    }
  }
}

void GraphBuilder::class_members(const ClassView& cls) {
  const std::string name = classfile::dotted(cls.name());
  const NodeId shell = node(NodeKind::kShell, name);
  const NodeId self = node(NodeKind::kClass, name);
  shell_facets(cls, self, shell);
  edge(ecn(), shell, EdgeKind::kShell, name);
  for (const MemberView& method : cls.methods()) {
    const NodeId entry = entry_of(cls.name(), method.name, method.descriptor);
    const std::string text =
        classfile::method_entity(cls.name(), method.name, method.descriptor);
    if (is_magic(method)) {
      const NodeId magic = node(NodeKind::kMagic, text);
      edge(ecn(), magic, EdgeKind::kMagic, method.name);
      edge(magic, entry, EdgeKind::kCall);
    }
    const TestRole role = role_of(world_, meanings_, cls, method);
    if (role == TestRole::kNone) continue;
    const NodeId test = node(
        role == TestRole::kTest ? NodeKind::kTest : NodeKind::kFixture, text);
    edge(ecn(), test, EdgeKind::kTest, text);
    edge(test, entry, EdgeKind::kCall);
    edge(test, init_node(cls.name()), EdgeKind::kTrigger);
  }
}

void GraphBuilder::artefacts() {
  const auto& program = world_.internal();
  constexpr std::string_view kServices = "META-INF/services/";
  constexpr std::string_view kModuleInfo = "module-info.class";
  for (const auto& file : program.resources()) {
    NodeKind kind = NodeKind::kResource;
    if (file.name.ends_with(kModuleInfo)) kind = NodeKind::kModule;
    const bool service = file.name.starts_with(kServices);
    if (service) kind = NodeKind::kService;
    const NodeId id = node(kind, file.name);
    base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    if (!bytes.ok()) {
      edge(ecn(), id, EdgeKind::kArtefact, "unreadable");
      edge(id, node(NodeKind::kUnknown, file.name), EdgeKind::kCall);
      continue;
    }
    edge(ecn(), id, EdgeKind::kArtefact,
         base::to_hex(base::hash128(bytes.value())));
    if (!service) continue;
    const std::string_view text(
        reinterpret_cast<const char*>(bytes->data()), bytes->size());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of("\r\n", at),
                                       text.size());
      std::string line(text.substr(at, end - at));
      at = end + 1;
      line = line.substr(0, line.find('#'));
      line.erase(std::remove_if(line.begin(), line.end(),
                                [](char c) { return c == ' ' || c == '\t'; }),
                 line.end());
      if (line.empty()) continue;
      const auto provider = classfile::slashed(line);
      const ClassNode* found = world_.find(provider);
      edge(id,
           found != nullptr && found->internal && found->readable()
               ? entry_of(found->name, "<init>", "()V")
               : class_node(provider),
           EdgeKind::kCall, line);
    }
  }
}

}  // namespace rejig::jig
