// SPDX-License-Identifier: Apache-2.0
// Which method runs for a receiver now (channel C4)? For every receiver class
// with a changed shell above it and every signature that such a shell can move:
// select(P, R, r) against select(P', R, r'), for each method r that a reference
// can resolve to on the way up. Nobody's call site is asked, so calls by
// reflection, handles and external code are covered.
#include <algorithm>

#include "traversal/dispatch_cause.h"
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
    return "a class that is not there: " + std::string(answer.unknown) +
           jig::rest_of(answer);
  }
  if (!answer.found()) return std::string(jig::name_of(answer.error));
  return classfile::method_entity(answer.holder->name, answer.method->name,
                                  answer.method->descriptor);
}

using Deleted = base::HashMap<std::string_view, Delta*>;

class Selections {
 public:
  Selections(const Session& session, const Deleted& deleted,
             const ClassNode& receiver, const ClassNode& partner)
      : session_(session), deleted_(deleted), old_(receiver), new_(partner) {}

  // Deleted methods of the receiver's class, and what it runs in their place.
  std::vector<std::pair<std::string, std::string>> instead;

  std::vector<Delta> run() {
    const auto owners = closure(session_.old_world, old_.name);
    const auto new_owners = closure(session_.new_world, new_.name);
    const bool same = same_closure(owners, new_owners);
    std::vector<Signature> signatures;
    for (const Name owner : owners) {
      collect(session_.old_world.find(owner), same, owner, signatures, false);
    }
    for (const Name owner : new_owners) {
      collect(session_.new_world.find(owner), same, owner, signatures, true);
    }
    std::sort(signatures.begin(), signatures.end());
    signatures.erase(std::unique(signatures.begin(), signatures.end()),
                     signatures.end());
    std::vector<const ClassNode*> nodes;
    bool all_known = !session_.old_world.supers(old_.name).open;
    for (const Name owner : owners) {
      const ClassNode* node = session_.old_world.find(owner);
      all_known = all_known && node != nullptr && node->readable();
      if (node != nullptr && node->readable()) nodes.push_back(node);
    }
    for (const Signature& signature : signatures) {
      const Name name = signature.first;
      const Name descriptor = signature.second;
      // What no class declares in the old program no reference finds there.
      const auto declares = [&](const ClassNode* node) {
        return node->shell->method(name, descriptor) != nullptr;
      };
      if (all_known && std::none_of(nodes.begin(), nodes.end(), declares)) {
        continue;
      }
      for (const Name owner : owners) one(owner, name, descriptor);
    }
    return std::move(out_);
  }

 private:
  using Signature = std::pair<Name, Name>;  // name, old descriptor

  // Both sorted but for the class itself, which is the last one.
  bool same_closure(const std::vector<Name>& olds,
                    const std::vector<Name>& news) const {
    if (session_.renaming.is_identity()) return olds == news;
    if (olds.size() != news.size()) return false;
    const std::set<std::string> wanted(news.begin(), news.end());
    return std::all_of(olds.begin(), olds.end(), [&](Name owner) {
      return wanted.contains(session_.renaming.class_name(owner));
    });
  }

  static std::vector<Name> closure(const World& world, Name name) {
    auto out = world.supers(name).names;
    out.push_back(name);
    return out;
  }

  // Signatures that may move: those a changed shell declares; all of them when
  // the set of supertypes itself changed. Descriptors in old terms.
  void collect(const ClassNode* node, bool same, Name owner,
               std::vector<Signature>& out, bool of_new) {
    if (node == nullptr || !node->readable()) return;
    if (same && !session_.structure_changed.contains(owner)) return;
    const bool all = !same || session_.relations_changed.contains(owner);
    for (const MethodShell& method : node->shell->methods) {
      if (method.is(classfile::kAccStatic) || method.is_initializer() ||
          is_lambda_body(method)) {
        continue;
      }
      if (!all && !session_.members_changed.contains(
                      Session::signature_of(method.name, method.descriptor))) {
        continue;
      }
      Name descriptor = method.descriptor;
      if (of_new && !session_.renaming.is_identity()) {
        descriptor = old_descriptor(descriptor);
      }
      out.emplace_back(method.name, descriptor);
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
      out +=
          'L' + session_.renaming.old_class_name(rest.substr(1, end - 1)) + ';';
      rest.remove_prefix(end + 1);
    }
    return session_.partner_names.intern(out);
  }

  bool is_removed(Name name) const {
    return std::binary_search(session_.removed.begin(), session_.removed.end(),
                              name);
  }

  bool same(const MethodAnswer& a, const MethodAnswer& b) const {
    if (!session_.renaming.same_class(a.unknown, b.unknown)) return false;
    if (!a.unknown.empty() && !same_unknown()) return false;
    if (a.method == nullptr || b.method == nullptr) return a.method == b.method;
    return a.holder->internal == b.holder->internal &&
           session_.renaming.same_class(a.holder->name, b.holder->name);
  }

