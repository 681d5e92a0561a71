// SPDX-License-Identifier: Apache-2.0
// Do two constants of two pools mean the same under the renaming? Bootstrap
// arguments are compared recursively, dynamic constants included; cycles and
// constants that fan out beyond a budget count as different.
#pragma once

#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"
#include "traversal/body/body_compare.h"
#include "traversal/code/renaming.h"

namespace rejig::traversal {

class ConstantCompare {
 public:
  ConstantCompare(const classfile::ClassView& old_class,
                  const classfile::ClassView& new_class,
                  const Renaming& renaming)
      : old_(old_class), new_(new_class), renaming_(renaming) {}

  bool same_constant(std::uint16_t old_index, std::uint16_t new_index);
  bool same_member(const classfile::MemberRef& old_ref,
                   const classfile::MemberRef& new_ref) const;
  bool same_handle(std::uint16_t old_index, std::uint16_t new_index) const;
  // invokedynamic call sites; lambda bodies met are appended to `lambdas`.
  bool same_call_site(
      std::uint16_t old_index, std::uint16_t new_index,
      std::vector<std::pair<MethodName, MethodName>>& lambdas);

 private:
  bool same_dynamic(std::uint16_t old_index, std::uint16_t new_index);
  bool same_within_budget(std::uint16_t old_index, std::uint16_t new_index);
  bool same_bootstrap(std::uint16_t old_entry, std::uint16_t new_entry);

  const classfile::ClassView& old_;
  const classfile::ClassView& new_;
  const Renaming& renaming_;
  static constexpr unsigned kBudget = 4096;  // for one instruction
  unsigned budget_ = kBudget;
};

}  // namespace rejig::traversal
