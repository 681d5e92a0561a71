// SPDX-License-Identifier: Apache-2.0
// Under which path would a class loader find each file of this artefact, and
// which of several does it find? Below the root, BOOT-INF/classes/,
// WEB-INF/classes/, classes/ (jmod) or the module (jimage); the version folders
// in force of a multi-release archive first; the archive itself before the
// archives nested in it. dump's `found` is !Entry::hidden; its `used` is
// loader_class_names()[entry] == the class's own name. Views live as long as
// the artefact.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "classfile/archive/archive.h"

namespace rejig::classfile {

struct LoaderPath {
  std::string_view path;  // "x/Y.class", "META-INF/services/a.B"
  EntryId entry;
  std::uint32_t rank = 0;  // of several with one path the smallest is found
};

enum class LookupRules : std::uint8_t {
  // What dump-format promises: version folders from 9, directory order.
  kDump,
  // What loaders do: java.util.jar takes version folders from 8, Spring Boot
  // asks nested archives in the order of BOOT-INF/classpath.idx.
  kLoader,
};

// One for each entry that is not hidden: in the order of the entries for a dump,
// of their names for a loader, if the artefact knows it.
void each_loader_path(const Artefact& artefact, unsigned release,
                      LookupRules rules,
                      const std::function<void(const LoaderPath&)>& found);

// True when two files with one path and these ranks are in the same place for a
// loader, which then sees the first one only: the version folders and the root
// of one archive.
bool same_loader_root(std::uint32_t rank, std::uint32_t other);

// For each entry the internal name of the class that a loader finds there
// ("x/Y", "module-info"), if the file really defines that class; empty when no
// loader finds the file or another one comes first.
std::vector<std::string_view> loader_class_names(const Artefact& artefact,
                                                 unsigned release);

}  // namespace rejig::classfile