  // The same classes above the receiver are not in the world.
  bool same_unknown() const {
    std::vector<std::string> names;
    for (const Name name : session_.old_world.supers(old_.name).unknown) {
      names.push_back(session_.renaming.class_name(name));
    }
    std::sort(names.begin(), names.end());
    const auto& now = session_.new_world.supers(new_.name).unknown;
    return std::equal(names.begin(), names.end(), now.begin(), now.end());
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
      // now ends in an unknown class may select anything. Whoever names a class
      // that is deleted has loaded it, and is selected for that (D14).
      if (!resolved_now.unknown.empty() &&
          !(resolved_now.unknown == new_owner && is_removed(owner))) {
        report(jig::select_method(session_.old_world, old_, resolved).specified,
               resolved_now, name, descriptor);
      }
      return;
    }
    const auto a = jig::select_method(session_.old_world, old_, resolved,
                                      itf ? Name() : owner);
    const auto b = jig::select_method(session_.new_world, new_, resolved_now,
                                      itf ? Name() : Name(new_owner));
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
      if (now.unknown.empty() || !same(before, now)) {
        report(before, now, name, descriptor);
      }
      return;
    }
    if (!dispatched(*now.method) || now.method->is(classfile::kAccPrivate)) {
      return;
    }
    report(before, jig::select_method(session_.new_world, new_, now).specified,
           name, descriptor);
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
    if (d.rule == Rule::kD7 && deleted_.contains(d.target)) {
      // Whoever ran it is selected because it is deleted (D1).
      if (a.holder == &old_) {
        instead.emplace_back(std::move(d.target), std::move(d.new_fact));
      }
      return;
    }
    d.entity = a.found()
                   ? d.old_fact
                   : classfile::method_entity(old_.name, name, descriptor);
    const auto key = std::make_pair(
        d.old_fact + " " + std::string(name) + std::string(descriptor),
        d.new_fact);
    if (!reported_.insert(key).second) return;
    auto cause = dispatch_cause(session_, old_, a, b, name, descriptor);
    d.why = std::move(cause.because);
    d.file = std::move(cause.file);
    d.line = cause.line;
    out_.push_back(std::move(d));
  }

  const Session& session_;
  const Deleted& deleted_;
  const ClassNode& old_;
  const ClassNode& new_;
  std::vector<Delta> out_;
  std::set<std::pair<std::string, std::string>> reported_;
};

Deleted deleted_methods(Session& session) {
  Deleted out;
  for (Delta& d : session.edges) {
    if (d.rule == Rule::kD1 && d.new_fact.starts_with("deleted") &&
        d.at.size() == 1 && d.at.front() == d.entity) {
      out.try_emplace(d.entity, &d);
    }
  }
  return out;
}

// What changes alike for many receivers is one edge.
void group_by_receiver(std::vector<std::vector<Delta>>& found,
                       std::vector<Delta>& out) {
  const std::size_t first = out.size();
  base::HashMap<std::string, std::size_t> groups;
  for (auto& list : found) {
    for (Delta& d : list) {
      const auto [at, added] = groups.try_emplace(
          d.entity + '\n' + d.old_fact + '\n' + d.new_fact, out.size());
      if (added) {
        out.push_back(std::move(d));
        continue;
      }
      Delta& group = out[*at];
      group.receivers.push_back(std::move(d.receivers.front()));
      if (group.why != d.why) group.why.clear();
    }
  }
  for (std::size_t i = first; i < out.size(); ++i) {
    Delta& d = out[i];
    const bool ended = d.old_fact != d.entity;
    const std::string because = d.why.empty() ? "" : ", because " + d.why;
    d.why = "`" + d.entity + "`" +
            (ended ? " ended in " + d.old_fact + " and now runs `"
                   : " now runs `") +
            d.new_fact + "` for receivers of class `" + d.label + "`";
    if (d.receivers.size() > 1) {
      const std::string more =
          " and " + std::to_string(d.receivers.size() - 1) + " more";
      d.label += more;
      d.why += more;
    }
    d.why += because;
  }
}

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
  const Deleted deleted = deleted_methods(session);
  std::vector<std::vector<Delta>> found(names.size());
  std::vector<std::vector<std::pair<std::string, std::string>>> instead(
      names.size());
  std::vector<std::uint8_t> no_instances(names.size(), 0);
  session.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    const ClassNode* receiver = session.old_world.find(names[i]);
    if (receiver == nullptr || !receiver->internal || !receiver->readable() ||
        receiver->shell->is_interface() ||
        receiver->shell->is(classfile::kAccAbstract)) {
      return;
    }
    const ClassNode* partner = session.partner(names[i]);
    if (partner == nullptr || !partner->readable()) return;
    no_instances[i] = partner->shell->is_interface() ||
                      partner->shell->is(classfile::kAccAbstract);
    Selections selections(session, deleted, *receiver, *partner);
    found[i] = selections.run();
    instead[i] = std::move(selections.instead);
  });
  for (const auto& list : instead) {
    for (const auto& [target, now] : list) {
      Delta& d = **deleted.find(target);
      d.why = "`" + target + "` is deleted; receivers of its class now run `" +
              now + "`";
    }
  }
  group_by_receiver(found, session.edges);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (no_instances[i] != 0) {
      session.edges.push_back(
          no_more_instances(*session.old_world.find(names[i])));
    }
  }
}

}  // namespace rejig::traversal
