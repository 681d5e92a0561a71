// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/version.h"


namespace rejig::app {

std::string version_number() { return REJIG_VERSION; }

std::string version_text() {
  std::string text = "rejig " REJIG_VERSION "\n";
#if defined(__clang__)
  text += "compiler: clang " __clang_version__ "\n";
#else
  text += "compiler: g++ " __VERSION__ "\n";
#endif
  text += "libraries: " REJIG_LIBRARIES "\n";
  return text;
}

}  // namespace rejig::app
