// SPDX-License-Identifier: Apache-2.0
// Which method runs for a receiver now (channel C4)? For every receiver class
// with a changed shell above it and every signature that such a shell can move:
// select(P, R, r) against select(P', R, r'), for each method r that a reference
// can resolve to on the way up. Nobody's call site is asked, so calls by
// reflection, handles and external code are covered.
#include <algorithm>
#include <set>

#include "jig/lookup/resolve.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/lookup/dispatch_cause.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;
using jig::MethodAnswer;
using jig::MethodShell;
using jig::World;

namespace {

using Deleted = base::HashMap<std::string_view, Delta*>;

class Selections {
 public:
  Selections(const Structure& structure, const Deleted& deleted,
             const ClassNode& receiver, const ClassNode& partner)
      : structure_(structure),
        deleted_(deleted),
        old_(receiver),
        new_(partner) {}

  // Deleted methods of the receiver's class, and what it runs in their place.
  std::vector<std::pair<std::string, std::string>> instead;

  std::vector<Delta> run() {
    owners_ = closure(structure_.worlds.old_world, old_);
    new_owners_ = closure(structure_.worlds.new_world, new_);
    // One relation inside that differs may decide between any two methods.
    same_relations_ =
        same_closure() &&
        std::none_of(owners_.begin(), owners_.end(), [&](const Owner& owner) {
          return structure_.relations_changed.contains(owner.name) ||
                 implements_otherwise(owner);
        });
    std::vector<Signature> signatures;
    for (const Owner& owner : owners_) collect(owner, signatures, false);
    for (const Owner& owner : new_owners_) collect(owner, signatures, true);
    std::sort(signatures.begin(), signatures.end());
    signatures.erase(std::unique(signatures.begin(), signatures.end()),
                     signatures.end());
    all_known_ = !structure_.worlds.old_world.supers(old_).open &&
                 std::ranges::all_of(owners_, &Owner::readable);
    for (const Signature& signature : signatures) ask(signature);
    return std::move(out_);
  }

 private:
  struct Signature {
    std::uint64_t hash = 0;
    Name name;
    Name descriptor;  // old
    friend auto operator<=>(const Signature&, const Signature&) = default;
  };
  // The class itself or one above it.
  struct Owner {
    Name name;
    const ClassNode* node = nullptr;
    bool readable() const { return node != nullptr && node->readable(); }
  };
  struct Declaration {
    const ClassNode* node = nullptr;
    const MethodShell* method = nullptr;
  };

  // Sorted but for the class itself, which is the last one.
  static std::vector<Owner> closure(const World& world, const ClassNode& node) {
    const auto& supers = world.supers(node);
    std::vector<Owner> out;
    out.reserve(supers.names.size() + 1);
    for (std::size_t i = 0; i < supers.names.size(); ++i) {
      out.push_back({supers.names[i], supers.nodes[i]});
    }
    out.push_back({node.name, &node});
    return out;
  }

  bool same_closure() const {
    if (owners_.size() != new_owners_.size()) return false;
    if (structure_.matching.renaming.is_identity()) {
      return std::ranges::equal(owners_, new_owners_, {}, &Owner::name,
                                &Owner::name);
    }
    std::set<std::string> wanted;
    for (const Owner& owner : new_owners_) wanted.emplace(owner.name);
    return std::all_of(owners_.begin(), owners_.end(), [&](const Owner& owner) {
      return wanted.contains(
          structure_.matching.renaming.class_name(owner.name));
    });
  }

  // HotSpot treats a class otherwise when an interface above it implements
  // anything at all.
  bool implements_otherwise(const Owner& owner) const {
    if (!owner.readable() || !owner.node->shell->is_interface() ||
        !structure_.structure_changed.contains(owner.name)) {
      return false;
    }
    const auto implements = [](const ClassNode* node) {
      return node != nullptr && node->readable() &&
             std::ranges::any_of(node->shell->methods, [](const auto& method) {
               return !method.is(classfile::kAccAbstract) &&
                      !method.is(classfile::kAccStatic);
             });
    };
    return implements(owner.node) !=
           implements(structure_.matching.partner(owner.name));
  }

