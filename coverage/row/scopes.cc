// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/scopes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "classfile/words/entity.h"

namespace rejig::coverage {

using classfile::slashed;

namespace {

constexpr auto kNone = RecordedClasses::kNone;
// Of all tests, that a suite of many has.
constexpr std::size_t kPartOfMany = 16;

bool is_about_tests(FactKind kind) {
  return kind == FactKind::kReflected || kind == FactKind::kInitialized ||
         kind == FactKind::kConstants || kind == FactKind::kListed ||
         kind == FactKind::kCreated || kind == FactKind::kAskedClass ||
         kind == FactKind::kLoadedClass;
}

// What somebody left, or met.
bool is_about_state(FactKind kind) {
  return kind == FactKind::kChangedState || kind == FactKind::kLeftThere ||
         kind == FactKind::kMet;
}

}  // namespace

std::string class_of_test(const Scope& test) {
  return slashed(test.id.substr(0, test.id.find('#')));
}

RowScopes::RowScopes(const RowFile& file, RecordedClasses& classes,
                     const std::set<std::string>* skipped)
    : file_(file),
      classes_(classes),
      is_test_class_(classes.size(), false),
      compared_(classes.size()) {
  places_.reserve(file.scopes.size());
  for (const auto& [number, scope] : file.scopes) {
    Place& at = places_[number];
    at.scope = &scope;
    at.common = number == 0 || (!scope.is_test && !is_class(scope.id));
    if (at.common) common_.push_back(number);
    if (scope.is_test) {
      at.family = &family_named(class_of_test(scope));
      if (const Id id = classes_.find(at.family->name); id != kNone) {
        is_test_class_[id] = true;
      }
    } else if (number != 0) {
      family_named(slashed(scope.id)).containers.push_back(number);
    }
    if (number != 0 && !scope.has_end) has_open_child_[scope.parent] = true;
    if (has_fact(scope, FactKind::kMakesShared)) makers_.push_back(number);
  }
  if (skipped != nullptr) {
    for (const auto& test : *skipped) {
      const auto hash = test.find('#');
      if (hash == std::string::npos) continue;
      const Id id = classes_.find(slashed(test.substr(0, hash)));
      if (id != kNone) is_test_class_[id] = true;
    }
  }
  std::vector<Number> todo = makers_;
  follow(todo, sharing_);
  for (const auto& [number, test] : file.scopes) {
    if (!test.is_test) continue;
    ++tests_;
    for (auto n = test.parent; n != 0; n = scope(n).parent) ++places_[n].tests;
  }
  find_subjects();
}

bool RowScopes::has_fact(const Scope& scope, FactKind kind) const {
  return std::ranges::any_of(scope.work.facts, [&](auto f) {
    return file_.facts[f].kind == kind;
  });
}

const RowScopes::Family& RowScopes::family_of(const Scope& test,
                                              Number number) {
  const auto at = places_.find(number);
  if (at == places_.end()) return family_named(class_of_test(test));
  return *at->second.family;
}

RowScopes::Family& RowScopes::family_named(const std::string& test_class) {
  const auto [at, fresh] = families_.try_emplace(test_class);
  Family& out = at->second;
  if (!fresh) return out;
  out.number = static_cast<std::uint32_t>(families_.size());
  out.name = test_class;
  std::set<Id> own;
  for (std::string c = test_class;; c.resize(c.rfind('$'))) {
    if (const Id id = classes_.find(c); id != kNone) {
      const auto& above = classes_.up(id);
      own.insert(above.begin(), above.end());
    }
    if (c.rfind('$') == std::string::npos) break;
  }
  out.own.assign(own.begin(), own.end());
  if (has_known_tests(test_class)) out.compared = out.own;
  compared_.add(out.compared);
  out.shares_instance = shares_instance(out.own);
  return out;
}

// TestNG has one instance of a class, JUnit 5 on demand, Spock one for what is
// said to be shared. Without fields that can change it says nothing.
bool RowScopes::shares_instance(const std::vector<Id>& own) const {
  const auto has_parts = [this](const Id id) {
    return classes_.is_internal(id) && classes_.has_parts(id);
  };
  if (std::ranges::none_of(own, has_parts)) return false;
  return std::ranges::any_of(own, [this](const Id id) {
    return std::ranges::any_of(classes_.records(id), [this](const auto i) {
      return std::ranges::any_of(file_.classes[i].names, [this](const auto n) {
        const std::string& text = file_.names[n];
        return text == "org/testng/annotations/Test" ||
               text == "org/junit/jupiter/api/TestInstance" ||
               text == "org/junit/jupiter/api/TestInstance$Lifecycle" ||
               text == "spock/lang/Shared";
      });
    });
  });
}

// Does the comparison know that it is a test class? Not of every framework.
bool RowScopes::has_known_tests(const std::string& test_class) {
  const Id id = classes_.find(test_class);
  if (id == kNone) return false;
  const auto& above = classes_.up(id);
  const bool junit3 = std::ranges::any_of(above, [&](const Id super) {
    return classes_.name(super) == "junit/framework/TestCase";
  });
  return std::ranges::any_of(above, [&](const Id super) {
    return std::ranges::any_of(classes_.records(super), [&](const auto i) {
      return std::ranges::any_of(
          file_.classes[i].methods, [&](const RecordedMethod& m) {
            return m.is_test || (junit3 && m.name.starts_with("test"));
          });
    });
  });
}

bool RowScopes::is_class(const std::string& scope_id) const {
  const Id id = classes_.find(slashed(scope_id));
  return id != kNone && classes_.is_known(id);
}

template <class F>
bool RowScopes::any_above(Number test, F&& is_so) const {
  const Place& at = place(test);
  if (std::ranges::any_of(at.family->containers, is_so)) return true;
  for (auto n = at.scope->parent; n != 0; n = scope(n).parent) {
    if (is_so(n)) return true;
  }
  return false;
}

bool RowScopes::broken_above(Number test) const {
  return any_above(test, [&](Number n) {
    return !scope(n).has_end && !has_open_child_.contains(n);
  });
}

bool RowScopes::failed_above(Number test) const {
  return any_above(test, [&](Number n) {
    return scope(n).has_end && scope(n).result == ScopeResult::kFailed;
  });
}

// Adds all that these lead to; `out` is sorted.
void RowScopes::follow(std::vector<Number>& todo,
                       std::vector<Number>& out) const {
  while (!todo.empty()) {
    const Number n = todo.back();
    todo.pop_back();
    const auto at = std::ranges::lower_bound(out, n);
    if (at != out.end() && *at == n) continue;
    out.insert(at, n);
    const Scope& from = scope(n);
    todo.insert(todo.end(), from.joined.begin(), from.joined.end());
    if (n != 0) todo.push_back(from.parent);
  }
}

bool RowScopes::runs_beside(const Family& family, const Scope& test) const {
  const auto is_joined = [this](Number n) {
    for (; n != 0; n = scope(n).parent) {
      if (!scope(n).joined.empty()) return true;
    }
    return false;
  };
  return !test.joined.empty() || is_joined(test.parent) ||
         std::ranges::any_of(family.containers, is_joined);
}

RowScopes::Reach RowScopes::reach(const Family& family, const Scope& test,
                                  Number number) const {
  std::vector<Number> todo = family.containers;
  todo.push_back(0);
  todo.push_back(test.parent);
  todo.insert(todo.end(), test.joined.begin(), test.joined.end());
  std::vector<Number> all;
  follow(todo, all);
  Reach out;
  // What it was handed out may have been made for a test before it.
  out.shares = uses_shared(test) || std::ranges::any_of(all, [&](Number n) {
                 return n != number && uses_shared(scope(n));
               });
  if (out.shares) {
    std::erase_if(all, [this](Number n) {
      return std::ranges::binary_search(sharing_, n);
    });
  }
  for (const Number n : all) {
    if (n == number) continue;
    const Place& at = place(n);
    const bool of_many = n == 0 || at.tests * kPartOfMany >= tests_;
    (!at.common ? out.own : of_many ? out.common : out.few).push_back(n);
  }
  if (out.shares) {
    for (const Number n : sharing_) {
      if (is_common(n)) out.common.push_back(n);
    }
    std::ranges::sort(out.common);
  }
  return out;
}

void RowScopes::find_subjects() {
  for (const auto& [c, slot] : file_.methods) {
    const Id id = classes_.of_class(c);
    const auto& method = file_.classes[c].methods[slot];
    subject_of_method_.push_back(
        method.provides && is_test_class_[id] ? id : kNone);
    made_of_method_.push_back(
        (method.name == "<init>" || method.name == "<clinit>") &&
                is_test_class_[id]
            ? id
            : kNone);
  }
  for (const auto& f : file_.facts) {
    Id id = is_about_tests(f.kind) ? classes_.find(slashed(f.text)) : kNone;
    if (id != kNone && !is_test_class_[id]) id = kNone;
    subject_of_fact_.push_back(id);
  }
}

// Could what ran in this scope, or with other values, leave something for tests
// of any class? Then whatever made test classes is everybody's.
bool RowScopes::leaves_nothing(const RowGraph& graph, const Scope& from) const {
  const auto writes = [&](const Work& work) {
    return std::ranges::any_of(work.methods, [&](auto m) {
      return !graph.may_write(m).empty();
    });
  };
  if (writes(from.work) || has_fact(from, FactKind::kChangedState) ||
      has_fact(from, FactKind::kLeftThere)) {
    return false;
  }
  return std::ranges::none_of(file_.inits, [&](const auto& init) {
    return is_test_class_[classes_.of_class(init.first)] && writes(init.second);
  });
}

// A runner that makes the objects of all test classes before the first test runs
// (JUnit 3) enters their constructors, and with them their initializers.
RowScopes::Id RowScopes::subject_of(Number n, std::uint32_t method) const {
  if (subject_of_method_[method] != kNone) return subject_of_method_[method];
  return place(n).leaves_nothing ? made_of_method_[method] : kNone;
}

// What a runner did to test classes before it ran any is that of their tests.
void RowScopes::append_common(const RowGraph& graph, Number n,
                              std::vector<RowGraph::Node>& out) const {
  const Work& work = scope(n).work;
  for (const auto m : work.methods) {
    if (subject_of(n, m) == kNone) out.push_back(graph.method(m));
  }
  for (const auto c : work.classes) {
    const Id id = classes_.of_class(c);
    if (!is_test_class_[id]) out.push_back(graph.of(RowGraph::kReferred, id));
  }
  for (const auto f : work.facts) {
    // What runs before everything and with everything leaves nothing that a
    // test would do otherwise.
    if (is_about_state(file_.facts[f].kind)) continue;
    if (subject_of_fact_[f] == kNone) out.push_back(graph.fact(f));
  }
  for (const auto r : work.receivers) out.push_back(graph.receiver(r));
}

void RowScopes::look_through(const RowGraph& graph) {
  for (const Number n : common_) {
    const Scope& from = scope(n);
    places_[n].leaves_nothing = leaves_nothing(graph, from);
    Discovered& out = discovered_[n];
    for (const auto m : from.work.methods) {
      const Id id = subject_of(n, m);
      if (id != kNone) out[id].push_back(graph.method(m));
    }
    for (const auto c : from.work.classes) {
      const Id id = classes_.of_class(c);
      if (is_test_class_[id]) {
        out[id].push_back(graph.of(RowGraph::kReferred, id));
      }
    }
    for (const auto f : from.work.facts) {
      const Id id = subject_of_fact_[f];
      if (id != kNone) out[id].push_back(graph.fact(f));
    }
  }
}

void RowScopes::append_discovered(Number n, const std::vector<Id>& own,
                                  std::vector<RowGraph::Node>& out) const {
  const Discovered& all = discovered_.at(n);
  if (all.empty()) return;
  for (const Id id : own) {
    const auto at = all.find(id);
    if (at == all.end()) continue;
    out.insert(out.end(), at->second.begin(), at->second.end());
  }
}

}  // namespace rejig::coverage
