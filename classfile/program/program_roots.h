// SPDX-License-Identifier: Apache-2.0
// Which artefacts does this class path open, and in which order? Private to
// program.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/archive/archive.h"

namespace rejig::classfile {

// "dir/*" becomes the .jar and .JAR files of dir, sorted; anything else, and a
// wildcard without a jar, stays as it is.
void expand_wildcard(std::string_view item, std::vector<std::string>& out);

// In the order in which a loader asks them: a jar's Class-Path directly behind
// it, no file twice.
base::Result<std::vector<std::unique_ptr<Artefact>>> open_roots(
    const std::vector<std::string>& roots, bool follow_class_path,
    base::Diagnostics& diagnostics);

}  // namespace rejig::classfile
