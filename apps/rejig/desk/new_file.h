// SPDX-License-Identifier: Apache-2.0
// Files that rejig gives to a project: made where there is none, and never written
// over.
#pragma once

#include <cstdint>
#include <string>

#include "classfile/base/result.h"

namespace rejig::app {

enum class NewFile : std::uint8_t {
  kWritten,
  kSame,   // it says this already
  kOther,  // somebody's own: left as it is
};
// Makes its folders, too.
base::Result<NewFile> write_new(const std::string& path,
                                const std::string& text);

}  // namespace rejig::app
