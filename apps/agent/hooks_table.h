// SPDX-License-Identifier: Apache-2.0
// What is a row of the table of hooks? For hooks.cc and hooks_state.cc only.
#pragma once

#include "apps/agent/hooks.h"

namespace rejig::agent {

struct Hook {
  const char* method;      // "*": every method; ends in '*': every such name
  const char* descriptor;  // how the descriptor begins; nullptr: any
  const char* call;        // of $Rejig; "Files.x": of $RejigFiles
  const char* call_descriptor;
  signed char slots[2];  // arguments loaded; -1: none
  unsigned char number;
  unsigned char only = 0;  // Needed; 0: always
  const char* instead_of = nullptr;  // no prefix, rewriter.h
};

struct HookedClass {
  const char* name;
  bool of_jdk;
  const Hook* hooks;
  unsigned count;
};

inline constexpr char kOne[] = "(Ljava/lang/Object;I)V";
inline constexpr char kTwo[] = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
inline constexpr char kWithFlags[] = "(Ljava/lang/Object;II)V";
inline constexpr char kNumber[] = "(I)V";

#define REJIG_HOOKED(name, of_jdk, table) \
  { name, of_jdk, table, sizeof table / sizeof table[0] }

// hooks_state.cc: of classes that have hooks for state and no others.
const HookedClass* state_hooks_of(std::string_view class_name);

}  // namespace rejig::agent
