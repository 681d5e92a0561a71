// SPDX-License-Identifier: Apache-2.0
#include "traversal/anonymous.h"

#include <algorithm>
#include <cctype>

#include "classfile/base/hash.h"
#include "traversal/describe.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;

namespace {

// The outermost class whose numbered nested class this is: "a/B" of "a/B$1",
// "a/B$C$2Local"; empty when no part of the name begins with a digit.
Name numbered_in(Name name) {
  for (std::size_t at = name.find('$'); at != Name::npos;
       at = name.find('$', at + 1)) {
    if (at + 1 < name.size() &&
        std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0) {
      return name.substr(0, name.find('$'));
    }
  }
  return {};
}

// Numbers of the group's anonymous classes do not count: "a/B$12" -> "a/B$#".
std::string without_numbers(std::string_view text, Name outer) {
  std::string out;
  const std::string prefix = std::string(outer) + "$";
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.substr(at).starts_with(prefix)) {
      out += prefix;
      at += prefix.size();
      bool number = false;
      while (at < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
        ++at;
        number = true;
      }
      if (number) out += '#';
      continue;
    }
    out += text[at++];
  }
  return out;
}

// A digest of what the class says, free of pool order, debug tables and of the
// numbers of its group.
base::Digest128 structure_of(const ClassView& cls, Name outer) {
  std::string text =
      std::to_string(cls.access()) + ' ' + std::string(cls.super_name()) + ' ';
  for (const auto itf : cls.interfaces()) text += std::string(itf) + ' ';
  std::vector<std::string> members;
  for (const auto& field : cls.fields()) {
    members.push_back("f" + std::to_string(field.access) +
                      std::string(field.name) + std::string(field.descriptor));
  }
  for (const auto& method : cls.methods()) {
    std::string body = "m" + std::to_string(method.access) +
                       std::string(method.name) +
                       std::string(method.descriptor);
    if (const auto code = CodeView::of(cls, method)) {
      BodyGraph graph;
      if (graph.build(cls, *code)) {
        for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
          body += '\n';
          body += describe(graph, i);
        }
      }
    }
    members.push_back(std::move(body));
  }
  std::sort(members.begin(), members.end());
  for (const auto& member : members) text += '\n' + member;
  return base::hash128(
      without_numbers(without_numbers(text, classfile::dotted(outer)), outer));
}

}  // namespace

jig::LoadedClass* ChangedClasses::at(std::vector<jig::LoadedClass>& all,
                                     Name name) const {
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  if (found == names.end() || *found != name) return nullptr;
  return &all[static_cast<std::size_t>(found - names.begin())];
}

void match_anonymous_classes(Session& session, ChangedClasses& changed) {
  // Only groups in which a numbered class changed, appeared or disappeared.
  std::set<Name> outers;
  auto note = [&](const std::vector<Name>& names) {
    for (const Name name : names) {
      if (const Name outer = numbered_in(name); !outer.empty()) {
        outers.insert(outer);
      }
    }
  };
  note(changed.names);
  note(session.added);
  note(session.removed);
  if (outers.empty()) return;

  struct Member {
    Name name;
    base::Digest128 structure;
  };
  auto group = [&](const jig::World& world, Name outer) {
    std::vector<Member> out;
    const std::string prefix = std::string(outer) + "$";
    const auto classes = world.internal().classes();
    auto at = std::lower_bound(
        classes.begin(), classes.end(), Name(prefix),
        [](const auto& file, Name p) { return file.name < p; });
    for (; at != classes.end() && at->name.starts_with(prefix); ++at) {
      if (numbered_in(at->name) != outer) continue;
      const Name name = session.names.intern(at->name);
      // Equal files are each other's partner, whatever they say.
      if (session.is_equal(name)) continue;
      jig::LoadedClass* known = &world == &session.old_world
                                    ? changed.of_old(name)
                                    : changed.of_new(name);
      jig::LoadedClass read;
      if (known == nullptr) {
        auto loaded = world.load_internal(name);
        if (loaded.ok()) read = std::move(loaded).value();
        known = &read;
      }
      if (!known->view) continue;
      out.push_back({name, structure_of(*known->view, outer)});
    }
    return out;
  };
  // The pairs of each group, found side by side.
  const std::vector<Name> sorted_outers(outers.begin(), outers.end());
  std::vector<std::vector<std::pair<Name, Name>>> pairs(sorted_outers.size());
  session.pool.for_each(sorted_outers.size(), [&](unsigned, std::size_t g) {
    const auto olds = group(session.old_world, sorted_outers[g]);
    const auto news = group(session.new_world, sorted_outers[g]);
    std::vector<bool> used(news.size(), false);
    std::vector<bool> matched(olds.size(), false);
    auto pair_if = [&](auto&& wanted) {
      for (std::size_t i = 0; i < olds.size(); ++i) {
        for (std::size_t j = 0; j < news.size() && !matched[i]; ++j) {
          if (used[j] || !wanted(olds[i], news[j])) continue;
          matched[i] = used[j] = true;
          pairs[g].emplace_back(olds[i].name, news[j].name);
        }
      }
    };
    pair_if([](const Member& a, const Member& b) {
      return a.name == b.name && a.structure == b.structure;
    });
    pair_if([](const Member& a, const Member& b) {
      return a.structure == b.structure;
    });
    pair_if([](const Member& a, const Member& b) { return a.name == b.name; });
  });
  for (std::size_t g = 0; g < pairs.size(); ++g) {
    for (const auto& [old_name, new_name] : pairs[g]) {
      session.renaming.add(old_name, new_name);
      if (old_name != new_name) session.renamed_outers.insert(sorted_outers[g]);
    }
  }
}

}  // namespace rejig::traversal
