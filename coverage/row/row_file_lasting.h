// SPDX-License-Identifier: Apache-2.0
// What did the JVM, the JDK or a library do once, for whoever came first, and
// keeps for the others? The row file shows it in one scope only: a class that
// was initialized where no code of the program asked for it, a class that was
// reflected on, constants of an enum, a resource that a library looked up, a
// class that is missing, a bootstrap method. It counts for every test of that
// JVM that meets the class, whatever the order. File and classes must outlive
// it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "coverage/row/row_file.h"
#include "coverage/row/row_file_classes.h"

namespace rejig::coverage {

class LastingFacts {
 public:
  using Id = RecordedClasses::Id;

  LastingFacts(const RowFile& file, const RecordedClasses& classes);

  // Of whoever loads the class.
  const std::vector<std::uint32_t>& of(Id id) const {
    static const std::vector<std::uint32_t> kNothing;
    const auto at = facts_.find(id);
    return at == facts_.end() ? kNothing : at->second;
  }
  // Somebody looked for a class of that name in vain.
  bool is_missed(Id id) const { return missed_.contains(id); }
  // Its initializer ran, and no row shows why.
  bool is_initialized(Id id) const { return initialized_.contains(id); }
  void add_initialized(Id id) { initialized_.insert(id); }
  // It has a bootstrap method, which links a call site for all who pass it.
  bool links(Id id) const { return linking_.contains(id); }
  // It is a ClassValue, whose answers classes keep.
  bool computes(Id id) const { return computing_.contains(id); }

 private:
  std::unordered_map<Id, std::vector<std::uint32_t>> facts_;
  std::unordered_set<Id> missed_;
  std::unordered_set<Id> initialized_;
  std::unordered_set<Id> linking_;
  std::unordered_set<Id> computing_;
};

bool is_bootstrap(const RecordedMethod& method);
// Of a ClassValue.
bool is_compute_value(const RecordedMethod& method);

}  // namespace rejig::coverage
