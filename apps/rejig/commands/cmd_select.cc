// SPDX-License-Identifier: Apache-2.0
// rejig select [OLD NEW]: the tests that a change can affect.
#include <utility>
#include <vector>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/report/report.h"
#include "apps/session/several_runs.h"
#include "classfile/base/file.h"
#include "coverage/emit/emit.h"

namespace rejig::app {

namespace {

constexpr int kExitSelected = 1;
constexpr int kExitAll = 3;

struct Options {
  SelectOptions select;
  ReportOptions report;
  std::vector<std::string> emit;  // KIND or KIND=FILE
  std::string surefire_version;
  std::vector<std::string> proofs;  // RUN=STORE
  std::string proofs_to;
  std::string plan_to;
  unsigned shards = 1;
  bool exit_code = false;
  bool strict = false;
};

// KIND alone stands in for the answer on standard output; KIND=FILE writes a
// file beside it.
base::Result<bool> write_runner_files(const Options& o,
                                      const Selected& selected,
                                      Context& context) {
  coverage::EmitOptions options;
  options.suite = o.select.suite;
  options.surefire_version = o.surefire_version.empty()
                                 ? selected.surefire_version
                                 : o.surefire_version;
  std::vector<coverage::Emitted> files;
  for (const auto& wish : o.emit) {
    REJIG_TRY(auto file,
              coverage::emit(wish.substr(0, wish.find('=')), selected.answer,
                             selected.tests, options));
    files.push_back(std::move(file));
  }
  bool answered = false;
  for (std::size_t i = 0; i < o.emit.size(); ++i) {
    const auto& wish = o.emit[i];
    const auto& file = files[i];
    const auto equals = wish.find('=');
    const std::string kind = wish.substr(0, equals);
    for (const auto& note : file.notes) context.messages->note(note);
    if (equals == std::string::npos) {
      if (answered) {
        return base::Error{base::Errc::kUsage,
                           "only one --emit can go to standard output; write "
                           "--emit " +
                               kind + "=FILE",
                           ""};
      }
      context.out->write(file.content);
      answered = true;
    } else {
      REJIG_TRY_VOID(
          base::write_file_atomically(wish.substr(equals + 1), file.content));
    }
  }
  return answered;
}

int run_select(Options o, Context& context) {
  o.select.only_path_is_new = true;
  o.select.counts = true;
  for (const auto& wish : o.emit) {
    const auto known = coverage::emit(wish.substr(0, wish.find('=')),
                                      coverage::Answer(), {}, {});
    if (!known.ok()) return context.trouble(known.error());
  }
  auto done = selected_by_runs(o.select, o.proofs, context);
  if (!done.ok()) return context.trouble(done.error());
  ByRuns& by_runs = context.keep(std::make_unique<ByRuns>(std::move(*done)));
  const Selected& selected = *by_runs.selected;
  const coverage::Answer& answer = selected.answer;
  const auto answered = write_runner_files(o, selected, context);
  if (!answered.ok()) return context.trouble(answered.error());
  if (!o.proofs_to.empty()) {
    const auto written =
        base::write_file_atomically(o.proofs_to, proofs_text(answer));
    if (!written.ok()) return context.trouble(written.error());
  }
  if (!o.plan_to.empty()) {
    const auto plan = by_runs.plan({o.shards});
    if (!plan.ok()) return context.trouble(plan.error());
    const auto written =
        base::write_file_atomically(o.plan_to, coverage::plan_json(*plan));
    if (!written.ok()) return context.trouble(written.error());
  }
  if (!*answered) {
    o.report.source_roots = o.select.source_roots;
    o.report.absolute_paths = o.select.path_style == "absolute";
    o.report.verbose = context.verbose > 0;
    write_select(context.format, answer, o.report, *context.out);
  }
  context.messages->note(counts_text(answer.counts));
  const bool all = answer.mode == coverage::Mode::kAll;
  if (o.strict && all) return kExitAll;
  if (o.exit_code && (all || answer.counts.selected != 0)) {
    return kExitSelected;
  }
  return kExitOk;
}

}  // namespace

Run declare_select(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("OLD", o->select.inputs.old_path,
                  "path list of the old version (default: the program that the "
                  "matrix keeps)",
                  false);
  line.positional("NEW", o->select.inputs.new_path,
                  "path list of the new version", false);
  declare_selection(line, o->select);
  line.options("--emit", o->emit,
               "a file for a test runner, instead of the answer or into FILE",
               "KIND[=FILE]");
  line.option("--surefire-version", o->surefire_version,
              "since 3.0.0-M6 single methods can be excluded", "VERSION");
  line.option("--max-nodes", o->report.max_nodes, "of --format dot");
  line.option("--variables", o->select.variables,
              "the variables that tests see, as in /proc/PID/environ (default: "
              "those of rejig)");
  line.options("--proof", o->proofs,
               "the store of a further run, with its program: what it proves "
               "unaffected need not run",
               "RUN=STORE");
  line.option("--proofs-to", o->proofs_to,
              "with --proof: which run proves which test, a line each", "FILE");
  line.option("--plan-to", o->plan_to,
              "also write a plan of --shards machines (rejig plan)", "FILE");
  line.option("--shards", o->shards, "of --plan-to");
  line.flag("--exit-code", o->exit_code, "exit 1 when a test is selected, or everything");
  line.flag("--strict", o->strict, "exit 3 when everything is selected");
  line.formats(select_formats());
  std::string kinds = "KIND is one of";
  for (const auto kind : coverage::emit_kinds()) {
    kinds += " " + std::string(kind);
  }
  line.footer(kinds +
              ".\nExit codes: 0 answered, 1 with --exit-code and a selected "
              "test (or everything), 2 trouble, 3 with --strict and everything selected.\n");
  return [o](Context& context) { return run_select(*o, context); };
}

}  // namespace rejig::app
