// SPDX-License-Identifier: Apache-2.0
// What does a test JVM say about itself when it asks? Its class path, with what
// the manifests of its archives bring; what it was started with. A question that
// is not whole is an Error, and everything runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/session/run_setting.h"
#include "classfile/base/result.h"

namespace rejig::app {

struct Question {
  std::string suite;
  std::string java;
  std::uint32_t pid = 0;
  std::vector<std::string> class_path;
  Start start;
  Setting setting;
};

// `variables` as /proc/PID/environ has them. What was read before an Error is in
// `out`.
base::Result<void> parse_question(const std::string& text,
                                  const base::Result<std::string>& variables,
                                  const std::string& project, Question& out);

// The same question, as nobody's, when the archives and files that were made for
// that JVM are gone.
std::string question_text(const std::string& text, const Question& question);

}  // namespace rejig::app
