// SPDX-License-Identifier: Apache-2.0
// Which scopes have tests that run beside each other? Each is joined to some
// that were open, these to others, and in the end most have all that came
// before. So from one test to the next there is little to add, as long as the
// next one has what this one was joined to; if not, it begins anew.
// Scopes must outlive it. Private to coverage/.
#pragma once

#include <unordered_set>
#include <vector>

#include "coverage/row/scopes.h"

namespace rejig::coverage {

class Beside {
 public:
  using Number = RowScopes::Number;

  explicit Beside(const RowScopes& scopes) : scopes_(scopes) {}

  // All scopes of that test; `fresh` are those that the one before had not.
  // False: that one had others, and `fresh` are all.
  bool move_to(const RowScopes::Family& family, const Scope& test,
               std::vector<Number>& fresh);
  // Of a runner.
  const std::vector<Number>& common() const { return common_; }

 private:
  void follow(std::vector<Number> todo, std::unordered_set<Number>& met,
              std::vector<Number>& fresh) const;
  bool add(const RowScopes::Family& family, const Scope& test,
           std::vector<Number>& fresh);

  const RowScopes& scopes_;
  std::unordered_set<Number> all_;
  std::vector<Number> common_;
  std::vector<Number> targets_;  // what the last test was joined to
  bool uses_shared_ = false;     // one of all, but for what makers lead to
  bool has_makers_ = false;
};

}  // namespace rejig::coverage
