// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "apps/rejig/cli/command.h"
#include "apps/session/run_process.h"

int main(int argc, char** argv) {
  rejig::app::set_signals();
  try {
    return rejig::app::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rejig: error: %s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "rejig: error: unknown exception\n");
  }
  return rejig::app::kExitTrouble;
}