  // Signatures that may move: those that a changed class declares otherwise; all
  // of them when the relations of the classes above changed.
  void collect(const Owner& owner, std::vector<Signature>& out,
               bool of_new) const {
    if (!owner.readable()) return;
    const std::vector<std::uint64_t>* changed = nullptr;
    if (same_relations_) {
      changed = structure_.members_changed_of.find(owner.name);
      if (changed == nullptr) return;
    }
    for (const MethodShell& method : owner.node->shell->methods) {
      if (!is_dispatched(method) || is_lambda_body(method)) continue;
      if (changed != nullptr &&
          !std::binary_search(changed->begin(), changed->end(), method.hash)) {
        continue;
      }
      Signature signature{method.hash, method.name, method.descriptor};
      if (of_new && !structure_.matching.renaming.leaves(method.descriptor)) {
        signature.descriptor = old_descriptor(method.descriptor);
        signature.hash = jig::MemberKey(method.name, signature.descriptor).hash;
      }
      out.push_back(signature);
    }
  }

  static void declarations(const std::vector<Owner>& owners,
                           const jig::MemberKey& key,
                           std::vector<Declaration>& out) {
    out.clear();
    for (const Owner& owner : owners) {
      if (!owner.readable()) continue;
      const MethodShell* method = owner.node->shell->method(key);
      if (method != nullptr) out.push_back({owner.node, method});
    }
  }

  void ask(const Signature& signature) {
    const jig::MemberKey key(signature.name, signature.descriptor,
                             signature.hash);
    declarations(owners_, key, declared_);
    // What no class declares in the old program no reference finds there.
    if (declared_.empty() && all_known_) return;
    std::string descriptor;
    jig::MemberKey new_key = key;
    if (!structure_.matching.renaming.leaves(key.descriptor)) {
      descriptor = structure_.matching.renaming.descriptor(key.descriptor);
      new_key = jig::MemberKey(key.name, descriptor);
    }
    if (declared_.empty()) {
      one(owners_.back(), key, new_key);
      return;
    }
    declarations(new_owners_, new_key, declared_now_);
    if (declared_alone()) return;
    asked_.clear();
    // Who may override each other run the same method whatever was resolved.
    if (all_override() && one(owners_.back(), key, new_key)) {
      for (const Owner& owner : owners_) {
        if (may_be_unknown_now(owner)) one(owner, key, new_key);
      }
      return;
    }
    for (const Owner& owner : owners_) one(owner, key, new_key);
  }

  // Public or protected in a class file of today: the most derived one runs.
  bool all_override() const {
    const auto overridable = [](const Declaration& one) {
      constexpr std::uint16_t kOldTables = 50;  // HotSpot's, up to this version
      return (one.method->is(classfile::kAccPublic) ||
              one.method->is(classfile::kAccProtected)) &&
             !one.method->is(classfile::kAccPrivate) &&
             !one.method->is(classfile::kAccStatic) &&
             one.node->shell->major > kOldTables;
    };
    return std::ranges::all_of(declared_, overridable) &&
           std::ranges::all_of(declared_now_, overridable);
  }

  // Can a reference to the class end in one that is not there?
  bool may_be_unknown_now(const Owner& owner) const {
    if (owner.node == &old_) return false;
    const ClassNode* now = structure_.matching.partner(owner.name);
    return now == nullptr || !now->readable() ||
           structure_.worlds.new_world.supers(*now).open;
  }

  // A superclass or the class itself?
  static bool is_in_chain(const World& world, const ClassNode& from,
                          const ClassNode* wanted) {
    const auto& above = world.supers(from).nodes;
    const ClassNode* at = &from;
    for (std::size_t left = above.size() + 1; at != wanted && left > 0; --left) {
      if (at == nullptr || !at->readable()) return false;
      at = world.above(*at).super;
    }
    return at == wanted;
  }

