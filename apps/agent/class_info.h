// SPDX-License-Identifier: Apache-2.0
// What must a row file say about a class so that initializations, exact types
// and loads can be derived from entered methods (ROWS.md "Deriving")? Names of
// all classes it refers to, and per method which of them its code resolves,
// creates or initializes. Where code is not understood the answer is every
// name: more is derived, never less. Views live as long as bytes and arena.
#pragma once

#include <string_view>

#include "apps/agent/constant_pool.h"

namespace rejig::agent {

// What a method does to a class that its code names; the bits of ROWS.md.
enum Use : unsigned char {
  kCreates = 1,   // new, or a constructor handle
  kTriggers = 2,  // new, static field or method access, static handle
  kFields = 4,    // static fields: they may be a superinterface's
  kWrites = 8,    // these, or what they hold, or fields of an own instance
  kMarks = 16,    // these, with a constant
};

struct ClassUse {
  unsigned name = 0;  // index into ClassInfo::names
  unsigned use = 0;   // none: it is resolved
};

struct MethodInfo {
  unsigned access = 0;
  std::string_view name;
  std::string_view descriptor;
  bool has_code = false;
  bool clones = false;  // calls Object.clone on something that is no array
  ClassUse* uses = nullptr;
  unsigned use_count = 0;
  bool asks = false;  // a Class, what only a native method says
  bool provides = false;  // parameters of its class's tests
  bool is_test = false;   // by an annotation of JUnit 4, 5 or TestNG
};

struct ClassInfo {
  std::string_view name;
  std::string_view super;
  unsigned major = 0;
  unsigned access = 0;
  std::string_view* interfaces = nullptr;
  unsigned interface_count = 0;
  // Classes referred to, not java.*: first those that have a constant, then
  // those that only descriptors and signatures name.
  std::string_view* names = nullptr;
  unsigned name_count = 0;
  unsigned constant_count = 0;
  MethodInfo* methods = nullptr;
  unsigned method_count = 0;
  unsigned code_count = 0;  // methods with code
  bool keeps_state = false;  // static fields that can hold something else later
  bool has_parts = false;    // so can fields of its instances
};

// Name, super class and interfaces only.
bool read_head(Bytes cls, Arena& arena, ClassInfo& info);

// The same and the classes that have a constant, of a class that is not
// recorded.
bool read_names(Bytes cls, Arena& arena, ClassInfo& info);

// Everything. False: not a class file.
bool read_class(Bytes cls, Arena& arena, ClassInfo& info);

}  // namespace rejig::agent
