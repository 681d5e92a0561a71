// SPDX-License-Identifier: Apache-2.0
// Which method runs for a receiver now (channel C4)? For every receiver class
// with a changed shell above it and every signature that such a shell can move:
// select(P, R, r) against select(P', R, r'), for each method r that a reference
// can resolve to on the way up. Nobody's call site is asked, so calls by
// reflection, handles and external code are covered.
#include <algorithm>

#include "traversal/session.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;
using jig::MethodAnswer;
using jig::MethodShell;
using jig::World;

namespace {

bool dispatched(const MethodShell& method) {
  return !method.is(classfile::kAccStatic) && !method.is_initializer();
}

std::string fact_of(const MethodAnswer& answer) {
  if (!answer.unknown.empty()) {
    return "a class that is not there: " + std::string(answer.unknown);
  }
  if (!answer.found()) return std::string(jig::name_of(answer.error));
  return classfile::method_entity(answer.holder->name, answer.method->name,
                                  answer.method->descriptor);
}

class Selections {
 public:
  Selections(const Session& session, const ClassNode& receiver,
             const ClassNode& partner)
      : session_(session), old_(receiver), new_(partner) {}

  std::vector<Delta> run() {
    const auto owners = closure(session_.old_world, old_.name);
    const auto new_owners = closure(session_.new_world, new_.name);
    bool same_closure = owners.size() == new_owners.size();
    std::set<std::string> new_set(new_owners.begin(), new_owners.end());
    for (const Name owner : owners) {
      same_closure = same_closure &&
                     new_set.contains(session_.renaming.class_name(owner));
    }
    std::set<std::pair<Name, Name>> signatures;
    for (const Name owner : owners) {
      const ClassNode* node = session_.old_world.find(owner);
      collect(node, same_closure, owner, signatures, false);
    }
    for (const Name owner : new_owners) {
      const ClassNode* node = session_.new_world.find(owner);
      collect(node, same_closure, owner, signatures, true);
    }
    for (const auto& [name, descriptor] : signatures) {
      for (const Name owner : owners) one(owner, name, descriptor);
    }
    return std::move(out_);
  }

 private:
  static std::vector<Name> closure(const World& world, Name name) {
    auto out = world.supers(name).names;
    out.push_back(name);
    return out;
  }

  // Signatures that may move: those a changed shell declares; all of them when
  // the set of supertypes itself changed. Descriptors in old terms.
  void collect(const ClassNode* node, bool same_closure, Name owner,
               std::set<std::pair<Name, Name>>& out, bool of_new) {
    if (node == nullptr || !node->readable()) return;
    if (same_closure && !session_.structure_changed.contains(owner)) return;
    for (const MethodShell& method : node->shell->methods) {
      if (method.is(classfile::kAccStatic) || method.is_initializer()) {
        continue;
      }
      Name descriptor = method.descriptor;
      if (of_new && !session_.renaming.is_identity()) {
        descriptor = old_descriptor(descriptor);
      }
      out.emplace(method.name, descriptor);
    }
  }

  Name old_descriptor(Name descriptor) {
    std::string out;
    Name rest = descriptor;
    while (!rest.empty()) {
      const auto end = rest.front() == 'L' ? rest.find(';') : Name::npos;
      if (end == Name::npos) {
        out += rest.front();
        rest.remove_prefix(1);
        continue;
      }
      out += 'L' + session_.renaming.old_class_name(rest.substr(1, end - 1)) +
             ';';
      rest.remove_prefix(end + 1);
    }
    return session_.partner_names.intern(out);
  }

  bool same(const MethodAnswer& a, const MethodAnswer& b) const {
    if (!a.unknown.empty() || !b.unknown.empty()) {
      return session_.renaming.same_class(a.unknown, b.unknown);
    }
    if (!a.found() || !b.found()) return a.found() == b.found();
    return a.holder->internal == b.holder->internal &&
           session_.renaming.same_class(a.holder->name, b.holder->name);
  }

