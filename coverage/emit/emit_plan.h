// SPDX-License-Identifier: Apache-2.0
// Class by class: what may be skipped, and what must run? The common part of
// the runner files. A class may be skipped whole only if static discovery knows
// it, nothing in it or nested in it is selected, and something in it is known
// to be unaffected; a method only if all its overloads are unaffected.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/emit/emit.h"
#include "coverage/select/answer.h"

namespace rejig::coverage {

struct ClassPlan {
  std::set<std::string> run;         // selected ids
  std::set<std::string> unaffected;  // ids
  std::set<std::string> exists;      // ids that NEW has
  std::set<std::string> frameworks;
  bool skip_whole = false;
  std::set<std::string> skip_methods;  // names; empty when skip_whole
};

struct EmitPlan {
  bool all = false;
  std::map<std::string, ClassPlan, std::less<>> classes;
  std::vector<TestKey> selected;
  std::vector<TestKey> unaffected;
  std::map<std::string, std::vector<std::string>, std::less<>> depends;

  // Something in `name` or nested in it is selected.
  bool needed(std::string_view name) const;
};

EmitPlan plan_of(const Answer& answer, const std::vector<DiscoveredTest>& tests,
                 const EmitOptions& options);

// Only characters that every runner's pattern language takes literally.
bool plain_class(std::string_view name);
bool plain_method(std::string_view name);

std::string xml_escaped(std::string_view text);

// The writers of emit_lists.cc and emit_files.cc.
Emitted emit_ant_includes(const EmitPlan& plan);
Emitted emit_bazel_targets(const EmitPlan& plan);
Emitted emit_console_args(const EmitPlan& plan);
Emitted emit_gradle_init(const EmitPlan& plan);
Emitted emit_idea_run(const EmitPlan& plan);
Emitted emit_junit_xml(const EmitPlan& plan);
Emitted emit_junit4_list(const EmitPlan& plan);
Emitted emit_sbt(const EmitPlan& plan);
Emitted emit_skip_list(const EmitPlan& plan);
Emitted emit_surefire_excludes(const EmitPlan& plan, bool methods);
Emitted emit_surefire_includes(const EmitPlan& plan);
Emitted emit_testng_xml(const EmitPlan& plan);

}  // namespace rejig::coverage
