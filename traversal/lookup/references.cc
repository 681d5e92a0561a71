// SPDX-License-Identifier: Apache-2.0
// What do the references of unchanged bodies come to now (channel C3)? For
// every reference of a method whose body is equal: its outcome in the old world
// against the outcome of its renamed twin in the new one. Only references that
// a changed shell can reach are looked at (structure.cc says why that is
// enough); classes without any are read for their pool only.
#include <algorithm>
#include <optional>

#include "traversal/lookup/reference_scan.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::Delta;
using classfile::Rule;
using classfile::Tag;

namespace {

// May something that the pool names mean something else now?
class PoolDoubts {
 public:
  PoolDoubts(const Structure& structure, const ClassView& cls)
      : structure_(structure), pool_(cls.pool()), classes_(pool_.count(), 0) {
    // The interfaces of a lambda may be named by nothing else.
    has_sites_ = !cls.bootstrap_methods().empty();
  }

  bool any() {
    for (std::uint16_t i = 1; i < pool_.count(); ++i) {
      switch (pool_.tag(i)) {
        case Tag::kClass:
          if ((of_class(i) & (has_sites_ ? kDoubtful : kUse)) != 0) return true;
          break;
        case Tag::kFieldref:
        case Tag::kMethodref:
        case Tag::kInterfaceMethodref:
          if (of_member(i)) return true;
          break;
        case Tag::kMethodType:
          if (of_descriptor(pool_.text(i))) return true;
          break;
        case Tag::kMethodHandle:  // resolving it asks for its type, too
          if (of_descriptor(pool_.handle(i).ref.descriptor)) return true;
          break;
        case Tag::kNameAndType:
          if (has_sites_ && of_descriptor(pool_.name_and_type(i).descriptor)) {
            return true;
          }
          break;
        default:
          break;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint8_t kAsked = 0x80;
  static constexpr std::uint8_t kDoubtful = Structure::kDoubtful;
  static constexpr std::uint8_t kUse = Structure::kUseDoubtful;

  // Asked once of each class.
  std::uint8_t of_class(std::uint16_t i) {
    if (classes_[i] == 0) {
      classes_[i] = kAsked | structure_.doubts_of(pool_.text(i));
    }
    return classes_[i];
  }
  bool of_member(std::uint16_t i) {
    const std::uint16_t owner = pool_.part(i, 0);
    if (owner >= classes_.size()) return true;
    const std::uint8_t its = of_class(owner);
    if ((its & kUse) != 0) return true;
    if ((its & kDoubtful) == 0) return false;
    const auto ref = pool_.member(i);
    return structure_.members_changed.contains(
        Structure::signature_of(ref.name, ref.descriptor));
  }
  bool of_descriptor(std::string_view d) const {
    while (true) {
      const auto begin = d.find('L');
      if (begin == std::string_view::npos) return false;
      const auto end = d.find(';', begin);
      if (end == std::string_view::npos) return false;
      if (structure_.is_doubtful(d.substr(begin + 1, end - begin - 1))) {
        return true;
      }
      d.remove_prefix(end + 1);
    }
  }

  const Structure& structure_;
  const classfile::ConstantPool& pool_;
  std::vector<std::uint8_t> classes_;  // of the pool's entries
  bool has_sites_ = false;
};

bool pool_is_doubtful(const Structure& structure, const ClassView& cls) {
  return PoolDoubts(structure, cls).any();
}

// A host that does not link hosts nobody.
bool hosted_otherwise(const Structure& structure, const Linking& linking,
                      Name name) {
  if (linking.otherwise.empty()) return false;
  const ClassNode* node = structure.worlds.old_world.find(name);
  return node == nullptr || !node->readable() ||
         linking.otherwise.contains(
             node->shell->nest_host.empty() ? name : node->shell->nest_host);
}

// Can all that the class refers to be answered otherwise?
bool is_caller_doubtful(const Structure& structure, const Linking& linking,
                        Name name) {
  return structure.is_use_doubtful(name) ||
         hosted_otherwise(structure, linking, name);
}

}  // namespace

void compare_references(const Structure& structure, const Bodies& bodies,
                        const Linking& linking, Findings& findings) {
  if (structure.structure_equal()) return;
  // Changed classes: their equal methods. Others: all, if their pool is in
  // doubt.
  std::vector<std::vector<Delta>> of_changed(structure.matching.changed.size());
  structure.worlds.pool.for_each(of_changed.size(), [&](unsigned,
                                                        std::size_t i) {
    const ClassPair& pair = structure.matching.changed[i];
    if (!pair.old_class.view || !pair.new_class.view) return;
    if (!is_caller_doubtful(structure, linking, pair.old_name) &&
        !pool_is_doubtful(structure, *pair.old_class.view)) {
      return;
    }
    const auto methods = pair.old_class.view->methods();
    std::vector<MethodPart> parts;
    const Bodies::OfPair& its = bodies.of_changed[i];
    for (const auto m : its.equal_methods) {
      MethodPart& part = parts.emplace_back();
      part.method = &methods[m];
      // What the comparison of bodies has followed.
      const auto by_use = its.by_use.find(m);
      if (by_use != its.by_use.end()) part.pcs = by_use->second;
    }
    for (const auto& [m, pcs] : its.shared) {
      parts.push_back({&methods[m], pcs, true});
    }
    of_changed[i] = reference_edges(
        structure, *pair.old_class.view, std::string(pair.new_name),
        is_caller_doubtful(structure, linking, pair.old_name), parts);
  });
  // Those that are equal and may name what is in doubt.
  const auto& equal = structure.matching.equal_sorted;
  std::vector<std::uint8_t> asked(equal.size(), 0);
  structure.worlds.pool.for_ranges(
      equal.size(), 256, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          asked[i] = structure.may_mention(structure.matching.old_places[i],
                                         structure.doubtful_mentions) &&
                     !structure.matching.forced.contains(equal[i]);
        }
      });
  std::vector<Name> others;
  for (std::size_t i = 0; i < equal.size(); ++i) {
    if (asked[i] != 0) others.push_back(equal[i]);
  }
  std::vector<std::vector<Delta>> of_others(others.size());
  std::vector<std::optional<Widened>> unreadable(others.size());
  structure.worlds.pool.for_ranges(
      others.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto loaded = structure.worlds.old_world.load_equal(others[i]);
          if (!loaded.ok()) {
            unreadable[i] = Widened{
                loaded.error().what + "; its references cannot be followed",
                loaded.error().where};
            continue;
          }
          const ClassView& cls = *loaded.value().view;
          if (!is_caller_doubtful(structure, linking, others[i]) &&
              !pool_is_doubtful(structure, cls)) {
            continue;
          }
          std::vector<MethodPart> parts;
          for (const auto& method : cls.methods()) {
            parts.emplace_back().method = &method;
          }
          of_others[i] = reference_edges(
              structure, cls, structure.matching.renaming.class_name(others[i]),
              is_caller_doubtful(structure, linking, others[i]), parts);
        }
      });
  for (auto* lists : {&of_changed, &of_others}) {
    for (auto& list : *lists) findings.take_edges(std::move(list));
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
    findings.edges.push_back(std::move(d));
    findings.widened.push_back(std::move(*unreadable[i]));
  }
}

}  // namespace rejig::traversal
