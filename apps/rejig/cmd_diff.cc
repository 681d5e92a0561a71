// SPDX-License-Identifier: Apache-2.0
// rejig diff OLD NEW: what changed in behaviour.
#include "apps/rejig/command.h"
#include "apps/rejig/report.h"
#include "apps/rejig/selection.h"

namespace rejig::app {

namespace {

struct DiffOptions {
  InputOptions inputs;
  ReportOptions report;
  std::string path_style = "given";
};

constexpr int kExitDifferent = 1;

int run_diff(DiffOptions o, Context& context) {
  const auto config = load_config(context.config);
  if (!config.ok()) return context.trouble(config.error());
  complete_inputs(o.inputs, *config);
  o.inputs.discover_tests = false;
  const auto compared = compare_inputs(o.inputs, context);
  if (!compared.ok()) return context.trouble(compared.error());
  const auto answer = answer_of((*compared)->comparison);
  for (const auto& widened : answer.widened) {
    context.messages->warning(widened.where.empty()
                                  ? widened.what
                                  : widened.where + ": " + widened.what);
  }
  o.report.absolute_paths = o.path_style == "absolute";
  o.report.verbose = context.verbose > 0;
  write_diff(context.format, answer, o.report, *context.out);
  return answer.edges.empty() ? kExitOk : kExitDifferent;
}

}  // namespace

Run declare_diff(CommandLine& line) {
  auto o = std::make_shared<DiffOptions>();
  line.positional("OLD", o->inputs.old_path, "path list of the old version");
  line.positional("NEW", o->inputs.new_path, "path list of the new version");
  declare_inputs(line, o->inputs);
  line.options("--source-root", o->report.source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.choice("--path-style", o->path_style, {"given", "absolute"},
              "how source paths are printed");
  line.option("--max-nodes", o->report.max_nodes, "of --format dot");
  line.formats(diff_formats());
  line.footer(
      "Exit codes: 0 no difference in behaviour, 1 differences, 2 "
      "trouble.\n");
  return [o](Context& context) { return run_diff(*o, context); };
}

}  // namespace rejig::app
