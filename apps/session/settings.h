// SPDX-License-Identifier: Apache-2.0
// What did the project, the user and the environment decide beforehand? The
// settings of rejig.toml (looked for upwards from the working directory), of
// the user's rejig/config.toml, and of REJIG_* variables. A flag wins over a
// variable, that over the project's file, that over the user's file. `always`
// patterns of all sources hold together, resource rules are asked in that
// order. An unknown key, a wrong type or a missing reason is an Error with
// file, line and a suggestion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/session/work.h"
#include "classfile/base/result.h"
#include "coverage/select/policy.h"

namespace rejig::app {

struct Config {
  // [select]
  std::optional<std::string> coverage;
  std::optional<std::string> suite;
  std::optional<std::vector<std::string>> assume;
  std::optional<bool> allow_lower_bound;
  std::optional<unsigned> max_age_days;
  std::optional<unsigned> max_selections;
  std::optional<std::string> surefire_version;
  // [inputs]
  std::optional<std::string> old_path;
  std::optional<std::string> new_path;
  std::optional<std::string> lib;
  std::optional<std::string> old_lib;
  std::optional<std::string> new_lib;
  std::optional<std::string> jdk;
  std::optional<std::string> old_jdk;
  std::optional<std::string> new_jdk;
  std::optional<std::string> rename;
  // [remote]
  std::optional<std::string> remote;
  std::optional<std::vector<std::string>> remote_keys;
  // [classes]
  std::optional<std::vector<std::string>> internal;
  std::optional<std::vector<std::string>> external;
  // [[always]], [[resources]]
  std::vector<coverage::AlwaysRule> always;
  std::vector<coverage::ResourceRule> resources;
  // What makes answers smaller, and where it is set; and files that are not
  // followed, with the reason.
  std::vector<std::string> narrowing;
  std::vector<std::string> refused;
};

// One file; `where` names it in errors.
base::Result<Config> parse_config(std::string_view text,
                                  const std::string& where);

// The REJIG_* variables; `get` is like getenv.
base::Result<Config> config_of_environment(
    const std::function<const char*(const char*)>& get);

// What `strong` does not say is taken from `weak`.
Config merged(Config strong, const Config& weak);

// Environment over project over user. `explicit_path` stands for the project's
// file when it is not empty; then it must exist. Without it the file is looked
// for in this folder and those above, up to the repository's and no further
// than folders of the same owner: whoever can write above the project must not
// decide what it tests.
base::Result<Config> load_config(const std::string& explicit_path);
// The same, and says which files are not followed.
base::Result<Config> load_config(Work& work);

coverage::Policy policy_of(const Config& config);

}  // namespace rejig::app
