// SPDX-License-Identifier: Apache-2.0
#include "jig/world.h"

#include <algorithm>
#include <tuple>

namespace rejig::jig {

World::World(Names& names, const classfile::Program& internal,
             std::vector<const classfile::Program*> external)
    : names_(&names), internal_(&internal), external_(std::move(external)) {}

World::~World() = default;

void World::share_shells(const World& twin,
                         const base::HashSet<Name>* equal_in_twin) {
  twin_ = &twin;
  equal_in_twin_ = equal_in_twin;
}

World::Shard& World::shard_of(Name name) const {
  return shards_[base::hash64(name) >> 58];
}

std::unique_ptr<ClassNode> World::make_node(Name name) const {
  const classfile::Program* program = internal_;
  const classfile::ProgramFile* file = internal_->find_class(name);
  for (std::size_t i = 0; file == nullptr && i < external_.size(); ++i) {
    program = external_[i];
    file = program->find_class(name);
  }
  if (file == nullptr) return nullptr;
  auto node = std::make_unique<ClassNode>();
  node->name = names_->intern(name);
  node->internal = program == internal_;
  node->program = program;
  node->file = file;
  if (twin_ != nullptr) {
    const bool equal = node->internal ? equal_in_twin_->contains(name)
                                      : std::count(twin_->external_.begin(),
                                                   twin_->external_.end(),
                                                   program) != 0;
    const ClassNode* other = equal ? twin_->find(name) : nullptr;
    if (other != nullptr && other->internal == node->internal) {
      node->shell = other->shell;
      return node;
    }
  }
  auto shell = read_shell(*node);
  if (shell.ok()) {
    node->shell = std::make_shared<const ClassShell>(std::move(shell).value());
  } else {
    const std::scoped_lock lock(diagnostics_mutex_);
    unreadable_.push_back(std::move(shell).error());
  }
  return node;
}

base::Result<ClassShell> World::read_shell(const ClassNode& node) const {
  thread_local std::vector<std::byte> buffer;
  REJIG_TRY(const base::Bytes bytes, node.program->read(*node.file, buffer));
  REJIG_TRY(const auto view,
            classfile::ClassView::parse_layout(bytes, where(node)));
  if (view.name() != node.name) return other_name(view, node);
  return make_shell(view, *names_);
}

base::Error World::other_name(const classfile::ClassView& view,
                              const ClassNode& node) const {
  return {base::Errc::kMalformed,
          "the class calls itself " + std::string(view.name()) +
              ", a loader looks for " + std::string(node.name),
          where(node)};
}

const ClassNode* World::find(Name name) const {
  Shard& shard = shard_of(name);
  {
    const std::scoped_lock lock(shard.mutex);
    if (const auto* known = shard.nodes.find(name)) return known->get();
  }
  auto made = make_node(name);
  const Name owned = names_->intern(name);
  const std::scoped_lock lock(shard.mutex);
  auto [slot, added] = shard.nodes.try_emplace(owned, nullptr);
  if (added) *slot = std::move(made);
  return slot->get();
}

void World::adopt(ClassShell shell) {
  auto node = std::make_unique<ClassNode>();
  node->name = shell.name;
  node->internal = true;
  node->shell = std::make_shared<const ClassShell>(std::move(shell));
  const Name name = node->name;
  Shard& shard = shard_of(name);
  const std::scoped_lock lock(shard.mutex);
  auto [slot, added] = shard.nodes.try_emplace(name, nullptr);
  if (added) *slot = std::move(node);
}

base::Result<LoadedClass> World::load(const ClassNode& node) const {
  LoadedClass out;
  if (node.file == nullptr) {
    return base::Error{base::Errc::kNotFound,
                       "the class file is not part of a program",
                       std::string(node.name)};
  }
  REJIG_TRY(const base::Bytes bytes,
            node.program->read(*node.file, out.buffer));
  if (bytes.data() != out.buffer.data()) {
    out.buffer.assign(bytes.begin(), bytes.end());
  }
  REJIG_TRY(auto view, classfile::ClassView::parse(
                           {out.buffer.data(), bytes.size()}, where(node)));
  if (view.name() != node.name) return other_name(view, node);
  out.view = std::move(view);
  return out;
}

std::string World::where(const ClassNode& node) const {
  return node.file == nullptr ? std::string(node.name)
                              : node.program->where(*node.file);
}

const SuperSet& World::supers(Name name) const {
  Shard& shard = shard_of(name);
  {
    const std::scoped_lock lock(shard.mutex);
    if (const auto* known = shard.supers.find(name)) return **known;
  }
  auto set = std::make_unique<SuperSet>();
  std::vector<Name> todo = {name};
  base::HashSet<Name> seen;
  while (!todo.empty()) {
    const Name at = todo.back();
    todo.pop_back();
    const ClassNode* node = find(at);
    if (node == nullptr || !node->readable()) {
      set->open = true;
      if (at != name) set->unknown.push_back(at);
      continue;
    }
    auto push = [&](Name super) {
      if (super == name) {
        set->open = true;
        return;
      }
      if (!super.empty() && seen.insert(super)) {
        set->names.push_back(super);
        todo.push_back(super);
      }
    };
    push(node->shell->super);
    for (const Name itf : node->shell->interfaces) push(itf);
  }
  std::sort(set->names.begin(), set->names.end());
  std::sort(set->unknown.begin(), set->unknown.end());
  const Name owned = names_->intern(name);
  const std::scoped_lock lock(shard.mutex);
  auto [slot, added] = shard.supers.try_emplace(owned, nullptr);
  if (added) *slot = std::move(set);
  return **slot;
}

bool World::is_subtype(Name sub, Name super) const {
  if (sub == super) return true;
  const auto& names = supers(sub).names;
  return std::binary_search(names.begin(), names.end(), super);
}

base::Diagnostics World::take_diagnostics() const {
  const std::scoped_lock lock(diagnostics_mutex_);
  std::sort(unreadable_.begin(), unreadable_.end(),
            [](const base::Error& a, const base::Error& b) {
              return std::tie(a.where, a.what) < std::tie(b.where, b.what);
            });
  base::Diagnostics out;
  for (const auto& error : unreadable_) out.widened(error);
  unreadable_.clear();
  return out;
}

}  // namespace rejig::jig
