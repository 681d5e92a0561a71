// SPDX-License-Identifier: Apache-2.0
// rejig explain TEST | --not TEST | --edge ID | --top: why the answer is what
// it is. rejig explain D16 | E12: a rule, an edge of a comparison.
#include <algorithm>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/report/explain_edge.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/report/report_explain.h"
#include "apps/session/explanation.h"

namespace rejig::app {

namespace {

struct Options : Questions {
  SelectOptions select;
  std::string old_path;
  std::string new_path;
};

bool is_path_list(const std::string& text) {
  const auto roots = classfile::Program::split_path_list(text);
  std::error_code error;
  return !roots.empty() && std::filesystem::exists(roots.front(), error);
}

// `explain OLD NEW TEST`, `explain NEW TEST`: words that are files come before
// the tests.
void take_programs(Options& o) {
  auto& inputs = o.select.inputs;
  if (!inputs.old_path.empty() || !inputs.new_path.empty()) return;
  if (o.tests.empty() || !is_path_list(o.tests[0])) return;
  if (o.tests.size() > 1 && is_path_list(o.tests[1])) {
    inputs.old_path = o.tests[0];
    o.tests.erase(o.tests.begin());
  }
  inputs.new_path = o.tests[0];
  o.tests.erase(o.tests.begin());
}

int run_explain(Options o, Context& context) {
  o.select.inputs.old_path = o.old_path;
  o.select.inputs.new_path = o.new_path;
  if (o.tests.size() == 1 && names_rule(o.tests[0])) {
    return explain_rule(o.tests[0], context);
  }
  // An edge may stand before OLD and NEW, too.
  const auto edge = std::ranges::find_if(
      o.tests, [](const auto& word) { return names_edge(word); });
  if (edge != o.tests.end()) {
    const std::string id = *edge;
    o.tests.erase(edge);
    take_programs(o);
    if (!o.tests.empty()) {
      return context.trouble({base::Errc::kUsage,
                              "an edge is explained by itself", o.tests[0]});
    }
    return explain_edge(id, o.select.inputs, context);
  }
  take_programs(o);
  if (o.tests.empty() && o.skipped.empty() && o.edge.empty() && !o.top) {
    return context.trouble(
        {base::Errc::kUsage, "give a TEST, a rule (D16), an edge (E12), --not TEST, --edge ID or "
         "--top", ""});
  }
  auto selected = selected_by(o.select, context);
  if (!selected.ok()) return context.trouble(selected.error());
  const auto explanation = explanation_of(**selected, o);
  if (!explanation.ok()) return context.trouble(explanation.error());
  ReportOptions report;
  report.source_roots = o.select.source_roots;
  report.absolute_paths = o.select.path_style == "absolute";
  write_explanation(context.format, (*selected)->answer, *explanation, report,
                    *context.out);
  return kExitOk;
}

}  // namespace

Run declare_explain(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positionals("TEST", o->tests,
                   "test ids, classes or patterns, after OLD and NEW; a rule "
                   "(D16, rules); an edge (E12) of OLD and NEW, or of the last "
                   "rejig diff",
                   false);
  line.option("--old", o->old_path, "path list of the old version", "LIST");
  line.option("--new", o->new_path, "path list of the new version", "LIST");
  declare_selection(line, o->select);
  line.option("--not", o->skipped, "why this test is safe to skip", "TEST");
  line.option("--edge", o->edge, "the tests that this edge selects", "ID");
  line.flag("--top", o->top, "the edges that select most tests");
  line.formats({"text", "json", "markdown"});
  return [o](Context& context) { return run_explain(*o, context); };
}

}  // namespace rejig::app
