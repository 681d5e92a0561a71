// SPDX-License-Identifier: Apache-2.0
#include "traversal/session.h"

#include <algorithm>

namespace rejig::traversal {

bool Session::compute_doubtful(Name name) const {
  if (structure_changed.contains(name)) return true;
  for (const jig::World* world : {&old_world, &new_world}) {
    const auto& above = world->supers(name).names;
    if (std::any_of(above.begin(), above.end(), [&](Name super) {
          return structure_changed.contains(super);
        })) {
      return true;
    }
  }
  return false;
}

bool Session::is_doubtful(Name name) const {
  const Name element = jig::element_class(name);
  if (element.empty() || structure_equal()) return false;
  if (doubtful.contains(element)) return true;
  const ClassNode* node = old_world.find(element);
  if (node != nullptr && node->internal) return false;
  return compute_doubtful(element);
}

}  // namespace rejig::traversal
