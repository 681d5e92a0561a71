// SPDX-License-Identifier: Apache-2.0
// What did the project say about its tests, files and trust? The policies of
// rejig.toml and the command line, as plain data: apps/ reads them, select()
// obeys them. Only `inert`, `assume` and `allow_lower_bound` can narrow an
// answer; each of them is printed in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/words/entity.h"

namespace rejig::coverage {

// `?` one character, `*` any run of characters without `separator`, `**` any
// run; "**/" also matches nothing. With separator 0, `*` matches any run.
bool glob_match(std::string_view pattern, std::string_view text,
                char separator);

struct AlwaysRule {
  std::string tests;   // glob over test ids, `*` matches any run
  std::string reason;  // mandatory
};

enum class ResourceVerdict {
  kTests,  // rows with recorded resource facts decide; without them: all
  kAll,    // every test
  kInert,  // nobody
};

struct ResourceRule {
  std::string files;  // glob over paths
  ResourceVerdict verdict = ResourceVerdict::kTests;
  std::string from = {};  // the file that says so
};

struct Policy {
  std::vector<AlwaysRule> always;
  std::vector<ResourceRule> resources;  // the first that matches decides
  std::vector<std::string> assume;      // names of assumption_names()
  bool allow_lower_bound = false;
  std::vector<std::string> narrowing;  // what of it comes from which settings
  std::optional<unsigned> max_age_days;    // of the baseline
  std::optional<unsigned> max_selections;  // answered from one baseline

  const ResourceRule* resource_rule(std::string_view path) const;
};

// "no-reflection", "no-resources", …: sorted.
std::vector<std::string_view> assumption_names();
// The kinds of atoms that `name` makes false where a row did not record them.
base::Result<std::vector<classfile::AtomKind>> assumed_absent(
    std::string_view name);

// The candidate nearest to `word` by edits; empty when none is near.
std::string_view nearest(std::string_view word,
                         const std::vector<std::string_view>& candidates);

}  // namespace rejig::coverage
