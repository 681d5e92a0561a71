// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/found_changed.h"

#include <algorithm>
#include <list>

namespace rejig::coverage {

namespace {

using Id = RecordedClasses::Id;

constexpr unsigned kFields = 4;
constexpr auto kNone = RecordedClasses::kNone;

// Classes by when their state was last found changed, the latest first.
class Changes {
 public:
  struct Change {
    std::size_t at = 0;
    Id id = 0;
  };
  void add(std::size_t at, Id id) {
    const auto known = place_.find(id);
    if (known != place_.end()) order_.erase(known->second);
    order_.push_front({at, id});
    place_[id] = order_.begin();
  }
  const std::list<Change>& latest() const { return order_; }

 private:
  std::list<Change> order_;
  std::unordered_map<Id, std::list<Change>::iterator> place_;
};

}  // namespace

AlsoMet follow_changes(const RowFile& file, RecordedClasses& classes,
                       const RowGraph& graph) {
  AlsoMet out;
  const auto says = [&](std::uint32_t f) {
    return file.facts[f].kind == FactKind::kChangedState &&
           graph.class_of_fact(f) != kNone;
  };
  bool any = false;
  for (std::uint32_t f = 0; f < file.facts.size(); ++f) any = any || says(f);
  if (!any) return out;
  std::vector<std::vector<Id>> looks(file.methods.size());
  for (std::uint32_t m = 0; m < file.methods.size(); ++m) {
    const auto& owner = file.classes[file.methods[m].first];
    for (const auto use : owner.methods[file.methods[m].second].uses) {
      if ((use & kFields) == 0) continue;
      for (const Id id : classes.up(classes.of_name(owner.names[use >> 5]))) {
        if (classes.keeps_state(id)) looks[m].push_back(id);
      }
    }
  }
  Changes changes;
  std::unordered_map<Id, std::size_t> looked_at;
  std::size_t at = 0;
  for (const auto& [number, scope] : file.scopes) {
    ++at;
    for (const auto c : scope.work.classes) {
      looked_at.try_emplace(classes.of_class(c), at);
    }
    std::vector<Id> changed;
    for (const auto f : scope.work.facts) {
      if (says(f)) changed.push_back(graph.class_of_fact(f));
    }
    for (const Id id : changed) {
      const auto known = looked_at.find(id);
      const std::size_t since = known == looked_at.end() ? 0 : known->second;
      for (const auto& change : changes.latest()) {
        if (change.at <= since) break;
        if (change.id != id) out[number].push_back(change.id);
      }
    }
    for (const auto m : scope.work.methods) {
      for (const Id id : looks[m]) looked_at[id] = at;
    }
    for (const Id id : changed) changes.add(at, id);
  }
  for (auto& [number, list] : out) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return out;
}

}  // namespace rejig::coverage
