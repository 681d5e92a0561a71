// SPDX-License-Identifier: Apache-2.0
// rejig diff OLD NEW: what changed in behaviour.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/cli/heap.h"
#include "apps/rejig/report/report_diff.h"
#include "apps/session/inputs.h"

namespace rejig::app {

namespace {

struct DiffCommand {
  InputOptions inputs;
  DiffOptions output;
  std::string path_style = "given";
  std::string by;
  std::vector<std::string> ignore;
};

constexpr int kExitDifferent = 1;

int run_diff(DiffCommand o, Context& context) {
  if (context.format != "text" && (o.output.summary || !o.by.empty())) {
    return context.trouble(
        {base::Errc::kUsage, "--summary and --by belong to --format text", ""});
  }
  if (o.output.summary && o.by.empty()) o.by = "rule";
  if (o.by == "class") o.output.by = GroupBy::kClass;
  if (o.by == "rule") o.output.by = GroupBy::kRule;
  // A word that is no rule is said before the work is done.
  traversal::Comparison none;
  const auto rules = report_of(none, o.ignore);
  if (!rules.ok()) return context.trouble(rules.error());
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  complete_inputs(o.inputs, *config);
  o.inputs.discover_tests = false;
  o.inputs.facets_for_rows = false;
  prepare_heap(context.jobs);
  auto compared = compare_inputs(o.inputs, context);
  if (!compared.ok()) return context.trouble(compared.error());
  Compared& all = context.keep(std::move(compared).value());
  if (context.stats) {
    all.comparison.working_memory.reset();
    context.memory_left = memory_in_use();
  }
  auto made = report_of(all.comparison, o.ignore);
  if (!made.ok()) return context.trouble(made.error());
  const DiffReport* report =
      &context.keep(std::make_unique<DiffReport>(std::move(made).value()));
  for (const auto& widened : report->answer.widened) {
    context.messages->warning(widened.where.empty()
                                  ? widened.what
                                  : widened.where + ": " + widened.what);
  }
  if (!report->hidden.empty() && context.format != "text") {
    context.messages->note("hidden by --ignore: " + hidden_text(*report));
  }
  o.output.report.absolute_paths = o.path_style == "absolute";
  o.output.report.verbose = context.verbose > 0;
  o.output.report.pool = &context.pool();
  const auto phase = context.phases.scope("report");
  write_diff(context.format, *report, o.output, *context.out);
  return report->answer.edges.empty() ? kExitOk : kExitDifferent;
}

}  // namespace

Run declare_diff(CommandLine& line) {
  auto o = std::make_shared<DiffCommand>();
  line.positional("OLD", o->inputs.old_path, "path list of the old version");
  line.positional("NEW", o->inputs.new_path, "path list of the new version");
  declare_inputs(line, o->inputs);
  line.flag("--summary", o->output.summary,
            "counts only: by rule, or as --by says");
  line.choice("--by", o->by, {"class", "method", "rule"},
              "how text is grouped (default method)");
  line.options("--ignore", o->ignore,
               "hide edges of these rules; they are counted, and the exit code "
               "still knows of them",
               "RULES");
  line.flag("--exhaustive", o->inputs.exhaustive,
            "ask of every class, not only of those that a change can reach: "
            "slower, the same answer");
  line.options("--source-root", o->output.report.source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.choice("--path-style", o->path_style, {"given", "absolute"},
              "how source paths are printed");
  line.option("--max-nodes", o->output.report.max_nodes, "of --format dot");
  line.formats(diff_formats());
  line.footer(
      "Exit codes: 0 no difference in behaviour, 1 differences (hidden ones "
      "too), 2 trouble.\n");
  return [o](Context& context) { return run_diff(*o, context); };
}

}  // namespace rejig::app
