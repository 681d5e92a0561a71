// SPDX-License-Identifier: Apache-2.0
// Is this the library that the rows were recorded with? One digest answers,
// wherever it is asked: SHA-256 of the file; of a folder, of its names and
// their content. Where a library lies differs from machine to machine and is no
// part of it.
#pragma once

#include <string>

#include "classfile/archive/archive.h"
#include "classfile/base/result.h"

namespace rejig::app {

base::Result<std::string> library_digest(const classfile::Artefact& artefact);
// A file as it is now, whether or not it is an archive.
base::Result<std::string> library_digest(const std::string& file);

}  // namespace rejig::app
