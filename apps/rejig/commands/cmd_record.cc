// SPDX-License-Identifier: Apache-2.0
// rejig record -- CMD: runs CMD with the recorder in every test JVM.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/session/run_session.h"

namespace rejig::app {

Run declare_record(CommandLine& line) {
  auto o = std::make_shared<SessionOptions>();
  declare_session_options(line, *o);
  line.rest(o->command, "the command to run");
  line.footer(
      "REJIG_OFF=1 switches the recorder off.\n"
      "Exit codes: that of CMD; 2 when nothing could be recorded.\n");
  return [o](Context& context) { return exit_code_of(run_session(*o, context)); };
}

}  // namespace rejig::app