  void one(Name owner, Name name, Name descriptor) {
    const ClassNode* owner_node = session_.old_world.find(owner);
    if (owner_node == nullptr || !owner_node->readable()) return;
    const bool itf = owner_node->shell->is_interface();
    const auto resolved =
        jig::resolve_method(session_.old_world, {owner, name, descriptor, itf});
    const std::string new_owner = session_.renaming.class_name(owner);
    const std::string new_descriptor = session_.renaming.descriptor(descriptor);
    const auto resolved_now = jig::resolve_method(
        session_.new_world, {new_owner, name, new_descriptor, itf});
    if (!resolved.found()) {
      beyond_the_world(owner, resolved, resolved_now, name, descriptor);
      return;
    }
    if (!dispatched(*resolved.method)) return;
    if (!resolved_now.found()) {
      // A reference that no longer resolves is a matter of resolution; one that
      // now ends in an unknown class may select anything.
      if (!resolved_now.unknown.empty()) {
        report(jig::select_method(session_.old_world, old_, resolved).specified,
               resolved_now, name, descriptor);
      }
      return;
    }
    const auto a = jig::select_method(session_.old_world, old_, resolved);
    const auto b = jig::select_method(session_.new_world, new_, resolved_now);
    if (same(a.specified, b.specified) && same(a.hotspot, b.hotspot) &&
        a.several_defaults == b.several_defaults) {
      return;
    }
    report(a.specified,
           same(a.specified, b.specified) ? b.hotspot : b.specified, name,
           descriptor);
  }

  // Above the receiver stands a class that is not in the world, which may
  // declare the method: what the receiver has now may override it.
  void beyond_the_world(Name owner, const MethodAnswer& before,
                        const MethodAnswer& now, Name name, Name descriptor) {
    if (owner != old_.name || before.unknown.empty()) return;
    if (!now.found()) {
      if (now.unknown.empty() ||
          !session_.renaming.same_class(before.unknown, now.unknown)) {
        report(before, now, name, descriptor);
      }
      return;
    }
    if (!dispatched(*now.method) || now.method->is(classfile::kAccPrivate)) {
      return;
    }
    report(before,
           jig::select_method(session_.new_world, new_, now).specified, name,
           descriptor);
  }

  void report(const MethodAnswer& a, const MethodAnswer& b, Name name,
              Name descriptor) {
    Delta d;
    d.channel = Channel::kSelection;
    d.label = classfile::dotted(old_.name);
    d.old_fact = fact_of(a);
    d.new_fact = fact_of(b);
    d.receivers.push_back(d.label);
    const bool internal = a.found() && a.holder->internal;
    d.rule = internal && a.method->has_code ? Rule::kD7 : Rule::kD8;
    if (d.rule == Rule::kD7) d.target = d.old_fact;
    d.entity = a.found() ? d.old_fact
                         : classfile::method_entity(old_.name, name,
                                                    descriptor);
    d.why = "`" + d.entity + "` now runs `" + d.new_fact +
            "` for receivers of class `" + d.label + "`";
    if (!a.found()) {
      d.why = "`" + d.entity + "` ended in " + d.old_fact + " and now runs `" +
              d.new_fact + "` for receivers of class `" + d.label + "`";
    }
    const auto key = std::make_pair(d.old_fact + " " + std::string(name) +
                                        std::string(descriptor),
                                    d.new_fact);
    if (reported_.insert(key).second) out_.push_back(std::move(d));
  }

  const Session& session_;
  const ClassNode& old_;
  const ClassNode& new_;
  std::vector<Delta> out_;
  std::set<std::pair<std::string, std::string>> reported_;
};

// Those who create one are told by the reference; whoever got one otherwise has
// nothing but the instance.
Delta no_more_instances(const ClassNode& receiver) {
  Delta d;
  d.rule = Rule::kD8;
  d.channel = Channel::kSelection;
  d.entity = classfile::dotted(receiver.name);
  d.label = d.entity;
  d.old_fact = "has instances";
  d.new_fact = "cannot be instantiated";
  d.receivers.push_back(d.entity);
  d.why = "there can be no instances of `" + d.entity + "` any more";
  return d;
}

}  // namespace

void compare_selection(Session& session) {
  const auto& names = session.doubtful_sorted;
  std::vector<std::vector<Delta>> found(names.size());
  session.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    const ClassNode* receiver = session.old_world.find(names[i]);
    if (receiver == nullptr || !receiver->internal || !receiver->readable() ||
        receiver->shell->is_interface() ||
        receiver->shell->is(classfile::kAccAbstract)) {
      return;
    }
    const ClassNode* partner = session.partner(names[i]);
    if (partner == nullptr || !partner->readable()) return;
    if (partner->shell->is_interface() ||
        partner->shell->is(classfile::kAccAbstract)) {
      found[i].push_back(no_more_instances(*receiver));
    }
    for (auto& edge : Selections(session, *receiver, *partner).run()) {
      found[i].push_back(std::move(edge));
    }
  });
  for (auto& list : found) {
    for (auto& edge : list) session.edges.push_back(std::move(edge));
  }
}

}  // namespace rejig::traversal
