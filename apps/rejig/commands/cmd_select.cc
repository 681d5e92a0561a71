// SPDX-License-Identifier: Apache-2.0
// rejig select [OLD NEW]: the tests that a change can affect.
#include <algorithm>
#include <utility>
#include <vector>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/answer_data.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/report/report_data.h"
#include "apps/session/selection.h"
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
  std::string page;  // --report
  std::string keep;
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

// What the page shows beside the answer; of several suites that of the first one.
Members members_of(const Selected& selected, const ReportOptions& options,
                   base::ThreadPool& pool) {
  Members out;
  const auto& edges = selected.answer.edges;
  if (selected.compared) {
    add_program(*selected.compared, edges, selected.matrix.get(), pool, out);
    add_changes(edges, selected.compared->comparison.versions.get(), options,
                out);
  }
  if (selected.matrix) add_rows(*selected.matrix, out);
  return out;
}

PageData page_data(const Selected& selected, const ReportOptions& options,
                   base::ThreadPool& pool) {
  constexpr std::size_t kItems = 3;
  PageData out;
  out.kind = "select";
  out.version = version_number();
  out.members = members_of(selected, options, pool);
  out.members.emplace_back("answer", answer_data(selected.answer, kItems));
  return out;
}

// FILE.json: for the report of a run, which has the answer of each suite.
base::Result<void> write_report(const Options& o, const Selected& selected,
                                base::ThreadPool& pool) {
  if (!o.keep.empty()) {
    REJIG_TRY_VOID(
        base::write_file_atomically(o.keep, answer_data(selected.answer)));
  }
  if (o.page.empty()) return {};
  if (o.page.ends_with(".json")) {
    std::string out = "{\"schema\":\"rejig.report/1\"";
    for (const auto& [name, json] :
         members_of(selected, o.report, pool)) {
      out += ",\n\"" + name + "\":" + json;
    }
    return base::write_file_atomically(o.page, out + "}\n");
  }
  return base::write_file_atomically(
      o.page, page_html(select_page(selected.answer, o.report, true),
                        page_data(selected, o.report, pool)));
}

// Of several runs, or of one; without programs, of what the next run would select.
base::Result<ByRuns> selected_of(const Options& o, Context& context) {
  if (!o.proofs.empty()) {
    return selected_by_runs(o.select, o.proofs, context);
  }
  ByRuns out;
  REJIG_TRY(out.selected, selected_by(o.select, context, true));
  return out;
}

int run_select(Options o, Context& context) {
  o.select.only_path_is_new = true;
  o.select.counts = true;
  for (const auto& wish : o.emit) {
    const std::string kind = wish.substr(0, wish.find('='));
    std::vector<std::string> kinds;
    std::string list;
    for (const auto one : coverage::emit_kinds()) {
      kinds.emplace_back(one);
      list += (list.empty() ? "" : ", ") + kinds.back();
    }
    if (std::ranges::find(kinds, kind) == kinds.end()) {
      return context.trouble({base::Errc::kUsage,
                              "unknown runner file '" + kind + "' (there are " +
                                  list + ")" + did_you_mean(kind, kinds),
                              "--emit"});
    }
  }
  auto done = selected_of(o, context);
  if (!done.ok()) return context.trouble(done.error());
  ByRuns& by_runs = context.keep(std::make_unique<ByRuns>(std::move(*done)));
  const Selected& selected = *by_runs.selected;
  const coverage::Answer& answer = selected.answer;
  const auto answered = write_runner_files(o, selected, context);
  if (!answered.ok()) return context.trouble(answered.error());
  o.report.source_roots = o.select.source_roots;
  o.report.absolute_paths = o.select.path_style == "absolute";
  o.report.verbose = context.verbose > 0;
  if (!o.proofs_to.empty()) {
    const auto written =
        base::write_file_atomically(o.proofs_to, proofs_text(answer));
    if (!written.ok()) return context.trouble(written.error());
  }
  if (!o.plan_to.empty()) {
    const auto plan = by_runs.plan({o.shards, 0, 0, true});
    if (!plan.ok()) return context.trouble(plan.error());
    const auto written =
        base::write_file_atomically(o.plan_to, coverage::plan_json(*plan));
    if (!written.ok()) return context.trouble(written.error());
  }
  if (!*answered) {
    PageData more;
    if (context.format == "html") {
      more = page_data(selected, o.report, context.pool());
    }
    write_select(context.format, answer, o.report, *context.out, more);
  }
  const auto reported = write_report(o, selected, context.pool());
  if (!reported.ok()) return context.trouble(reported.error());
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
               "write a test-runner file: to standard output instead of the answer, "
               "or to FILE",
               "KIND[=FILE]");
  std::vector<std::string> kind_words;
  for (const auto kind : coverage::emit_kinds()) kind_words.emplace_back(kind);
  line.words("--emit", kind_words);
  line.option("--report", o->page,
              "the report that a browser shows into FILE, too; into FILE.json: "
              "its data",
              "FILE");
  line.option("--keep", o->keep,
              "the answer into FILE, too, as rejig explain reads it after a run",
              "FILE");
  line.option("--surefire-version", o->surefire_version,
              "Surefire version in use (3.0.0-M6 or later can exclude single "
              "methods)", "VERSION");
  line.option("--max-nodes", o->report.max_nodes, "maximum number of nodes of --format dot");
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
              "also write a plan of --shards machines, by names", "FILE");
  line.option("--shards", o->shards, "of --plan-to");
  line.flag("--exit-code", o->exit_code, "exit 1 when a test is selected, or everything");
  line.flag("--strict", o->strict, "exit 3 when everything is selected");
  line.formats(select_formats());
  std::string kinds = "KIND is one of";
  for (const auto kind : coverage::emit_kinds()) {
    kinds += " " + std::string(kind);
  }
  line.footer(kinds +
              ".\nExit codes: 0 success, 1 with --exit-code and a selected "
              "test (or everything), 2 trouble, 3 with --strict and everything selected.\n");
  return [o](Context& context) { return run_select(*o, context); };
}

}  // namespace rejig::app
