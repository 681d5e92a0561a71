// SPDX-License-Identifier: Apache-2.0
// What was the last `rejig run` told, and what came of it? Kept beside the store, so
// that `rejig explain TEST` can be asked afterwards, when the baseline has moved
// already. Nothing is decided by what stands there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/session/run_story.h"
#include "classfile/base/result.h"
#include "coverage/select/answer.h"

namespace rejig::app {

struct RunRecord {
  std::string when;  // "2026-01-31T12:00:00Z"
  std::string summary;
  coverage::Answer answer;  // of all suites
  std::vector<TestStory> tests;
  // Of each suite of the story, where its edges begin in the answer.
  std::vector<std::size_t> first_edges;
};

// `now`: seconds since 1970.
RunRecord record_of(const RunStory& story, std::int64_t now);
std::string run_data(const RunRecord& record);

std::string last_run_file(const std::string& store);
base::Result<void> keep_run(const RunRecord& record, const std::string& store);
// kNotFound: there was none.
base::Result<RunRecord> last_run(const std::string& store);

}  // namespace rejig::app
