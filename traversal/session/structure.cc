// SPDX-License-Identifier: Apache-2.0
#include "traversal/session/structure.h"

#include <algorithm>

namespace rejig::traversal {

bool Structure::has_above(Name name,
                        const base::HashSet<Name>& changed_names) const {
  if (changed_names.empty()) return false;
  if (changed_names.contains(name)) return true;
  for (const jig::World* world : {&worlds.old_world, &worlds.new_world}) {
    const auto& above = world->supers(name).names;
    if (std::any_of(above.begin(), above.end(), [&](Name super) {
          return changed_names.contains(super);
        })) {
      return true;
    }
  }
  return false;
}

bool Structure::only_internal_doubts() const {
  return !worlds.inputs.exhaustive && !external_doubtful &&
         matching.same_external();
}

bool Structure::may_mention(Name class_name,
                          const jig::MentionSet& wanted) const {
  return !only_internal_doubts() ||
         traversal::may_mention(worlds.old_world.glance(class_name), wanted);
}

bool Structure::may_mention(std::uint32_t old_place,
                          const jig::MentionSet& wanted) const {
  return !only_internal_doubts() ||
         traversal::may_mention(worlds.old_world.glance_of_place(old_place),
                                wanted);
}

void Structure::settle_doubts() {
  doubts_.assign(worlds.inputs.old_internal->classes().size(), 0);
  for (const Name name : doubtful_sorted) {
    const std::uint32_t place = worlds.inputs.old_internal->class_place(name);
    if (place >= doubts_.size()) continue;
    doubts_[place] = relations_doubtful.contains(name)
                         ? kDoubtful | kUseDoubtful
                         : kDoubtful;
  }
}

std::uint8_t Structure::doubts_of(Name class_or_array) const {
  const Name element = jig::element_class(class_or_array);
  if (element.empty() || structure_changed.empty()) return 0;
  const std::uint32_t place = worlds.inputs.old_internal->class_place(element);
  return place < doubts_.size() ? doubts_[place] : doubts_of_outsider(element);
}

std::uint8_t Structure::doubts_of_outsider(Name name) const {
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
