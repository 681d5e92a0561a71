// SPDX-License-Identifier: Apache-2.0
#include "traversal/session/session.h"

#include <algorithm>

namespace rejig::traversal {

void report_unreadable(Session& session, Name name, const base::Error& error) {
  classfile::Delta d;
  d.rule = classfile::Rule::kD14;
  d.channel = classfile::Channel::kLinking;
  d.entity = classfile::dotted(name);
  d.subject = d.entity;
  d.old_fact = d.new_fact = "unreadable";
  d.why = "`" + d.entity + "` cannot be read, so its users are in doubt";
  session.edges.push_back(std::move(d));
  session.widened.push_back(
      {error.what + "; its references cannot be followed", error.where});
}

bool Session::has_above(Name name,
                        const base::HashSet<Name>& changed_names) const {
  if (changed_names.empty()) return false;
  if (changed_names.contains(name)) return true;
  for (const jig::World* world : {&old_world, &new_world}) {
    const auto& above = world->supers(name).names;
    if (std::any_of(above.begin(), above.end(), [&](Name super) {
          return changed_names.contains(super);
        })) {
      return true;
    }
  }
  return false;
}

bool may_mention(const jig::Glance* glance,
                 const jig::MentionSet& wanted) {
  return glance == nullptr || wanted.any_in(*glance);
}

bool Session::only_internal_doubts() const {
  return !inputs.exhaustive && external_changed.empty() && external_added.empty() &&
         external_removed.empty() && !external_doubtful && !platform_changed;
}

bool Session::may_mention(Name class_name,
                          const jig::MentionSet& wanted) const {
  return !only_internal_doubts() ||
         traversal::may_mention(old_world.glance(class_name), wanted);
}

bool Session::may_mention(std::uint32_t old_place,
                          const jig::MentionSet& wanted) const {
  return !only_internal_doubts() ||
         traversal::may_mention(old_world.glance_of_place(old_place), wanted);
}

const classfile::ClassView* Session::keep(Kept& kept, const jig::World& world,
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

const SwitchMaps* Session::switch_maps(const classfile::ClassView* cls) const {
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

const classfile::ClassView* Session::changed_view(Name old_name) const {
  const auto at = std::lower_bound(
      changed.begin(), changed.end(), old_name,
      [](const ClassPair& pair, Name n) { return pair.old_name < n; });
  const bool found = at != changed.end() && at->old_name == old_name;
  return found && at->old_class.view ? &*at->old_class.view : nullptr;
}

const classfile::ClassView* Session::old_view(Name name) const {
  if (const auto* view = changed_view(name)) return view;
  return keep(kept_old_, old_world, name);
}

const classfile::ClassView* Session::new_view(Name name) const {
  const std::string old_name = renaming.old_class_name(name);
  const auto at = std::lower_bound(
      changed.begin(), changed.end(), Name(old_name),
      [](const ClassPair& pair, Name n) { return pair.old_name < n; });
  if (at != changed.end() && at->new_name == name) {
    return at->new_class.view ? &*at->new_class.view : nullptr;
  }
  return keep(kept_new_, new_world, name);
}

void Session::settle_doubts() {
  doubts_.assign(inputs.old_internal->classes().size(), 0);
  for (const Name name : doubtful_sorted) {
    const std::uint32_t place = inputs.old_internal->class_place(name);
    if (place >= doubts_.size()) continue;
    doubts_[place] =
        relations_doubtful.contains(name) ? kDoubtful | kUseDoubtful : kDoubtful;
  }
}

std::uint8_t Session::doubts_of(Name class_or_array) const {
  const Name element = jig::element_class(class_or_array);
  if (element.empty() || structure_changed.empty()) return 0;
  const std::uint32_t place = inputs.old_internal->class_place(element);
  return place < doubts_.size() ? doubts_[place] : doubts_of_outsider(element);
}

std::uint8_t Session::doubts_of_outsider(Name name) const {
  if (const auto known = outsiders_.find(name); known.value != nullptr) {
    return *known.value;
  }
  std::uint8_t found = kAsked;
  if (doubtful.contains(name) || has_above(name, structure_changed)) {
    found |= kDoubtful;
  }
  if (relations_doubtful.contains(name) || has_above(name, relations_changed)) {
    found |= kUseDoubtful;
  }
  return *outsiders_.insert(name, found).value;
}

}  // namespace rejig::traversal