  // One class of the chain declares it, now as before, and no interface: every
  // reference that finds it finds it there, and every receiver runs it.
  bool declared_alone() const {
    if (declared_.size() != 1 || declared_now_.size() != 1) return false;
    const auto& [before, method] = declared_.front();
    const auto& [now, same_method] = declared_now_.front();
    constexpr unsigned kSeen =
        classfile::kAccPublic | classfile::kAccProtected |
        classfile::kAccPrivate | classfile::kAccStatic |
        classfile::kAccAbstract;
    return !before->shell->is_interface() && !now->shell->is_interface() &&
           is_in_chain(structure_.worlds.old_world, old_, before) &&
           is_in_chain(structure_.worlds.new_world, new_, now) &&
           before->internal == now->internal &&
           structure_.matching.renaming.same_class(before->name, now->name) &&
           !method->is(classfile::kAccPrivate) &&
           !method->is(classfile::kAccStatic) &&
           (method->access & kSeen) == (same_method->access & kSeen) &&
           method->has_code == same_method->has_code;
  }

  Name old_descriptor(Name descriptor) const {
    std::string out;
    Name rest = descriptor;
    while (!rest.empty()) {
      const auto end = rest.front() == 'L' ? rest.find(';') : Name::npos;
      if (end == Name::npos) {
        out += rest.front();
        rest.remove_prefix(1);
        continue;
      }
      out += 'L' +
             structure_.matching.renaming.old_class_name(
                 rest.substr(1, end - 1)) +
             ';';
      rest.remove_prefix(end + 1);
    }
    return structure_.matching.keep_name(out);
  }

  bool is_removed(Name name) const {
    return std::binary_search(structure_.matching.removed.begin(),
                              structure_.matching.removed.end(), name);
  }

  bool same(const MethodAnswer& a, const MethodAnswer& b) const {
    if (!structure_.matching.renaming.same_class(a.unknown, b.unknown))
      return false;
    if (!a.unknown.empty() && !same_unknown()) return false;
    if (a.method == nullptr || b.method == nullptr) return a.method == b.method;
    return a.holder->internal == b.holder->internal &&
           structure_.matching.renaming.same_class(a.holder->name,
                                                   b.holder->name);
  }

  // The same classes above the receiver are not in the world.
  bool same_unknown() const {
    std::vector<std::string> names;
    for (const Name name :
         structure_.worlds.old_world.supers(old_.name).unknown) {
      names.push_back(structure_.matching.renaming.class_name(name));
    }
    std::sort(names.begin(), names.end());
    const auto& now = structure_.worlds.new_world.supers(new_.name).unknown;
    return std::equal(names.begin(), names.end(), now.begin(), now.end());
  }

  // What was asked of the receiver for the signature at hand.
  struct Asked {
    const MethodShell* before = nullptr;
    const MethodShell* now = nullptr;
    Name owner;  // of an interface's method that is called through a class
    friend bool operator==(const Asked&, const Asked&) = default;
  };

  // True: the reference is found in both versions.
  bool one(const Owner& owner, const jig::MemberKey& key,
           const jig::MemberKey& new_key) {
    if (!owner.readable()) return false;
    const bool itf = owner.node->shell->is_interface();
    const auto resolved = jig::resolve_method(
        structure_.worlds.old_world, {owner.name, key.name, key.descriptor, itf,
                             key.hash, owner.node});
    const bool known = resolved.found();
    if (!known && (resolved.unknown.empty() || owner.node != &old_)) {
      return false;
    }
    if (known && !is_dispatched(*resolved.method)) return false;
    std::string renamed;
    Name new_owner = owner.name;
    if (!structure_.matching.renaming.leaves(owner.name)) {
      renamed = structure_.matching.renaming.class_name(owner.name);
      new_owner = renamed;
    }
    const auto resolved_now = jig::resolve_method(
        structure_.worlds.new_world,
        {new_owner, new_key.name, new_key.descriptor, itf, new_key.hash, {}});
    if (!known) {
      beyond_the_world(resolved, resolved_now, key);
      return false;
    }
    if (!resolved_now.found()) {
      // A reference that no longer resolves is a matter of resolution; one that
      // now ends in an unknown class may select anything. Whoever names a class
      // that is deleted has loaded it, and is selected for that (D14).
      if (!resolved_now.unknown.empty() &&
          !(resolved_now.unknown == new_owner && is_removed(owner.name))) {
        report(jig::select_method(structure_.worlds.old_world, old_, resolved)
                   .specified,
               resolved_now, key);
      }
      return false;
    }
    const bool through_class =
        !itf && (resolved.holder->shell->is_interface() ||
                 resolved_now.holder->shell->is_interface());
    const Asked asked{resolved.method, resolved_now.method,
                      through_class ? owner.name : Name()};
    if (std::ranges::find(asked_, asked) != asked_.end()) return true;
    asked_.push_back(asked);
    const auto a = jig::select_method(structure_.worlds.old_world, old_,
                                      resolved, itf ? Name() : owner.name);
    const auto b = jig::select_method(structure_.worlds.new_world, new_,
                                      resolved_now, itf ? Name() : new_owner);
    if (same(a.specified, b.specified) && same(a.hotspot, b.hotspot) &&
        a.several_defaults == b.several_defaults) {
      return true;
    }
    report(a.specified,
           same(a.specified, b.specified) ? b.hotspot : b.specified, key);
    return true;
  }

