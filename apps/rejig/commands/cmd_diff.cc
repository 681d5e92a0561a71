// SPDX-License-Identifier: Apache-2.0
// rejig diff OLD NEW: what changed in behaviour.
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/heap.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/cli/path_hints.h"
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/answer_data.h"
#include "apps/rejig/report/last_diff.h"
#include "apps/rejig/report/report_data.h"
#include "apps/rejig/report/report_diff.h"
#include "apps/rejig/report/show.h"
#include "apps/session/inputs.h"

namespace rejig::app {

namespace {

struct DiffCommand {
  InputOptions inputs;
  DiffOptions output;
  std::string path_style = "given";
  std::string by;
  std::vector<std::string> ignore;
  bool all = false;
  std::string asked = "all";
  std::string show;
};

// nullopt: there is no such method among the changed ones.
std::optional<std::string> shown_methods(const DiffReport& report,
                                         const DiffCommand& o) {
  const auto methods = methods_meant(report, o.show);
  if (methods.empty()) return std::nullopt;
  std::string out;
  for (const auto& entity : methods) {
    if (!out.empty()) out += "\n";
    out += show_text(report, entity, o.output);
  }
  return out;
}

PageData diff_data(const DiffReport& report, const Compared& compared,
                   const ReportOptions& options, base::ThreadPool& pool) {
  PageData out;
  out.kind = "diff";
  out.version = version_number();
  constexpr std::size_t kItems = 2;
  out.members.emplace_back("answer", answer_data(report.answer, kItems));
  add_program(compared, report.answer.edges, nullptr, pool, out.members);
  add_changes(report.answer.edges, report.versions, options, out.members);
  return out;
}

constexpr int kExitDifferent = 1;

int run_diff(DiffCommand o, Context& context) {
  if (context.format != "text" &&
      (o.output.summary || !o.by.empty() || !o.show.empty())) {
    return context.trouble({base::Errc::kUsage,
                            "--summary, --by and --show belong to --format "
                            "text",
                            ""});
  }
  if (o.by == "class") o.output.by = GroupBy::kClass;
  if (o.by == "method") o.output.by = GroupBy::kMethod;
  if (o.by == "rule") o.output.by = GroupBy::kRule;
  o.output.screen = screen_of(context, o.all);
  // A word that is no rule is said before the work is done.
  traversal::Comparison none;
  const auto rules = report_of(none, o.ignore);
  if (!rules.ok()) return context.trouble(rules.error());
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  complete_inputs(o.inputs, *config);
  if (o.inputs.old_path.empty() || o.inputs.new_path.empty()) {
    return context.trouble({base::Errc::kUsage,
                            "OLD and NEW are needed (or [inputs] old, new in "
                            "rejig.toml)",
                            ""});
  }
  for (const auto* list : {&o.inputs.old_path, &o.inputs.new_path}) {
    if (const std::string meant = sources_instead(*list); !meant.empty()) {
      return context.trouble({base::Errc::kUsage, meant, *list});
    }
  }
  o.inputs.discover_tests = false;
  o.inputs.own_names = true;
  o.inputs.facets_for_rows = false;
  prepare_heap(context.jobs);
  auto compared = compare_inputs(o.inputs, context);
  if (!compared.ok()) return context.trouble(compared.error());
  Compared& all = context.keep(std::move(compared).value());
  auto made = report_of(all.comparison, o.ignore);
  if (!made.ok()) return context.trouble(made.error());
  DiffReport* report =
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
  note_diff(o.inputs);
  {
    const auto phase = context.phases.scope("report");
    context.out->allow_pager();
    if (!o.show.empty()) {
      const auto text = shown_methods(*report, o);
      if (!text) {
        return context.trouble({base::Errc::kNotFound,
                                "no method of this name has another body "
                                "(rejig diff --all lists them)",
                                o.show});
      }
      context.out->write(*text);
    } else {
      PageData more;
      if (context.format == "html") {
        more = diff_data(*report, all, o.output.report, context.pool());
      }
      write_diff(context.format, *report, o.output, *context.out, more);
    }
  }
  const Asked asked = o.asked == "behaviour" ? Asked::kBehaviour
                      : o.asked == "api"     ? Asked::kApi
                                             : Asked::kAll;
  const bool different = differs(*report, asked);
  if (context.stats) {
    report->versions = nullptr;
    all.comparison.versions.reset();
    all.comparison.working_memory.reset();
    context.memory_left = memory_in_use();
  }
  return different ? kExitDifferent : kExitOk;
}

}  // namespace

Run declare_diff(CommandLine& line) {
  auto o = std::make_shared<DiffCommand>();
  line.positional("OLD", o->inputs.old_path,
                  "path list of the old version; a class file, too", false);
  line.positional("NEW", o->inputs.new_path, "path list of the new version",
                  false);
  declare_inputs(line, o->inputs);
  line.flag("--all", o->all, "text: everything, not one screen of it");
  line.option("--show", o->show,
              "both listings of a changed method, side by side: "
              "'Type.name(Type)', Type.name or name",
              "METHOD");
  line.flag("--summary", o->output.summary,
            "counts only: by rule, or as --by says");
  line.choice("--by", o->by, {"class", "method", "rule"},
              "list every edge with its number and rule, grouped so");
  line.options("--ignore", o->ignore,
               "do not print edges of these rules (they are still counted and "
               "still set the exit code)",
               "RULES");
  line.choice("--exit-code-for", o->asked, {"behaviour", "api", "all"},
              "exit with 1 for differences in behaviour (all but manifests, "
              "licences, signatures and the like), for those that break code "
              "compiled against OLD, or for all (default)");
  line.flag("--exhaustive", o->inputs.exhaustive,
            "check every class, not only those a change can reach (slow, same "
            "result)");
  line.options("--source-root", o->output.report.source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.choice("--path-style", o->path_style, {"given", "absolute"},
              "how source paths are printed");
  line.option("--max-nodes", o->output.report.max_nodes, 
              "maximum number of nodes of --format dot");
  line.formats(diff_formats());
  line.footer(
      "Exit codes: 0 no difference in behaviour, 1 differences (hidden ones "
      "too), 2 trouble.\n");
  return [o](Context& context) { return run_diff(*o, context); };
}

}  // namespace rejig::app
