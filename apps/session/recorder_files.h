// SPDX-License-Identifier: Apache-2.0
// Where are the recorder and what goes with it? REJIG_AGENT and REJIG_JUNIT_JAR
// say it, else they lie beside this program as it is installed or as it is
// built; a program that is one file carries them and unpacks them once, into a
// private folder of the user's cache.
#pragma once

#include <string>
#include <string_view>

#include "classfile/base/result.h"

namespace rejig::app {

struct RecorderPaths {
  std::string agent;
  std::string jar;
};
base::Result<RecorderPaths> find_recorder();
base::Result<std::string> this_program();
// A jar of this installation, "rejig-check.jar".
base::Result<std::string> find_jar(std::string_view name);

// What a program of one file carries; empty: nothing.
struct Carried {
  std::string_view agent;
  std::string_view junit_jar;
  std::string_view check_jar;
};
Carried carried();

// A file of this content and nobody else's, in a folder that only this user can
// write to: the one that an earlier process left, or a new one.
base::Result<std::string> unpacked(std::string_view name,
                                   std::string_view content);

}  // namespace rejig::app
