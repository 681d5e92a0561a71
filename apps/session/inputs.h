// SPDX-License-Identifier: Apache-2.0
// Which two programs are compared? The options of contract.md §2 that diff,
// select and explain share: path lists, libraries, platform, renames. A flag
// wins over rejig.toml. An input that cannot be opened is an Error: a program
// with a missing root would hide changes.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/session/work.h"
#include "apps/session/settings.h"
#include "classfile/program/program.h"
#include "coverage/store/old_program.h"
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
  std::vector<std::string> internal;  // patterns of class names
  std::vector<std::string> external;
  bool as_listed = false;
  bool walk = false;            // the edges by compare_by_walk()
  bool jdk_by_default = false;  // --jdk is $JAVA_HOME, nobody said it
  bool discover_tests = true;
  bool facets_for_rows = true;
  bool exhaustive = false;
  bool own_names = false;  // own_names.h
  // Of platforms that are given as libraries; 0: those of --old-jdk, --new-jdk.
  unsigned old_release = 0;
  unsigned new_release = 0;
  // Where it is kept what files of class directories held; empty: nowhere.
  std::string stat_cache;
};

// What the flags leave open, from the settings and $JAVA_HOME.
void complete_inputs(InputOptions& options, const Config& config);

// The programs live as long as this object; the comparison refers to them.
struct Compared {
  // OLD, when it is the matrix that keeps it. When it could not be read NEW
  // stands for both, and this says why.
  std::optional<coverage::StoredProgram> stored;
  std::string stored_problem;
  std::deque<std::string> own_names;  // of classes that lie elsewhere
  std::vector<std::unique_ptr<classfile::Program>> programs;
  const classfile::Program* old_program = nullptr;
  const classfile::Program* new_program = nullptr;
  std::vector<const classfile::Program*> old_external;
  std::vector<const classfile::Program*> new_external;
  traversal::Comparison comparison;
};

// NEW, read before it is known what it is compared with.
class NewAhead;
// Says nothing, whatever it finds: compare_inputs() does. From any thread.
std::shared_ptr<NewAhead> read_new(const InputOptions& options);

// `stored` stands for OLD with its libraries and platform: those of NEW are
// taken to be the same, and are asked first when they are given. `ahead` is
// what read_new() made of the same options, or nullptr.
base::Result<std::unique_ptr<Compared>> compare_inputs(
    const InputOptions& options, Work& work,
    const coverage::StoredRecord* stored = nullptr,
    const std::shared_ptr<NewAhead>& ahead = nullptr);

// One version of the program, split into what is compared inside and what only
// by its shells: by the roots, and by the patterns of class names, of which
// `external` wins.
struct Sides {
  classfile::Program internal;
  std::optional<classfile::Program> libraries;  // none: there are none
};
base::Result<Sides> load_sides(const std::vector<std::string>& internal,
                               const std::vector<std::string>& libraries,
                               const std::vector<std::string>& internal_globs,
                               const std::vector<std::string>& external_globs,
                               const classfile::ProgramOptions& options,
                               base::Diagnostics& diagnostics);

// 8, 11, 17, …; 0: not known.
unsigned feature_release(const std::string& jdk_home);

// Is this the SHA-256 of the class's bytes in `program`, in hex? Any other digest
// is not known to be.
bool has_digest(const classfile::Program& program, std::string_view name,
                std::string_view digest);

}  // namespace rejig::app
