// SPDX-License-Identifier: Apache-2.0
// How does an Answer travel: into the report's page, and from `rejig run` to a
// later `rejig explain`? As one JSON object. Reading it gives the Answer back, but
// for its notes; what is not as it was written is an Error.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "classfile/base/result.h"
#include "coverage/import/import_json.h"
#include "coverage/select/answer.h"

namespace rejig::app {

inline constexpr std::size_t kAllItems =
    std::numeric_limits<std::size_t>::max();

// `most_items`: so many conjunctions of each edge; fewer cannot be read back.
std::string answer_data(const coverage::Answer& answer,
                        std::size_t most_items = kAllItems);

// The next value of `json` is such an object. False: the reader has failed.
bool read_answer_data(coverage::JsonReader& json, coverage::Answer& out);
base::Result<coverage::Answer> answer_of(std::string_view text,
                                         const std::string& where);

}  // namespace rejig::app
