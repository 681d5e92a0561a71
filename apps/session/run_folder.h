// SPDX-License-Identifier: Apache-2.0
// Where does a run keep what it needs while it lasts? In a folder of its own beside
// the store, with rows/ for what is recorded and ask/ for what JVMs ask. Those
// that killed runs left go first; git is told to look away.
#pragma once

#include <string>

#include "classfile/base/result.h"

namespace rejig::app {

base::Result<std::string> make_run_folder(const std::string& beside);

}  // namespace rejig::app
