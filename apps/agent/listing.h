// SPDX-License-Identifier: Apache-2.0
// Does java.lang.Class list members as we know it? A look-up asks class by
// class, up the hierarchy, and every question would be told; where all ways to
// the members go through methods that have hooks (hooks.cc), the first one
// tells it all. Of a class that is not understood the answer is no: then every
// question is told.
#pragma once

#include "apps/agent/memory.h"

namespace rejig::agent {

bool lists_as_known(Bytes java_lang_class);

}  // namespace rejig::agent
