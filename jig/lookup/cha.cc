// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/cha.h"

#include <algorithm>

namespace rejig::jig {

ClassHierarchy::ClassHierarchy(const World& world,
                               const std::vector<Name>& internal,
                               base::ThreadPool& pool)
    : world_(&world) {
  collect(internal);
  close(pool);
  invert();
  index_methods();
  direct_ = {};
}

TypeId ClassHierarchy::find(Name name) const {
  const auto at = std::lower_bound(
      types_.begin(), types_.end(), name,
      [](const Type& type, Name n) { return type.name < n; });
  return at != types_.end() && at->name == name
             ? TypeId::of(static_cast<std::size_t>(at - types_.begin()))
             : TypeId::none();
}

bool ClassHierarchy::is_subtype(TypeId sub, TypeId super) const {
  const auto above = supers(sub);
  return sub == super || std::binary_search(above.begin(), above.end(), super);
}

void ClassHierarchy::collect(const std::vector<Name>& internal) {
  base::HashSet<Name> seen;
  std::vector<Name> todo;
  auto push = [&](Name name) {
    if (!name.empty() && seen.insert(name)) todo.push_back(name);
  };
  for (const Name name : internal) push(world_->names().intern(name));
  while (!todo.empty()) {
    const Name name = todo.back();
    todo.pop_back();
    const ClassNode* node = world_->find(name);
    if (node != nullptr && !node->readable()) node = nullptr;
    Type type;
    type.name = name;
    type.node = node;
    types_.push_back(type);
    if (node == nullptr) continue;
    push(node->shell->super);
    for (const Name itf : node->shell->interfaces) push(itf);
  }
  std::sort(types_.begin(), types_.end(),
            [](const Type& a, const Type& b) { return a.name < b.name; });
  base::HashMap<Name, TypeId> ids;
  ids.reserve(types_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    ids.try_emplace(types_[i].name, TypeId::of(i));
  }
  direct_.resize(types_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    Type& type = types_[i];
    if (type.node == nullptr) continue;
    const ClassShell& shell = *type.node->shell;
    if (!shell.super.empty()) {
      type.super = *ids.find(shell.super);
      direct_[i].push_back(type.super);
    }
    for (const Name itf : shell.interfaces) {
      direct_[i].push_back(*ids.find(itf));
    }
    type.receiver = type.node->internal &&
                    !shell.is(classfile::kAccAbstract) &&
                    !shell.is_interface();
  }
}

void ClassHierarchy::close(base::ThreadPool& pool) {
  std::vector<std::vector<TypeId>> above(types_.size());
  std::vector<std::vector<std::uint32_t>> stamps(pool.workers());
  pool.for_ranges(
      types_.size(), 256,
      [&](unsigned worker, std::size_t begin, std::size_t end) {
        auto& stamp = stamps[worker];
        stamp.resize(types_.size(), 0);
        for (std::size_t i = begin; i < end; ++i) {
          const auto mark = static_cast<std::uint32_t>(i + 1);
          std::vector<TypeId>& set = above[i];
          auto push = [&](TypeId id) {
            if (stamp[id.index()] == mark) return;
            stamp[id.index()] = mark;
            set.push_back(id);
          };
          for (const TypeId id : direct_[i]) push(id);
          for (std::size_t k = 0; k < set.size(); ++k) {
            for (const TypeId id : direct_[set[k].index()]) push(id);
          }
          std::sort(set.begin(), set.end());
        }
      });
  super_begin_.push_back(0);
  for (std::size_t i = 0; i < types_.size(); ++i) {
    supers_.insert(supers_.end(), above[i].begin(), above[i].end());
    super_begin_.push_back(static_cast<std::uint32_t>(supers_.size()));
    types_[i].cyclic =
        std::binary_search(above[i].begin(), above[i].end(), TypeId::of(i));
    above[i] = {};
  }
  for (std::size_t i = 0; i < types_.size(); ++i) {
    bool incomplete = types_[i].node == nullptr;
    bool cyclic = types_[i].cyclic;
    for (const TypeId id : supers(TypeId::of(i))) {
      incomplete = incomplete || types_[id.index()].node == nullptr;
      cyclic = cyclic || types_[id.index()].cyclic;
    }
    types_[i].incomplete = incomplete;
    types_[i].open = incomplete || cyclic;
  }
}

// Counting sort of (supertype, receiver) pairs.
void ClassHierarchy::invert() {
  receiver_begin_.assign(types_.size() + 1, 0);
  auto for_pairs = [&](auto&& body) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (!types_[i].receiver) continue;
      const TypeId id = TypeId::of(i);
      if (!types_[i].cyclic) body(id, id);
      for (const TypeId above : supers(id)) body(above, id);
    }
  };
  for_pairs([&](TypeId above, TypeId) {
    ++receiver_begin_[above.index() + 1];
  });
  for (std::size_t i = 0; i < types_.size(); ++i) {
    receiver_begin_[i + 1] += receiver_begin_[i];
  }
  receivers_.resize(receiver_begin_.back());
  auto next = receiver_begin_;
  for_pairs([&](TypeId above, TypeId id) {
    receivers_[next[above.index()]++] = id;
  });
}

void ClassHierarchy::index_methods() {
  std::vector<std::uint32_t> signature_of;
  auto for_methods = [&](auto&& body) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i].node == nullptr) continue;
      for (const MethodShell& method : types_[i].node->shell->methods) {
        if (!method.is_initializer()) body(TypeId::of(i), method);
      }
    }
  };
  std::vector<std::uint32_t> counts;
  for_methods([&](TypeId, const MethodShell& method) {
    const auto next = static_cast<std::uint32_t>(counts.size());
    const auto [slot, added] =
        signatures_.try_emplace({method.name, method.descriptor}, next);
    if (added) counts.push_back(0);
    ++counts[*slot];
    signature_of.push_back(*slot);
  });
  declaration_begin_.assign(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    declaration_begin_[i + 1] = declaration_begin_[i] + counts[i];
  }
  declarations_.resize(signature_of.size());
  auto next = declaration_begin_;
  std::size_t k = 0;
  for_methods([&](TypeId type, const MethodShell& method) {
    declarations_[next[signature_of[k++]]++] = {type, &method};
  });
}

std::span<const Declaration> ClassHierarchy::declarations(
    Name name, Name descriptor) const {
  const auto* slot = signatures_.find(Signature{name, descriptor});
  if (slot == nullptr) return {};
  return std::span(declarations_)
      .subspan(declaration_begin_[*slot],
               declaration_begin_[*slot + 1] - declaration_begin_[*slot]);
}

}  // namespace rejig::jig