  // Above the receiver stands a class that is not in the world, which may
  // declare the method: what the receiver has now may override it.
  void beyond_the_world(const MethodAnswer& before, const MethodAnswer& now,
                        const jig::MemberKey& key) {
    if (!now.found()) {
      if (now.unknown.empty() || !same(before, now)) report(before, now, key);
      return;
    }
    if (!is_dispatched(*now.method) || now.method->is(classfile::kAccPrivate)) {
      return;
    }
    report(before,
           jig::select_method(structure_.worlds.new_world, new_, now).specified,
           key);
  }

  void report(const MethodAnswer& a, const MethodAnswer& b,
              const jig::MemberKey& key) {
    const Name name = key.name;
    const Name descriptor = key.descriptor;
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
    const auto said = std::make_pair(
        d.old_fact + " " + std::string(name) + std::string(descriptor),
        d.new_fact);
    if (!reported_.insert(said).second) return;
    auto cause =
        dispatch_cause(structure_.matching, old_, a, b, name, descriptor);
    d.why = std::move(cause.because);
    d.file = std::move(cause.file);
    d.line = cause.line;
    out_.push_back(std::move(d));
  }

  const Structure& structure_;
  const Deleted& deleted_;
  const ClassNode& old_;
  const ClassNode& new_;
  std::vector<Owner> owners_;
  std::vector<Owner> new_owners_;
  bool same_relations_ = false;
  bool all_known_ = false;
  std::vector<Declaration> declared_;
  std::vector<Declaration> declared_now_;
  std::vector<Asked> asked_;
  std::vector<Delta> out_;
  std::set<std::pair<std::string, std::string>> reported_;
};

Deleted deleted_methods(Findings& findings) {
  std::vector<Delta*> deleted;
  for (Delta& d : findings.edges) {
    if (d.rule == Rule::kD1 && d.new_fact.starts_with("deleted") &&
        d.at.size() == 1 && d.at.front() == d.entity) {
      deleted.push_back(&d);
    }
  }
  Deleted out;
  out.reserve(deleted.size());
  for (Delta* const d : deleted) out.try_emplace(d->entity, d);
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

void compare_selection(const Structure& structure, Findings& findings) {
  const auto& names = structure.doubtful_sorted;
  const Deleted deleted = deleted_methods(findings);
  std::vector<std::vector<Delta>> found(names.size());
  std::vector<std::vector<std::pair<std::string, std::string>>> instead(
      names.size());
  std::vector<std::uint8_t> no_instances(names.size(), 0);
  structure.worlds.pool.for_each(names.size(), [&](unsigned, std::size_t i) {
    const ClassNode* receiver = structure.worlds.old_world.find(names[i]);
    if (receiver == nullptr || !receiver->internal || !receiver->readable() ||
        receiver->shell->is_interface() ||
        receiver->shell->is(classfile::kAccAbstract)) {
      return;
    }
    const ClassNode* partner = structure.matching.partner(names[i]);
    if (partner == nullptr || !partner->readable()) return;
    no_instances[i] = partner->shell->is_interface() ||
                      partner->shell->is(classfile::kAccAbstract);
    Selections selections(structure, deleted, *receiver, *partner);
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
  group_by_receiver(found, findings.edges);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (no_instances[i] != 0) {
      findings.edges.push_back(
          no_more_instances(*structure.worlds.old_world.find(names[i])));
    }
  }
}

}  // namespace rejig::traversal
