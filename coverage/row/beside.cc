// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/beside.h"

#include <algorithm>
#include <utility>

namespace rejig::coverage {

bool Beside::move_to(const RowScopes::Family& family, const Scope& test,
                     std::vector<Number>& fresh) {
  if (!all_.empty() && add(family, test, fresh)) return true;
  all_.clear();
  common_.clear();
  targets_.clear();
  uses_shared_ = false;
  has_makers_ = false;
  add(family, test, fresh);
  return false;
}

// Scopes that are there are followed no further: all behind them is there.
void Beside::follow(std::vector<Number> todo, std::unordered_set<Number>& met,
                    std::vector<Number>& fresh) const {
  while (!todo.empty()) {
    const Number n = todo.back();
    todo.pop_back();
    if (!met.insert(n).second || all_.contains(n)) continue;
    fresh.push_back(n);
    const Scope& scope = scopes_.scope(n);
    todo.insert(todo.end(), scope.joined.begin(), scope.joined.end());
    if (n != 0) todo.push_back(scope.parent);
  }
}

// False when there is something that the test has not, or it is not seen.
bool Beside::add(const RowScopes::Family& family, const Scope& test,
                 std::vector<Number>& fresh) {
  fresh.clear();
  std::vector<Number> targets = family.containers;
  targets.push_back(0);
  targets.push_back(test.parent);
  targets.insert(targets.end(), test.joined.begin(), test.joined.end());
  std::unordered_set<Number> met;
  follow(targets, met, fresh);
  // Who reaches what led to the others reaches them.
  const bool reaches_all = std::ranges::all_of(
      targets_, [&](Number n) { return met.contains(n); });
  if (!reaches_all) return false;
  uses_shared_ = uses_shared_ || std::ranges::any_of(fresh, [this](Number n) {
                   return scopes_.uses_shared(scopes_.scope(n));
                 });
  const bool uses = uses_shared_ || scopes_.uses_shared(test);
  if (has_makers_ && !uses) return false;
  if (uses && !has_makers_) {
    has_makers_ = true;
    follow(scopes_.makers(), met, fresh);
  }
  for (const Number n : fresh) {
    all_.insert(n);
    if (scopes_.is_common(n)) common_.push_back(n);
  }
  targets_ = std::move(targets);
  return true;
}

}  // namespace rejig::coverage
