// SPDX-License-Identifier: Apache-2.0
#include "traversal/session/matching.h"

#include <algorithm>

namespace rejig::traversal {

ClassPair& Matching::force(Name name, jig::LoadedClass old_class,
                           jig::LoadedClass new_class) {
  forced.insert(name);
  ++forced_later_;
  ClassPair& pair = changed.emplace_back();
  pair.old_name = pair.new_name = name;
  pair.old_class = std::move(old_class);
  pair.new_class = std::move(new_class);
  pair.forced = true;
  return pair;
}

const ClassPair* Matching::find_changed(Name old_name) const {
  const auto before = [](const ClassPair& pair, Name n) {
    return pair.old_name < n;
  };
  // Both parts are sorted.
  const auto middle =
      changed.end() - static_cast<std::ptrdiff_t>(forced_later_);
  for (const auto& [begin, end] :
       {std::pair(changed.begin(), middle), std::pair(middle, changed.end())}) {
    const auto at = std::lower_bound(begin, end, old_name, before);
    if (at != end && at->old_name == old_name) return &*at;
  }
  return nullptr;
}

const classfile::ClassView* Matching::changed_view(Name old_name) const {
  const ClassPair* pair = find_changed(old_name);
  return pair != nullptr && pair->old_class.view ? &*pair->old_class.view
                                                 : nullptr;
}

const classfile::ClassView* Matching::keep(Kept& kept, const jig::World& world,
                                           Name name) const {
  {
    const std::scoped_lock lock(kept.mutex);
    const auto at = kept.classes.find(name);
    if (at != kept.classes.end()) {
      return at->second.view ? &*at->second.view : nullptr;
    }
  }
  jig::LoadedClass loaded;
  if (const ClassNode* node = world.find(name)) {
    auto read = world.load(*node);
    if (read.ok()) loaded = std::move(read).value();
  }
  const std::scoped_lock lock(kept.mutex);
  const auto at =
      kept.classes.try_emplace(std::string(name), std::move(loaded)).first;
  return at->second.view ? &*at->second.view : nullptr;
}

const classfile::ClassView* Matching::old_view(Name name) const {
  if (const auto* view = changed_view(name)) return view;
  return keep(kept_old_, worlds.old_world, name);
}

const classfile::ClassView* Matching::new_view(Name name) const {
  const ClassPair* pair = find_changed(Name(renaming.old_class_name(name)));
  if (pair != nullptr && pair->new_name == name) {
    return pair->new_class.view ? &*pair->new_class.view : nullptr;
  }
  return keep(kept_new_, worlds.new_world, name);
}

const SwitchMaps* Matching::switch_maps(const classfile::ClassView* cls) const {
  if (cls == nullptr) return nullptr;
  {
    const std::scoped_lock lock(switch_maps_mutex_);
    const auto at = switch_maps_.find(cls);
    if (at != switch_maps_.end()) return at->second ? &*at->second : nullptr;
  }
  auto maps = read_switch_maps(*cls);
  const std::scoped_lock lock(switch_maps_mutex_);
  const auto at = switch_maps_.try_emplace(cls, std::move(maps)).first;
  return at->second ? &*at->second : nullptr;
}

}  // namespace rejig::traversal
