// SPDX-License-Identifier: Apache-2.0
// What of an application breaks or runs other code with another version of its
// libraries or platform? The edges of the application in a comparison in which
// only the libraries differ, the ways into library code that changed, and with a
// store the tests that run them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/rejig/upgrade/library_reach.h"
#include "classfile/words/delta.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

struct UpgradeFinding {
  std::string method;  // of the application; a class where it is all of it
  std::string file;
  unsigned line = 0;
  std::string error;  // "NoSuchMethodError"; empty: it does something else
  std::string what;   // the member or class that it is about
  std::string why;    // a sentence
  std::string before;
  std::string after;
  classfile::Rule rule = classfile::Rule::kD4;
};

struct UpgradeReach {
  LibraryWay way;
  // With a store: how many tests enter the method; nullopt: nobody asked.
  std::optional<std::size_t> tests;
  std::vector<std::string> some_tests;
};

struct UpgradeAnswer {
  std::vector<UpgradeFinding> breaks;
  std::vector<UpgradeFinding> other;
  std::vector<UpgradeReach> reach;
  std::vector<std::string> untested;  // methods of reach that no test enters
  std::size_t changed_methods = 0;    // of the libraries
  bool reach_known = true;            // false: the platform's code was not searched
  std::optional<unsigned> needs_java;
  unsigned java_before = 0;
  std::vector<std::string> widened;

  bool is_empty() const {
    return breaks.empty() && other.empty() && reach.empty();
  }
};

// Sorts the edges of the application into what breaks and what is other.
void take_edges(std::span<const classfile::Delta> edges, UpgradeAnswer& answer);
// Who enters the methods of `reach`, and which nobody does.
base::Result<void> take_tests(coverage::Matrix& matrix, UpgradeAnswer& answer);

std::string upgrade_json(const UpgradeAnswer& answer, std::string_view version);

}  // namespace rejig::app
