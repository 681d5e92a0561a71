// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/file_atoms.h"

#include <limits>

namespace rejig::coverage {

const FileAtoms::Said& FileAtoms::of(std::uint32_t fact, bool native) {
  auto& place = said_[native ? 1 : 0][fact];
  if (const Said* known = place.load(std::memory_order_acquire)) return *known;
  const std::scoped_lock lock(mutex_);
  if (const Said* known = place.load(std::memory_order_relaxed)) return *known;
  auto said = std::make_unique<Said>();
  const auto ask = [&](std::uint64_t seen_by, std::vector<LocalAtom>& out) {
    opened_.atoms(file_.facts[fact], seen_by, native,
                  [&](classfile::AtomKind kind, const std::string& text) {
                    out.push_back(codes_.intern(kind, text));
                  });
  };
  ask(std::numeric_limits<std::uint64_t>::max(), said->late);
  said->changed = opened_.changed();
  if (said->changed != 0) ask(said->changed - 1, said->early);
  kept_.push_back(std::move(said));
  place.store(kept_.back().get(), std::memory_order_release);
  return *kept_.back();
}

}  // namespace rejig::coverage
