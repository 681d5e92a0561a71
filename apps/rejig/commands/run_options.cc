// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/commands/run_options.h"

#include <chrono>
#include <cstdlib>

#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/report/run_page.h"
#include "apps/rejig/report/run_record.h"
#include "classfile/base/file.h"
#include "coverage/emit/emit.h"

namespace rejig::app {

namespace {

// What is said about a run when it is over; the run is as good without.
void tell(const RunOptions& o, const RunStory& story, Context& context) {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const RunRecord record = record_of(story, now.count());
  const auto wrote = [&](const base::Result<void>& done) {
    if (!done.ok()) context.messages->warning(done.error().message());
  };
  wrote(keep_run(record, story.store));
  ReportOptions options;
  options.source_roots = o.session.source_roots;
  if (!o.report.empty()) {
    wrote(base::write_file_atomically(o.report,
                                      page_html(run_page(record, options, true),
                                                run_page_data(record, story))));
  }
  if (!o.junit.empty()) {
    const auto made = coverage::emit("junit-xml", record.answer, {}, {});
    if (made.ok()) {
      wrote(base::write_file_atomically(o.junit, made->content));
    } else {
      context.messages->warning(made.error().message());
    }
  }
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary != nullptr && *summary != '\0') {
    wrote(add_step_summary(summary,
                           page_markdown(run_page(record, options, false))));
  }
}

}  // namespace

void declare_run_options(CommandLine& line, RunOptions& o) {
  line.flag("--all", o.all, "skip nothing, record everything");
  line.flag("--dry-run", o.session.dry_run,
            "skip nothing, say how many tests are unaffected");
  line.option("--report", o.report,
              "the report that a browser shows, into FILE.html", "FILE");
  line.option(
      "--junit-xml", o.junit,
      "the tests that were left out, as skipped ones with their reason, "
      "for whoever shows results",
      "FILE");
  line.options(
      "--source-root", o.session.source_roots,
      "where sources are looked for, to show their lines in the report", "DIR");
  line.flag("--best-effort", o.best_effort,
            "when nothing can be recorded: say so, run everything, exit as CMD "
            "(default)");
  line.flag("--strict", o.strict, "when nothing can be recorded: exit 2");
  line.flag("--shadow", o.session.shadow,
            "skip nothing; judge what a selection would have missed");
  line.option("--shard", o.session.shard,
              "this is machine I of N, which divide what is selected", "I/N");
  line.option("--plan", o.session.plan,
              "with --shard: who runs what, as `rejig plan` wrote it (default: "
              "by the names of the classes)",
              "FILE");
  line.flag("--publish", o.session.publish,
            "give what was recorded to the remote of the settings");
  line.flag("--offline", o.session.offline, "ask no remote");
  line.option("--remote-timeout", o.session.remote_timeout,
              "how long a remote may take before the tests begin (default 5s)",
              "TIME");
  line.option("--commit", o.session.commit,
              "the commit that this is (default: what git says)", "ID");
}

base::Result<SessionOptions> session_of(const RunOptions& o) {
  if (o.strict && o.best_effort) {
    return base::Error{base::Errc::kUsage,
                       "--strict and --best-effort exclude each other", ""};
  }
  SessionOptions session = o.session;
  session.selects = !o.all;
  session.reports = !o.report.empty();
  return session;
}

int run_is_over(const RunOptions& o, RunEnd end, Context& context) {
  if (!end.story.store.empty()) {
    if (o.all) {
      for (auto& suite : end.story.suites) {
        suite.everything_because.assign(1, "--all");
      }
    }
    tell(o, end.story, context);
  }
  // What only saves time turns no green build red.
  return end.ran && !o.strict ? end.exit_code : exit_code_of(end);
}

}  // namespace rejig::app
