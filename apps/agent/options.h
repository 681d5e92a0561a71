// SPDX-License-Identifier: Apache-2.0
// What was the agent asked to do? `key=value,…` of -agentpath over the REJIG_*
// variables of the environment. An unknown key or a value that makes no sense
// switches the agent off with one line; the JVM goes on.
#pragma once

#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

struct List {
  const std::string_view* items = nullptr;
  unsigned size = 0;
};

struct Options {
  std::string_view out;    // directory of the row files
  std::string_view suite;  // "default"
  std::string_view jar;    // rejig-junit.jar; beside the agent by default
  List roots;              // absolute, as given and with symbolic links followed
  List internal;           // globs over dotted class names
  List external;           // globs; win over everything
  bool receivers = false;  // record the class of `this`
  bool off = false;
};

// False: say() has been called and the agent must stay off.
bool read_options(const char* text, Arena& arena, Options& options);

// `*` matches any run of characters, '.' included.
bool glob_matches(std::string_view glob, std::string_view text);

// Is `path` one of the roots or below one?
bool below_a_root(const Options& options, std::string_view path);

// Is the class, by its name with slashes, internal or external whatever its
// code source says? A name that matches both lists is external.
bool named_internal(const Options& options, std::string_view name);
bool named_external(const Options& options, std::string_view name);

}  // namespace rejig::agent
