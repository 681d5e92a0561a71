// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file_classes.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

RecordedClasses::RecordedClasses(const RowFile& file, CodeSources& sources) {
  for (const auto& name : file.names) id_of_name_.push_back(number(name));
  for (const auto& c : file.classes) {
    id_of_.push_back(number(c.name));
    for (const auto& super : c.supertypes) static_cast<void>(number(super));
  }
  records_.resize(size());
  flags_.resize(size());
  supers_.resize(size());
  subs_.resize(size());
  for (std::uint32_t i = 0; i < file.classes.size(); ++i) {
    const auto& c = file.classes[i];
    const Id id = id_of_[i];
    const bool first = records_[id].empty();
    records_[id].push_back(i);
    for (const auto& super : c.supertypes) {
      supers_[id].push_back(ids_.at(super));
      subs_[ids_.at(super)].push_back(id);
    }
    auto& flags = flags_[id];
    const auto set = [&](Flag flag, bool on) {
      if (on) flags = static_cast<std::uint16_t>(flags | flag);
    };
    // Holds for all records.
    const auto only = [&](Flag flag, bool on) {
      set(flag, first);
      if (!on) flags = static_cast<std::uint16_t>(flags & ~flag);
    };
    const bool own =
        c.origin == Origin::kInternal || c.origin == Origin::kUntouched;
    const auto source = file.sources.find(c.source);
    set(kInternal, own || !c.methods.empty());
    set(kExternal, c.origin == Origin::kExternal);
    set(kGenerated, own && source != file.sources.end() &&
                        sources.lacks(source->second, c.name));
    only(kRecorded, c.origin == Origin::kInternal);
    only(kInterface, c.is_interface);
    set(kDefaults, c.origin != Origin::kInternal ||
                       std::ranges::any_of(c.methods, [](const auto& m) {
                         return !m.is_static && !m.is_abstract;
                       }));
    set(kKeeps, c.keeps_state);
    set(kParts, c.has_parts);
    set(kNatives, std::ranges::any_of(c.methods, [](const auto& m) {
          return m.is_static && !m.has_code;
        }));
  }
}

RecordedClasses::Id RecordedClasses::number(const std::string& name) {
  const auto [at, fresh] =
      ids_.emplace(name, static_cast<Id>(names_.size()));
  if (fresh) names_.push_back(&name);
  return at->second;
}

RecordedClasses::Id RecordedClasses::find(std::string_view name) const {
  const auto at = ids_.find(name);
  return at == ids_.end() ? kNone : at->second;
}

std::vector<RecordedClasses::Id> RecordedClasses::closure(
    Id from, const std::vector<std::vector<Id>>& next) const {
  std::vector<Id> out{from};
  std::vector<bool> seen(size(), false);
  seen[from] = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const Id id : next[out[i]]) {
      if (seen[id]) continue;
      seen[id] = true;
      out.push_back(id);
    }
  }
  return out;
}

const std::vector<RecordedClasses::Id>& RecordedClasses::up(Id id) {
  const auto [at, fresh] = up_.try_emplace(id);
  if (fresh) at->second = closure(id, supers_);
  return at->second;
}

const std::vector<RecordedClasses::Id>& RecordedClasses::down(Id id) {
  const auto [at, fresh] = down_.try_emplace(id);
  if (fresh) at->second = closure(id, subs_);
  return at->second;
}

const std::vector<RecordedClasses::Id>& RecordedClasses::initialized_with(
    Id id) {
  const auto [at, fresh] = initialized_with_.try_emplace(id);
  if (!fresh) return at->second;
  std::vector<Id> out{id};
  if ((flags_[id] & kInterface) == 0) {
    for (const Id above : up(id)) {
      if (above == id || !is_known(above)) continue;
      if ((flags_[above] & kInterface) == 0 ||
          (flags_[above] & kDefaults) != 0) {
        out.push_back(above);
      }
    }
  }
  return initialized_with_[id] = std::move(out);
}

}  // namespace rejig::coverage
