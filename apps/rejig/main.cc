// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>

#include "apps/rejig/command.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return rejig::app::run(argc, argv);
  } catch (const rejig::app::BrokenPipe&) {
    return rejig::app::kExitOk;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rejig: error: %s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "rejig: error: unknown exception\n");
  }
  return rejig::app::kExitTrouble;
}
