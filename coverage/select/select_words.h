// SPDX-License-Identifier: Apache-2.0
// How does a selection say it? Parts of the sentences of reasons.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/entity.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

// What a row that did not record this kind leaves open.
std::string_view unrecorded(classfile::AtomKind kind);
// "1 row", "2 classes"
std::string plural(std::size_t n, std::string_view one);
// State that tests share: of a class, or under a name, which has a blank.
std::string in_words(std::string_view state);

// What is taken for granted where no row that counts records a kind of fact.
std::vector<const char*> assumed_of(const Facts& common);

}  // namespace rejig::coverage
