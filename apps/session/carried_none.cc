// SPDX-License-Identifier: Apache-2.0
// A program that lies beside its recorder carries none.
#include "apps/session/recorder_files.h"

namespace rejig::app {

Carried carried() { return {}; }

}  // namespace rejig::app
