// SPDX-License-Identifier: Apache-2.0
// What is a type to those who use it? Class nodes as code sees them (or the
// error), the verdict of every type test as an edge from the tested type to each
// internal type below it, what keeps a class from linking, and the types that
// linking a call site, a method handle or a method type looks up.
#include <algorithm>

#include "classfile/reader/descriptor.h"
#include "classfile/words/entity.h"
#include "jig/graph/graph_draft.h"
#include "jig/lookup/lambda_site.h"
#include "jig/lookup/references.h"

namespace rejig::jig {

using classfile::ClassView;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

NodeId GraphBuilder::error(LinkError error) {
  return node(NodeKind::kError, name_of(error));
}

NodeId GraphBuilder::class_node(Name name) {
  const Name element = element_class(name);
  if (element.empty()) return node(NodeKind::kClass, classfile::dotted(name));
  const ClassNode* found = world_.find(element);
  if (found == nullptr || !found->readable()) {
    return node(NodeKind::kUnknown, classfile::dotted(element));
  }
  return node(NodeKind::kClass, classfile::dotted(element));
}

NodeId GraphBuilder::class_use(Name name, Name caller, bool instantiates) {
  const ClassNode* found = world_.find(element_class(name));
  if (found != nullptr && found->readable()) {
    if (!class_accessible(world_, caller, *found)) {
      return error(LinkError::kIllegalAccess);
    }
    if (instantiates && (found->shell->is(classfile::kAccAbstract) ||
                         found->shell->is_interface())) {
      return error(LinkError::kInstantiation);
    }
  }
  return class_node(name);
}

namespace {

bool writes(Opcode op) {
  return op == Opcode::k_putfield || op == Opcode::k_putstatic;
}

}  // namespace

// A final field may be written by its own class only, since version 53 only
// while it is being initialized.
bool GraphBuilder::may_write(const FieldAnswer& found, Name caller,
                             bool initializes) const {
  if (!found.field->is(classfile::kAccFinal)) return true;
  const ClassNode* from = world_.find(caller);
  const bool strict = from != nullptr && from->readable() &&
                      from->shell->major >= 53;
  return found.holder->name == caller && (!strict || initializes);
}

NodeId GraphBuilder::field_reference(const classfile::MemberRef& ref, Opcode op,
                                     Name caller, bool initializes,
                                     Name* initialized) {
  const auto found =
      resolve_field(world_, ref.owner, ref.name, ref.descriptor);
  if (!found.unknown.empty()) {
    return node(NodeKind::kUnknown,
                classfile::dotted(found.unknown) + rest_of(found));
  }
  if (!found.found()) return error(found.error);
  if (!member_accessible(world_, caller, ref.owner, *found.holder,
                         found.field->access)) {
    return error(LinkError::kIllegalAccess);
  }
  const bool is_static = op == Opcode::k_getstatic || op == Opcode::k_putstatic;
  if (found.field->is(classfile::kAccStatic) != is_static) {
    return error(LinkError::kIncompatibleClassChange);
  }
  if (writes(op) && !may_write(found, caller, initializes)) {
    return error(LinkError::kIllegalAccess);
  }
  if (is_static) *initialized = found.holder->name;
  return member_node(NodeKind::kField, found.holder->name, ref.name,
                     ref.descriptor);
}

NodeId GraphBuilder::reference(const classfile::MemberRef& ref, Opcode op,
                               Name caller, bool initializes,
                               Name* initialized) {
  const bool array = !ref.owner.empty() && ref.owner[0] == '[';
  const ClassNode* owner = world_.find(ref.owner);
  if (!array && owner != nullptr && owner->readable() &&
      !class_accessible(world_, caller, *owner)) {
    return error(LinkError::kIllegalAccess);
  }
  if (ref.field) {
    return field_reference(ref, op, caller, initializes, initialized);
  }
  const MethodReference method{ref.owner, ref.name, ref.descriptor,
                               ref.interface};
  auto answer = resolve_method(world_, method);
  if (!answer.found()) return target_of(answer);
  if (!member_accessible(world_, caller, ref.owner, *answer.holder,
                         answer.method->access,
                         array && ref.name == "clone")) {
    return error(LinkError::kIllegalAccess);
  }
  if (answer.method->is(classfile::kAccStatic) !=
      (op == Opcode::k_invokestatic)) {
    return error(LinkError::kIncompatibleClassChange);
  }
  if (op == Opcode::k_invokestatic) *initialized = answer.holder->name;
  if (op == Opcode::k_invokespecial) {
    return target_of(resolve_special(world_, caller, method));
  }
  const bool is_virtual =
      op == Opcode::k_invokevirtual || op == Opcode::k_invokeinterface;
  if (!is_virtual || answer.method->is(classfile::kAccPrivate)) {
    return target_of(answer);
  }
  return dispatch(answer, op == Opcode::k_invokeinterface);
}

// Linking a call site, a handle or a method type looks its types up; those of
// java.* are the platform's alone, and stay what they are.
void GraphBuilder::descriptor_types(std::string_view descriptor, Name caller,
                                    EdgeKind kind, const Sink& sink) {
  for (std::size_t at = descriptor.find('L'); at != std::string_view::npos;
       at = descriptor.find('L', at)) {
    const auto end = descriptor.find(';', at);
    if (end == std::string_view::npos) return;
    const Name name = descriptor.substr(at + 1, end - at - 1);
    if (!name.starts_with("java/")) {
      sink(class_use(name, caller), kind, "type");
    }
    at = end;
  }
}

void GraphBuilder::handle_uses(const ClassView& cls, std::uint16_t index,
                               Name caller, std::string_view label,
                               const Sink& sink) {
  const auto handle = cls.pool().handle(index);
  Name ignored;
  sink(reference(handle.ref, handle_op(handle.kind), caller, false, &ignored),
       EdgeKind::kHandle, label);
  if (!handle.ref.owner.starts_with("java/")) {
    sink(class_use(handle.ref.owner, caller), EdgeKind::kClass, "owner");
  }
  descriptor_types(handle.ref.descriptor, caller, EdgeKind::kClass, sink);
}

// A constant that is loaded, or an argument of a bootstrap method.
void GraphBuilder::constant_uses(const ClassView& cls, std::uint16_t index,
                                 Name caller, std::string_view label,
                                 std::vector<bool>& seen, const Sink& sink) {
  const auto& pool = cls.pool();
  switch (pool.tag(index)) {
    case Tag::kClass:
      sink(class_use(pool.text(index), caller), EdgeKind::kClass, label);
      return;
    case Tag::kMethodType:
      descriptor_types(pool.text(index), caller, EdgeKind::kClass, sink);
      return;
    case Tag::kMethodHandle:
      handle_uses(cls, index, caller, label, sink);
      return;
    case Tag::kDynamic: {
      const auto dynamic = pool.dynamic(index);
      descriptor_types(dynamic.descriptor, caller, EdgeKind::kClass, sink);
      if (dynamic.bootstrap >= seen.size() || seen[dynamic.bootstrap]) return;
      seen[dynamic.bootstrap] = true;
      const auto& row = cls.bootstrap_methods()[dynamic.bootstrap];
      handle_uses(cls, row.handle, caller, label, sink);
      for (const std::uint16_t argument : row.arguments) {
        constant_uses(cls, argument, caller, label, seen, sink);
      }
      return;
    }
    default:
      return;
  }
}

void GraphBuilder::bootstrap(const ClassView& cls, std::uint16_t constant,
                             NodeId boot, bool is_site) {
  const auto& pool = cls.pool();
  const auto dynamic = pool.dynamic(constant);
  if (dynamic.bootstrap >= cls.bootstrap_methods().size()) return;
  const auto& row = cls.bootstrap_methods()[dynamic.bootstrap];
  const Name caller = world_.names().intern(cls.name());
  std::vector<NodeId> bodies;
  const Sink sink = [&](NodeId to, EdgeKind kind, std::string_view label) {
    if (kind == EdgeKind::kHandle) bodies.push_back(to);
    edge(boot, to, kind, label);
  };
  const auto factory = pool.handle(row.handle);
  Name ignored;
  edge(boot,
       reference(factory.ref, handle_op(factory.kind), caller, false, &ignored),
       EdgeKind::kCall, "bootstrap");
  descriptor_types(factory.ref.descriptor, caller, EdgeKind::kClass, sink);
  descriptor_types(dynamic.descriptor, caller, EdgeKind::kClass, sink);
  std::vector<bool> seen(cls.bootstrap_methods().size(), false);
  seen[dynamic.bootstrap] = true;
  for (std::size_t i = 0; i < row.arguments.size(); ++i) {
    constant_uses(cls, row.arguments[i], caller, std::to_string(i), seen, sink);
  }
  if (!is_site || bodies.empty()) return;
  // A receiver type of its own, which runs the body for its one method.
  const auto site = lambda_site(cls, constant);
  if (!site) return;
  const Name label = symbols_->text(nodes_[boot].label);
  const NodeId lambda = node(NodeKind::kLambda, label);
  LambdaType type;
  type.node = lambda;
  type.method = world_.names().intern(site->method);
  edge(boot, lambda, EdgeKind::kLambda,
       classfile::dotted(site->interfaces.front()));
  edge(ecn(), lambda, EdgeKind::kExternal, label);
  for (const Name itf : site->interfaces) {
    type.interfaces.push_back(world_.names().intern(itf));
    edge(lambda, class_use(itf, caller), EdgeKind::kClass, "implements");
  }
  for (const auto& each : site->descriptors) {
    type.descriptors.push_back(world_.names().intern(each));
    edge(lambda, bodies.front(), EdgeKind::kOverride, site->method + each);
  }
  lambdas_.push_back(std::move(type));
}

// What reflection, serialization and frameworks see of a class, a facet an edge.
void GraphBuilder::shell_facets(const ClassView& cls, NodeId self,
                                NodeId shell) {
  static constexpr std::pair<std::string_view, std::string_view> kFacets[] = {
      {"Signature", "generics"},
      {"RuntimeVisibleAnnotations", "annotations"},
      {"RuntimeVisibleParameterAnnotations", "annotations"},
      {"RuntimeVisibleTypeAnnotations", "annotations"},
      {"AnnotationDefault", "annotations"},
      {"Exceptions", "exceptions"},
      {"MethodParameters", "parameters"},
      {"Record", "record"},
      {"PermittedSubclasses", "permitted"},
      {"NestHost", "nest"},
      {"NestMembers", "nest"},
      {"InnerClasses", "inner"},
      {"EnclosingMethod", "inner"},
      {"SourceFile", "debug"},
      {"LineNumberTable", "debug"},
      {"LocalVariableTable", "debug"}};
  std::vector<std::string_view> found = {"members", "hierarchy"};
  const auto look = [&](std::span<const classfile::AttributeView> attributes) {
    for (const auto& attribute : attributes) {
      for (const auto& [name, facet] : kFacets) {
        if (attribute.name != name ||
            std::find(found.begin(), found.end(), facet) != found.end()) {
          continue;
        }
        found.push_back(facet);
      }
    }
  };
  look(cls.attributes());
  for (const MemberView& field : cls.fields()) look(field.attributes);
  for (const MemberView& method : cls.methods()) {
    look(method.attributes);
    look(method.code_attributes);
  }
  if (world_.is_subtype(cls.name(), "java/io/Serializable")) {
    found.push_back("serialization");
  }
  std::sort(found.begin(), found.end());
  for (const auto facet : found) edge(self, shell, EdgeKind::kShell, facet);
}

// Whether a value of class R passes a test for X is said once for all tests: by
// an edge from X to R. And what keeps R from being linked.
void GraphBuilder::type_edges() {
  std::vector<NodeId> nodes(hierarchy_.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = class_node(hierarchy_.name(TypeId::of(i)));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TypeId id = TypeId::of(i);
    const ClassNode* found = hierarchy_.node(id);
    if (found == nullptr || !found->internal) continue;
    for (const TypeId above : hierarchy_.supers(id)) {
      if (hierarchy_.name(above) == "java/lang/Object") continue;
      edge(nodes[above.index()], nodes[i], EdgeKind::kSubtype);
    }
    const std::string problem = link_problem(world_, found->name);
    if (problem.empty()) continue;
    const std::string kind = problem.substr(0, problem.find(':'));
    edge(nodes[i],
         kind == problem ? node(NodeKind::kUnknown, problem)
                         : node(NodeKind::kError, kind),
         EdgeKind::kLink, problem);
  }
}

}  // namespace rejig::jig
