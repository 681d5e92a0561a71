// SPDX-License-Identifier: Apache-2.0
// rejig run -- CMD: runs CMD, but of its tests only those that a change since
// the baseline can affect; records them and moves the baseline.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/commands/run_options.h"
#include "apps/session/run_session.h"

namespace rejig::app {

namespace {

int run_run(const RunOptions& o, Context& context) {
  const auto session = session_of(o);
  if (!session.ok()) return context.trouble(session.error());
  return run_is_over(o, run_session(*session, context), context);
}

}  // namespace

Run declare_run(CommandLine& line) {
  auto o = std::make_shared<RunOptions>();
  declare_session_options(line, o->session);
  line.rest(o->session.command, "the command to run");
  declare_run_options(line, *o);
  line.footer(
      "With GITHUB_STEP_SUMMARY set, a summary in Markdown goes there.\n"
      "REJIG_OFF=1 switches everything off.\n"
      "Exit codes: that of CMD; 2 when it could not be run, with --strict also "
      "when nothing\ncould be recorded.\n");
  return [o](Context& context) { return run_run(*o, context); };
}

}  // namespace rejig::app
