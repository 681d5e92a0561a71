// SPDX-License-Identifier: Apache-2.0
// Where do the parts of a class file begin (JVMS §4.1)? Read once when a class
// is defined; who numbers its methods and who rewrites them start from here.
// Views live as long as the class's bytes and the arena.
#pragma once

#include <string_view>

#include "apps/agent/constant_pool.h"

namespace rejig::agent {

struct Outline {
  Bytes cls;
  ConstantPool pool;
  unsigned minor = 0;
  unsigned major = 0;
  unsigned access = 0;
  std::string_view name;
  std::size_t pool_at = 0;  // its count
  std::size_t pool_end = 0;
  std::size_t methods_at = 0;  // their count
  unsigned method_count = 0;
  unsigned code_count = 0;  // methods with code
  std::size_t attributes_at = 0;
  // It has static fields that can hold something else after its initializer.
  bool keeps_state = false;
  bool has_initializer = false;
};

// False: not a class file, or something behind it.
bool read_outline(Bytes cls, Arena& arena, Outline& out);

}  // namespace rejig::agent
