// SPDX-License-Identifier: Apache-2.0
// Which scopes of one JVM are whose? The parents of a test, its fixtures, the
// session, what it is joined to (apps/agent/ROWS.md, Scopes and Discovery).
// Those that a runner has for many test classes are told apart from those of
// one: their work is the same for all, but for what is about test classes.
// File and classes must outlive it. Private to coverage/.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "coverage/row/graph.h"
#include "coverage/row/row_file.h"
#include "coverage/row/row_file_classes.h"

namespace rejig::coverage {

class RowScopes {
 public:
  using Id = RecordedClasses::Id;
  using Number = std::uint32_t;

  // What a test class is made of: supertypes, enclosing classes and theirs.
  struct Family {
    std::uint32_t number = 0;
    std::string name;  // "p/T"
    std::vector<Id> own;
    std::vector<Id> compared;  // the same, if they are compared as test classes
    bool shares_instance = false;  // its tests may have one instance together
    std::vector<Number> containers;  // of that name
  };
  // Sorted.
  struct Reach {
    std::vector<Number> common;  // the session, engines, suites of many
    std::vector<Number> few;     // suites of few
    std::vector<Number> own;     // of test classes, and tests
    bool shares = false;         // with all of sharing()

    friend bool operator==(const Reach&, const Reach&) = default;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };

  // `skipped`: ids of tests that this JVM was told not to run; may be nullptr.
  RowScopes(const RowFile& file, RecordedClasses& classes,
            const std::set<std::string>* skipped);

  // `number` of the test, or none of the file's.
  const Family& family_of(const Scope& test, Number number);
  // Of all families that were asked for, those of the file's tests among them.
  const Marks& compared() const { return compared_; }
  Reach reach(const Family& family, const Scope& test, Number number) const;
  // Scopes whose work all have that use what is shared: who made it, and what
  // that leads to.
  const std::vector<Number>& makers() const { return makers_; }
  const std::vector<Number>& sharing() const { return sharing_; }
  // Of a scope that is or was open in the same JVM.
  bool uses_shared(const Scope& scope) const {
    return !makers_.empty() && has_fact(scope, FactKind::kUsesShared);
  }
  // Is it, or anything around it, joined to others? Then reach() is long.
  bool runs_beside(const Family& family, const Scope& test) const;

  // Of a test of the file.
  bool broken_above(Number test) const;
  bool failed_above(Number test) const;

  const Scope& scope(Number n) const { return *places_.at(n).scope; }
  // A runner's, and no test class's.
  bool is_common(Number n) const { return places_.at(n).common; }
  // Of a common scope: what everybody has ...
  void append_common(const RowGraph& graph, Number n,
                     std::vector<RowGraph::Node>& out) const;
  // ... and what only the tests of these classes have, once all was looked
  // through.
  void look_through(const RowGraph& graph);
  void append_discovered(Number n, const std::vector<Id>& own,
                         std::vector<RowGraph::Node>& out) const;

 private:
  using Discovered = std::unordered_map<Id, std::vector<RowGraph::Node>>;
  struct Place {
    const Scope* scope = nullptr;
    const Family* family = nullptr;  // of a test
    bool common = false;
    bool leaves_nothing = false;  // once all was looked through
    std::size_t tests = 0;  // below it
  };

  const Place& place(Number n) const { return places_.at(n); }
  bool has_fact(const Scope& scope, FactKind kind) const;
  Family& family_named(const std::string& test_class);
  template <class F>
  bool any_above(Number test, F&& is_so) const;
  void follow(std::vector<Number>& todo, std::vector<Number>& out) const;
  bool is_class(const std::string& scope_id) const;
  bool has_known_tests(const std::string& test_class);
  bool shares_instance(const std::vector<Id>& own) const;
  bool leaves_nothing(const RowGraph& graph, const Scope& from) const;
  // The test class that a method of a common scope's work is about; or none.
  Id subject_of(Number n, std::uint32_t method) const;
  // The test classes that entries of a common scope's work are about.
  void find_subjects();

  const RowFile& file_;
  RecordedClasses& classes_;
  std::unordered_map<Number, Place> places_;
  std::size_t tests_ = 0;
  std::vector<bool> is_test_class_;
  std::vector<Id> subject_of_method_;
  std::vector<Id> made_of_method_;  // by a constructor or an initializer
  std::vector<Id> subject_of_fact_;
  Marks compared_;
  std::unordered_map<std::string, Family> families_;
  std::vector<Number> common_;
  std::unordered_map<Number, bool> has_open_child_;
  std::vector<Number> makers_;  // scopes that made what is shared
  std::vector<Number> sharing_;
  std::unordered_map<Number, Discovered> discovered_;
};

// "p/T" of "p.T#x()".
std::string class_of_test(const Scope& test);

}  // namespace rejig::coverage
