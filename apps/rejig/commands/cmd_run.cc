// SPDX-License-Identifier: Apache-2.0
// rejig run -- CMD: runs CMD, but of its tests only those that a change since
// the baseline can affect; records them and moves the baseline.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/session/run_session.h"

namespace rejig::app {

namespace {

struct Options {
  SessionOptions session;
  bool all = false;
};

}  // namespace

Run declare_run(CommandLine& line) {
  auto o = std::make_shared<Options>();
  declare_session(line, o->session);
  line.flag("--all", o->all, "skip nothing, record everything");
  line.flag("--dry-run", o->session.dry_run,
            "skip nothing, say how many tests are unaffected");
  line.flag("--shadow", o->session.shadow,
            "skip nothing; judge what a selection would have missed");
  line.option("--shard", o->session.shard,
              "this is machine I of N, which divide what is selected", "I/N");
  line.option("--plan", o->session.plan,
              "with --shard: who runs what, as `rejig plan` wrote it (default: "
              "made from what is selected)",
              "FILE");
  line.flag("--publish", o->session.publish,
            "give what was recorded to the remote of the settings");
  line.flag("--offline", o->session.offline, "ask no remote");
  line.option("--remote-timeout", o->session.remote_timeout,
              "how long a remote may take before the tests begin (default 5s)",
              "TIME");
  line.option("--commit", o->session.commit,
              "the commit that this is (default: what git says)", "ID");
  line.footer(
      "REJIG_OFF=1 switches everything off.\n"
      "Exit codes: that of CMD; 2 when nothing could be recorded.\n");
  return [o](Context& context) {
    o->session.selects = !o->all;
    return exit_code_of(run_session(o->session, context));
  };
}

}  // namespace rejig::app
