// SPDX-License-Identifier: Apache-2.0
// What stands below some internal classes of a world? Marks spread along the
// supertypes that a glance saw.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/base/parallel.h"
#include "jig/world/world.h"

namespace rejig::jig {

// One mark a class, in the order of internal().classes(): bits that its subtypes
// get as well. Classes that no glance understood keep what they have.
void spread_to_subtypes(const World& world, base::ThreadPool& pool,
                        std::vector<std::uint8_t>& marks);

}  // namespace rejig::jig
