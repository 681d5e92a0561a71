// SPDX-License-Identifier: Apache-2.0
// Would the selection have missed anything? Everything ran; a test that failed
// although it would have been skipped is a miss. Each run is a line in a file
// beside the store, and all of them together are said.
#pragma once

#include <string>

#include "apps/session/run_answers.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::app {

std::string shadow_file(const std::string& store);

base::Result<void> judge_shadow(const std::string& store,
                                const Answers& answers,
                                const coverage::MatrixBuilder& fresh,
                                Work& work);

}  // namespace rejig::app
