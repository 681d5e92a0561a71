// SPDX-License-Identifier: Apache-2.0
// Which two programs are compared? The options of contract.md §2 that diff,
// select and explain share: path lists, libraries, platform, renames. A flag
// wins over rejig.toml. An input that cannot be opened is an Error: a program
// with a missing root would hide changes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/command.h"
#include "apps/rejig/settings.h"
#include "classfile/program.h"
#include "traversal/compare.h"

namespace rejig::app {

struct InputOptions {
  std::string old_path;
  std::string new_path;
  std::string class_path;
  std::string internal_root;
  std::string lib;
  std::string old_lib;
  std::string new_lib;
  std::string jdk;
  std::string old_jdk;
  std::string new_jdk;
  std::string rename;
  bool as_listed = false;
  bool discover_tests = true;
};

void declare_inputs(CommandLine& line, InputOptions& options);
// What the flags leave open, from the settings and $JAVA_HOME.
void complete_inputs(InputOptions& options, const Config& config);

// The programs live as long as this object; the comparison refers to them.
struct Compared {
  std::vector<std::unique_ptr<classfile::Program>> programs;
  const classfile::Program* old_program = nullptr;
  const classfile::Program* new_program = nullptr;
  traversal::Comparison comparison;
};

base::Result<std::unique_ptr<Compared>> compare_inputs(
    const InputOptions& options, Context& context);

// Is this the digest of the class's bytes in `program`? Knows SHA-256 and
// XXH3-128, by their length; any other digest is not known to be.
bool has_digest(const classfile::Program& program, std::string_view name,
                std::string_view digest);

}  // namespace rejig::app
