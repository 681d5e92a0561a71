// SPDX-License-Identifier: Apache-2.0
// The recorder inside the program: bytes of the files of this build.
#include "apps/session/recorder_files.h"

#define REJIG_CARRY(name, path)                    \
  __asm__(                                         \
      ".section .rodata.carried,\"a\",@progbits\n" \
      ".balign 16\n"                               \
      ".globl rejig_" #name                        \
      "\n"                                         \
      ".hidden rejig_" #name                       \
      "\n"                                         \
      "rejig_" #name                               \
      ":\n"                                        \
      ".incbin \"" path                            \
      "\"\n"                                       \
      ".globl rejig_" #name                        \
      "_end\n"                                     \
      ".hidden rejig_" #name                       \
      "_end\n"                                     \
      "rejig_" #name                               \
      "_end:\n"                                    \
      ".previous\n");                              \
  extern "C" const char rejig_##name[];            \
  extern "C" const char rejig_##name##_end[]

REJIG_CARRY(carried_agent, REJIG_CARRIED_AGENT);
REJIG_CARRY(carried_junit, REJIG_CARRIED_JUNIT);
REJIG_CARRY(carried_check, REJIG_CARRIED_CHECK);

namespace rejig::app {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

Carried carried() {
  return {between(rejig_carried_agent, rejig_carried_agent_end),
          between(rejig_carried_junit, rejig_carried_junit_end),
          between(rejig_carried_check, rejig_carried_check_end)};
}

}  // namespace rejig::app
