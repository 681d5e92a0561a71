// SPDX-License-Identifier: Apache-2.0
// Where can an unchanged instruction of the old program behave differently in
// the new one? compare() matches the classes of two effective programs, walks
// their Java Interclass Graphs synchronously and answers with the dangerous
// edges, each with its reason. What cannot be read or understood widens: it
// becomes an edge that selects more, and a line in `widened`.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "classfile/base/phase_timer.h"
#include "classfile/base/result.h"
#include "classfile/program/program.h"
#include "classfile/words/delta.h"

namespace rejig::traversal {

class Versions;  // describe/versions.h

// A test method (or, with an empty id suffix "#*", something that is run but
// has no method of its own).
struct TestMethod {
  std::string id;          // "a.b.FooTest#one(int)"
  std::string class_name;  // "a.b.FooTest": the class that runs
  std::string declared_in; // "a.b.BaseTest": the class that declares it
  std::string framework;   // "junit3", "junit4", "junit5", "testng"
};

struct CompareInputs {
  const classfile::Program* old_internal = nullptr;
  const classfile::Program* new_internal = nullptr;
  // Libraries in class-path order, then the platform. The same Program object
  // on both sides means "not changed".
  std::vector<const classfile::Program*> old_external;
  std::vector<const classfile::Program*> new_external;
  // The platform's classes, if they are known: also the last ones above.
  const classfile::Program* old_platform = nullptr;
  const classfile::Program* new_platform = nullptr;
  // Their feature releases; 0: not known. What needs a newer one is not loaded.
  unsigned old_release = 0;
  unsigned new_release = 0;
  // Old and new binary names with slashes, given by the user.
  std::vector<std::pair<std::string, std::string>> renames;
  bool discover_tests = false;  // reads every class of both programs
  // The old program's tests, found earlier: then the new program is searched
  // only if a class differs in something that discovery looks at.
  const std::vector<TestMethod>* old_tests = nullptr;
  // Ask also what no change can reach: slower, the same answer.
  bool exhaustive = false;
  // Classes with other bytes that say the same are not compared in full
  // (alike.h).
  bool trust_alike = true;
  // Somebody will ask which rows see a facet: it names its methods, and each
  // class file with other bytes is a resource with a facet of its own.
  bool facets_for_rows = true;
  unsigned jobs = 0;            // 0: one for each core
  base::PhaseTimer* timer = nullptr;
};

struct Widened {
  std::string what;
  std::string where;
};

struct Comparison {
  // Sorted by entity, rule, label, facts; ids are given in this order.
  std::vector<classfile::Delta> edges;
  // Differences that only an observer of debug tables or synthetic names can
  // see (line numbers, parameter names): no difference in behaviour.
  std::vector<classfile::Delta> facets;
  // Sorted by state: once each.
  std::vector<classfile::NewlyRead> newly_read;
  std::vector<Widened> widened;
  std::size_t classes = 0;          // internal classes, of either program
  std::size_t changed_classes = 0;  // changed, added or deleted
  // Names with dots, sorted, of the old internal classes whose bytes changed or
  // that are gone, and of the new ones that have no old partner.
  std::vector<std::string> changed_class_names;
  std::vector<std::string> added_class_names;
  std::vector<TestMethod> new_tests;  // all tests of the new program
  std::vector<TestMethod> old_tests;  // all tests of the old program
  // Binary names of old classes and their names in the new program, where
  // these differ (anonymous classes, user renames).
  std::vector<std::pair<std::string, std::string>> renamed;
  // What in methods implies an atom of the old program; reads it when it is
  // asked for the first time.
  classfile::Implied implied;
  // What another value may make unchanged code of the old program leave.
  classfile::MayLeave may_leave;
  // What was worked with, and what looks into it. No answer needs it: whoever
  // lives on drops both to have the memory back, whoever ends leaves it to the
  // system.
  std::shared_ptr<void> working_memory;
  std::shared_ptr<const Versions> versions;
};

// The Programs must outlive the answer's `implied` and `may_leave`.
base::Result<Comparison> compare(const CompareInputs& inputs);

// All tests of a program, sorted by id.
std::vector<TestMethod> tests_of(
    const classfile::Program& internal,
    const std::vector<const classfile::Program*>& external, unsigned jobs);

}  // namespace rejig::traversal
