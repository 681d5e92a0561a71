// SPDX-License-Identifier: Apache-2.0
// What does only a reader of stack traces see? Line numbers and the source file
// of methods whose bodies are equal (D23, semantics A12).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "traversal/session/matching.h"

namespace rejig::traversal {

// Lines along the code and names of locals are the same.
bool same_debug_tables(const classfile::ClassView& old_class,
                       const classfile::MemberView& old_method,
                       const classfile::ClassView& new_class,
                       const classfile::MemberView& new_method);

// Gathers those methods of a class that are told apart by nothing else.
class DebugFacet {
 public:
  // Only a facet that rows are asked about names them.
  DebugFacet(const classfile::ClassView& old_class,
             const CompareInputs& inputs)
      : class_(old_class), names_methods_(inputs.facets_for_rows) {}

  void add(const classfile::MemberView& old_method);
  // Another method would change nothing.
  bool is_settled() const { return seen_ && !names_methods_; }
  std::optional<classfile::Delta> take(const std::string& file);

 private:
  const classfile::ClassView& class_;
  bool names_methods_;
  bool seen_ = false;
  std::vector<std::string> methods_;
};

std::optional<classfile::Delta> debug_facet_of(
    const Matching& matching, const classfile::ClassView& old_class,
    const classfile::ClassView& new_class, const std::string& file,
    std::span<const std::uint16_t> equal_methods);

}  // namespace rejig::traversal
