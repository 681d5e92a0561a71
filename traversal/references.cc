// SPDX-License-Identifier: Apache-2.0
// What do the references of unchanged bodies come to now (channel C3)? For
// every reference of a method whose body is equal: its outcome in the old world
// against the outcome of its renamed twin in the new one. Only references that
// a changed shell can reach are looked at (structure.cc says why that is
// enough); classes without any are read for their pool only.
#include <algorithm>

#include "traversal/reference_scan.h"
#include "traversal/session.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::Delta;
using classfile::Rule;
using classfile::Tag;

namespace {

bool pool_is_doubtful(const Session& session, const ClassView& cls) {
  const auto& pool = cls.pool();
  auto descriptor_is_doubtful = [&](std::string_view d) {
    while (true) {
      const auto begin = d.find('L');
      if (begin == std::string_view::npos) return false;
      const auto end = d.find(';', begin);
      if (end == std::string_view::npos) return false;
      if (session.is_doubtful(d.substr(begin + 1, end - begin - 1))) {
        return true;
      }
      d.remove_prefix(end + 1);
    }
  };
  // The interfaces of a lambda may be named by nothing else.
  const bool has_sites = !cls.bootstrap_methods().empty();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    switch (pool.tag(i)) {
      case Tag::kClass:
        if (has_sites ? session.is_doubtful(pool.text(i))
                      : session.is_use_doubtful(pool.text(i))) {
          return true;
        }
        break;
      case Tag::kFieldref:
      case Tag::kMethodref:
      case Tag::kInterfaceMethodref: {
        const auto ref = pool.member(i);
        if (session.is_member_doubtful(ref.owner, ref.name, ref.descriptor)) {
          return true;
        }
        break;
      }
      case Tag::kMethodType:
        if (descriptor_is_doubtful(pool.text(i))) return true;
        break;
      case Tag::kNameAndType:
        if (has_sites &&
            descriptor_is_doubtful(pool.name_and_type(i).descriptor)) {
          return true;
        }
        break;
      default:
        break;
    }
  }
  return false;
}

// A host that does not link hosts nobody.
bool hosted_otherwise(const Session& session, Name name) {
  if (session.links_otherwise.empty()) return false;
  const ClassNode* node = session.old_world.find(name);
  return node == nullptr || !node->readable() ||
         session.links_otherwise.contains(
             node->shell->nest_host.empty() ? name : node->shell->nest_host);
}

// Can all that the class refers to be answered otherwise?
bool is_caller_doubtful(const Session& session, Name name) {
  return session.is_use_doubtful(name) || hosted_otherwise(session, name);
}

}  // namespace

void compare_references(Session& session) {
  if (session.structure_equal()) return;
  // Changed classes: their equal methods. Others: all, if their pool is in
  // doubt.
  std::vector<std::vector<Delta>> of_changed(session.changed.size());
  session.pool.for_each(of_changed.size(), [&](unsigned, std::size_t i) {
    const ClassPair& pair = session.changed[i];
    if (!pair.old_class.view || !pair.new_class.view) return;
    if (!is_caller_doubtful(session, pair.old_name) &&
        !pool_is_doubtful(session, *pair.old_class.view)) {
      return;
    }
    const auto methods = pair.old_class.view->methods();
    std::vector<MethodPart> parts;
    for (const auto m : pair.equal_methods) {
      MethodPart& part = parts.emplace_back();
      part.method = &methods[m];
      // What the comparison of bodies has followed.
      const auto by_use = pair.by_use.find(m);
      if (by_use != pair.by_use.end()) part.pcs = by_use->second;
    }
    for (const auto& [m, pcs] : pair.shared) {
      parts.push_back({&methods[m], pcs, true});
    }
    of_changed[i] = reference_edges(
        session, *pair.old_class.view, std::string(pair.new_name),
        is_caller_doubtful(session, pair.old_name), parts);
  });
  std::vector<Name> others;
  for (const Name name : session.equal_sorted) {
    if (session.untouched(name)) others.push_back(name);
  }
  std::vector<std::vector<Delta>> of_others(others.size());
  std::vector<std::optional<Widened>> unreadable(others.size());
  session.pool.for_ranges(
      others.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (!session.may_mention_doubtful(others[i])) continue;
          const auto loaded = session.old_world.load_equal(others[i]);
          if (!loaded.ok()) {
            unreadable[i] = Widened{
                loaded.error().what + "; its references cannot be followed",
                loaded.error().where};
            continue;
          }
          const ClassView& cls = *loaded.value().view;
          if (!is_caller_doubtful(session, others[i]) &&
              !pool_is_doubtful(session, cls)) {
            continue;
          }
          std::vector<MethodPart> parts;
          for (const auto& method : cls.methods()) {
            parts.emplace_back().method = &method;
          }
          of_others[i] = reference_edges(
              session, cls, session.renaming.class_name(others[i]),
              is_caller_doubtful(session, others[i]), parts);
        }
      });
  for (auto* lists : {&of_changed, &of_others}) {
    for (auto& list : *lists) {
      for (auto& edge : list) session.edges.push_back(std::move(edge));
    }
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!unreadable[i]) continue;
    Delta d;
    d.rule = Rule::kD14;
    d.channel = Channel::kLinking;
    d.entity = classfile::dotted(others[i]);
    d.subject = d.entity;
    d.old_fact = d.new_fact = "unreadable";
    d.why = "`" + d.entity + "` cannot be read, so its users are in doubt";
    session.edges.push_back(std::move(d));
    session.widened.push_back(std::move(*unreadable[i]));
  }
}

}  // namespace rejig::traversal
